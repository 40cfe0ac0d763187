"""Declare a lifecycle hook: what Hermes passes goes through unchanged, and the log tells only names, times and types."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, ParamSpec, Protocol, TypeVar, overload

from .declared import Declared, HostCall, is_async
from .logs import CallLog, context_of, logger_of

P = ParamSpec("P")
R = TypeVar("R")

_STREAM = ("on_stream_", "on_interim_")


@dataclass(frozen=True, kw_only=True)
class HookSpec:
    """What ``@hook`` declared.

    Attributes:
        on_error: ``raise`` leaves an exception to Hermes, which blocks the tool when a ``pre_tool_call`` raises
            (row M15); ``ignore`` logs it and answers ``None``, for hooks that only observe.
        allow_multiple: Whether the plugin may declare this hook more than once.
        log_level: Level of the line for a call that returned.
        on_unload: Called when Hermes unloads the plugin.
    """

    name: str
    on_error: Literal["raise", "ignore"] = "raise"
    allow_multiple: bool = False
    log_level: int = logging.INFO
    on_unload: Callable[[], None] | None = None


class HookDecorator(Protocol):
    """Turn a function into a hook, and an async function into an async hook."""

    @overload
    def __call__(self, function: Callable[P, Awaitable[R]]) -> "AsyncHook[P, Awaitable[R]]": ...  # type: ignore[overload-overlap]  # the narrower one comes first
    @overload
    def __call__(self, function: Callable[P, R]) -> "Hook[P, R]": ...


class HookBase(Declared[P, R]):
    """What sync and async hooks share. Hermes calls a hook with keywords only."""

    surface = "hook"

    def __init__(self, function: Callable[P, R], spec: HookSpec) -> None:
        super().__init__(function)
        self._spec = spec
        self.log = logger_of(self.__module__)

    @property
    def spec(self) -> HookSpec:
        """Return what was declared."""
        return self._spec

    def host_call(self) -> HostCall:
        """Return the ``register_hook`` call."""
        return HostCall(
            surface=self.surface,
            name=self._spec.name,
            registrar="register_hook",
            args=(self._spec.name, self),
        )

    def _logged(self, payload: dict[str, Any]) -> CallLog:
        context = context_of(payload)
        return CallLog(
            self.log,
            self._spec.name,
            f"context={context}" if self.log.isEnabledFor(logging.DEBUG) else "",
            context=context,
            level=self._spec.log_level,
            swallow=self._spec.on_error == "ignore",
        )


class Hook(HookBase[P, R]):
    """A decorated hook."""

    def __call__(self, **payload: Any) -> Any:
        """Run the callback as Hermes does, and return its value by identity."""
        with self._logged(payload) as call:
            return call.ok(self._function(**self.narrowed(payload)))
        return None


class AsyncHook(HookBase[P, R]):
    """A decorated async hook; Hermes awaits it."""

    async def __call__(self, **payload: Any) -> Any:
        """Run the callback as Hermes does, and return its value by identity."""
        with self._logged(payload) as call:
            return call.ok(await self._function(**self.narrowed(payload)))
        return None


def hook(
    name: str,
    *,
    on_error: Literal["raise", "ignore"] = "raise",
    allow_multiple: bool = False,
    log_level: int | None = None,
    on_unload: Callable[[], None] | None = None,
) -> HookDecorator:
    """Declare a callback for one of Hermes' lifecycle hooks; see ``HookSpec`` for the options.

    The hooks of a running stream are logged at DEBUG unless ``log_level`` says otherwise.

    Raises:
        ValueError: The name is blank.
    """
    if not isinstance(name, str) or not name.strip():
        raise ValueError("hook name must be a non-empty string")
    name = name.strip()
    quiet = logging.DEBUG if name.startswith(_STREAM) else logging.INFO
    spec = HookSpec(
        name=name,
        on_error=on_error,
        allow_multiple=allow_multiple,
        on_unload=on_unload,
        log_level=quiet if log_level is None else log_level,
    )

    def decorate(function: Callable[..., Any]) -> HookBase[..., Any]:
        return (AsyncHook if is_async(function) else Hook)(function, spec)

    return decorate  # type: ignore[return-value]  # the overloads say which of the two comes out
