"""Values that are made at their first use, once for all threads that ask."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")
_GUARD = threading.Lock()


class once(Generic[T]):  # noqa: N801 - used as a decorator
    """Like ``functools.cached_property``, but two threads that ask at the same time get the same value.

    Once it is made the value stands in the instance's own dictionary, so that reading it costs nothing more.
    """

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make
        self._name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, owner: None, kind: type) -> "once[T]": ...

    @overload
    def __get__(self, owner: object, kind: type) -> T: ...

    def __get__(self, owner: object | None, kind: type) -> "T | once[T]":
        if owner is None:
            return self
        with self._lock_of(owner):
            made = owner.__dict__
            if self._name not in made:
                made[self._name] = self._make(owner)
            value: T = made[self._name]
            return value

    def _lock_of(self, owner: object) -> AbstractContextManager[object]:
        """Return the lock of this value in this instance: values that need each other do not wait for all."""
        with _GUARD:
            lock: AbstractContextManager[object] = owner.__dict__.setdefault(
                f"_lock_of_{self._name}", threading.RLock()
            )
            return lock
