"""Declare middleware: it changes what Hermes does, by rewriting a request or by wrapping an execution."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ParamSpec, TypeVar

from .declared import Declared, HostCall, is_async
from .logs import CallLog, context_of, logger_of

P = ParamSpec("P")
R = TypeVar("R")


class MiddlewareKind(StrEnum):
    """The phases at which Hermes asks middleware.

    The request kinds return ``{"args": …}`` or ``{"request": …}`` (with ``source``, if you like); the execution kinds
    call ``next_call`` at most once and return its result.
    """

    TOOL_REQUEST = "tool_request"
    TOOL_EXECUTION = "tool_execution"
    LLM_REQUEST = "llm_request"
    LLM_EXECUTION = "llm_execution"


@dataclass(frozen=True, kw_only=True)
class MiddlewareSpec:
    """What ``@middleware`` declared."""

    kind: str
    log_level: int = logging.INFO


class Middleware(Declared[P, R]):
    """A decorated middleware callback. Exceptions leave it as the same object, as Hermes needs them (row M14)."""

    surface = "middleware"

    def __init__(self, function: Callable[P, R], spec: MiddlewareSpec) -> None:
        super().__init__(function)
        self._spec = spec
        self.log = logger_of(self.__module__)

    @property
    def spec(self) -> MiddlewareSpec:
        """Return what was declared."""
        return self._spec

    def __call__(self, **payload: Any) -> Any:
        """Run the callback as Hermes does, and return its value by identity."""
        label, context = f"{self._spec.kind} middleware", context_of(payload)
        opening = f"context={context}" if self.log.isEnabledFor(logging.DEBUG) else ""
        with CallLog(self.log, label, opening, context=context, level=self._spec.log_level) as call:
            result = call.ok(self._function(**self.narrowed(payload)))
        if result is None and self._spec.kind.endswith("_execution"):
            self.log.warning("%s: returned None, which takes the place of the result", label)
        return result

    def host_call(self) -> HostCall:
        """Return the ``register_middleware`` call."""
        kind = self._spec.kind
        return HostCall(surface=self.surface, name=kind, registrar="register_middleware", args=(kind, self))


def middleware(
    kind: MiddlewareKind | str,
    *,
    log_level: int = logging.INFO,
) -> Callable[[Callable[P, R]], Middleware[P, R]]:
    """Declare a middleware callback; a kind that is not in ``MiddlewareKind`` is left for a later Hermes.

    Raises:
        ValueError: The kind is blank.
        TypeError: The function is async, which Hermes does not await.
    """
    name = kind.value if isinstance(kind, MiddlewareKind) else kind
    if not isinstance(name, str) or not name.strip():
        raise ValueError("middleware kind must be a MiddlewareKind or a non-empty string")
    spec = MiddlewareSpec(kind=name.strip(), log_level=log_level)

    def decorate(function: Callable[P, R]) -> Middleware[P, R]:
        if is_async(function):
            raise TypeError(f"{spec.kind} middleware must be synchronous: Hermes does not await it")
        return Middleware(function, spec)

    return decorate
