"""One thread at a time: the worker, the chat and the tab's threads share the views' one connection."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Locking(Protocol):
    """What has the service's lock, which the same thread may take again."""

    @property
    def lock(self) -> AbstractContextManager[object]:
        """The lock."""
        ...


L = TypeVar("L", bound=Locking)


def locked(method: Callable[Concatenate[L, P], R]) -> Callable[Concatenate[L, P], R]:
    """Hold the lock while a method runs."""

    @wraps(method)
    def held(self: L, /, *args: P.args, **keywords: P.kwargs) -> R:
        with self.lock:
            return method(self, *args, **keywords)

    return held
