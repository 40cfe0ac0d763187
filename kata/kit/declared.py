"""Wrap an author's function in an object that Hermes calls and that tests can still call as a plain function."""

import copy
import functools
import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MethodType
from typing import Any, ClassVar, Generic, ParamSpec, Self, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, kw_only=True)
class HostCall:
    """One call that registers something with Hermes.

    Attributes:
        surface: ``command``, ``cli_command``, ``tool``, ``middleware``, ``hook`` or ``skill``.
        name: The name as people know it.
        registrar: The method of the plugin context.
        extras: Keywords that are only passed where the host's registrar knows them.
    """

    surface: str
    name: str
    registrar: str
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    extras: Mapping[str, Any] = field(default_factory=dict)


class Declared(Generic[P, R]):
    """A decorated function: an object of its own, which keeps the function's name, docs, module and signature.

    It is an object and not a closure because Hermes asks ``__globals__`` for the owner of a handler before
    ``__wrapped__``, and a closure would belong to the kit instead of the plugin (row M12).

    Attributes:
        call: The author's function itself.
    """

    surface: ClassVar[str]
    __wrapped__: Callable[P, R]
    __signature__: inspect.Signature

    def __init__(self, function: Callable[P, R]) -> None:
        functools.update_wrapper(self, function)  # type: ignore[arg-type]  # typed for functions only
        self.__module__ = home_of(function)
        self.adapt()
        if is_async(function):
            _mark_coroutine_function(self)

    def __get__(self, instance: object, owner: type | None = None) -> Self:
        """Bind a decorated method to its object, as a function would."""
        if instance is None:
            return self
        bound = copy.copy(self)
        bound.__wrapped__ = MethodType(self.__wrapped__, instance)
        bound.adapt()
        return bound

    @property
    def call(self) -> Callable[P, R]:
        """Return the author's function: no envelope, no log, no narrowing."""
        return self.__wrapped__

    @property
    def _function(self) -> Callable[..., Any]:
        """Return the author's function, to be called as Hermes' payload says."""
        return self.__wrapped__

    @property
    def spec(self) -> Any:
        """Return what was declared."""
        raise NotImplementedError

    @property
    def where(self) -> str:
        """Name the author's function, for messages."""
        return f"{self.__module__}.{getattr(self.__wrapped__, '__qualname__', self.__wrapped__)}"

    def host_call(self) -> HostCall:
        """Return the call that registers this with Hermes."""
        raise NotImplementedError

    def adapt(self) -> None:
        """Learn what the author's function takes."""
        self._accepts = accepted_keywords(self.__wrapped__)
        self.__signature__ = self._host_signature()

    def _host_signature(self) -> inspect.Signature:
        """Return the author's named parameters, and anything else: what Hermes may pass (row M13)."""
        return open_signature(self.__wrapped__)

    def narrowed(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Keep what the author's function takes of a payload that grows between releases (row M13)."""
        if self._accepts is None:
            return payload
        return {name: payload[name] for name in payload if name in self._accepts}


def spec_of(declared: object) -> Any:
    """Return the specification of a decorated function.

    Raises:
        TypeError: The object was not decorated by this kit.
    """
    if not isinstance(declared, Declared):
        raise TypeError(f"{declared!r} is not a decorated function")
    return declared.spec


def is_async(function: Callable[..., Any]) -> bool:
    """Tell whether a call must be awaited, also behind ``functools.partial`` or an async ``__call__``."""
    function = _whole(function)
    return any(inspect.iscoroutinefunction(called) for called in (function, type(function).__call__))


def home_of(function: Callable[..., Any]) -> str:
    """Name the module in which a function was written, also behind ``functools.partial``."""
    return str(getattr(_whole(function), "__module__", None) or "")


def _whole(function: Callable[..., Any]) -> Callable[..., Any]:
    while isinstance(function, functools.partial):
        function = function.func
    return function


def accepted_keywords(function: Callable[..., Any]) -> frozenset[str] | None:
    """Return the keywords that a function takes, or ``None`` when it takes any."""
    parameters = parameters_of(function)
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return None
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return frozenset(parameter.name for parameter in parameters if parameter.kind in named)


def takes_positional(function: Callable[..., Any]) -> bool:
    """Tell whether a function takes at least one positional argument."""
    positional = (
        inspect.Parameter.POSITIONAL_ONLY,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        inspect.Parameter.VAR_POSITIONAL,
    )
    return any(parameter.kind in positional for parameter in parameters_of(function))


def open_signature(function: Callable[..., Any]) -> inspect.Signature:
    """Return a function's named parameters as keywords, followed by ``**payload``."""
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    kept = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for parameter in parameters_of(function)
        if parameter.kind in named
    ]
    rest = "payload" if all(parameter.name != "payload" for parameter in kept) else "payload_"
    return inspect.Signature([*kept, inspect.Parameter(rest, inspect.Parameter.VAR_KEYWORD)])


def parameters_of(function: Callable[..., Any]) -> tuple[inspect.Parameter, ...]:
    """Return a function's parameters; one that cannot be inspected is taken to accept anything."""
    try:
        return tuple(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return tuple(inspect.signature(_anything).parameters.values())


def _anything(*args: Any, **kwargs: Any) -> None:
    """Lend its signature to functions that have none."""


async def _coroutine() -> None:
    """Lend its code flags to objects that are coroutine functions."""


def _mark_coroutine_function(declared: Any) -> None:
    """Make ``inspect.iscoroutinefunction`` true for an object."""
    if sys.version_info >= (3, 12):
        inspect.markcoroutinefunction(declared)
        return
    # 3.11 knows no mark, but goes by the code flags of whatever has a function's attributes.
    declared.__code__, declared.__defaults__, declared.__kwdefaults__ = _coroutine.__code__, None, None
    declared.__name__ = getattr(declared, "__name__", "coroutine")
    declared.__annotations__ = getattr(declared, "__annotations__", {})
