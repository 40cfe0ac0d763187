"""Declare a tool: the schema that the model sees, the check of its arguments, the log, and the envelope of its answer."""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ParamSpec, Protocol, TypeVar, overload

from . import host
from .arguments.forms import Arguments, Checked, Passed, unchanged
from .arguments.specs import adopt_schema, build_schema, required_of
from .arguments.typed import Typed, arguments_of
from .declared import Declared, HostCall, is_async
from .logs import logger_of
from .names import validate_tool_name
from .toolcall import ToolCall

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, kw_only=True)
class ToolSpec:
    """What ``@tool`` declared.

    Attributes:
        schema: The function schema; the model sees it as it is.
        requires_env: Environment variables without which Hermes hides the tool.
        check_fn: Says whether the tool can be used now; derived from ``requires_env`` unless given.
        override: Replace a built-in tool, which the operator must allow.
        max_result_chars: A longer answer becomes an error.
    """

    name: str
    toolset: str
    schema: dict[str, Any]
    requires_env: list[str] | None = None
    emoji: str = ""
    check_fn: Callable[[], bool] | None = None
    is_async: bool = False
    override: bool = False
    max_result_chars: int | None = None


@dataclass(frozen=True)
class EnvironmentReady:
    """Say whether every environment variable that a tool needs is set, for the profile that asks (row M11)."""

    names: tuple[str, ...]

    def __call__(self) -> bool:
        """Return whether the tool can be used."""
        return all(host.environment_value(name) for name in self.names)


class ToolDecorator(Protocol):
    """Turn a function into a tool, and an async function into an async tool."""

    @overload
    def __call__(self, function: Callable[P, Awaitable[R]]) -> "AsyncTool[P, Awaitable[R]]": ...  # type: ignore[overload-overlap]  # the narrower one comes first
    @overload
    def __call__(self, function: Callable[P, R]) -> "Tool[P, R]": ...


class ToolBase(Declared[P, R]):
    """What sync and async tools share. Hermes calls a tool as ``tool(args, **context)`` and gets JSON text."""

    surface = "tool"

    def __init__(self, function: Callable[P, R], spec: ToolSpec, arguments: Arguments) -> None:
        super().__init__(function)
        self.arguments = arguments
        self.log = logger_of(self.__module__)
        self._declared = spec
        # The name that code written for the older kit reads and may change; the spec follows it.
        self._hpk_tool_spec: dict[str, Any] = {
            "name": spec.name,
            "toolset": spec.toolset,
            "schema": spec.schema,
            "requires_env": spec.requires_env,
            "emoji": spec.emoji,
        }
        self.warned = False
        """Whether the author has been told of a result that Hermes would misread (row M7)."""

    @property
    def spec(self) -> ToolSpec:
        """Return what was declared."""
        return replace(self._declared, **self._hpk_tool_spec)

    def host_call(self) -> HostCall:
        """Return the ``register_tool`` call."""
        spec = self.spec
        given = {
            "check_fn": spec.check_fn
            or (EnvironmentReady(tuple(spec.requires_env)) if spec.requires_env else None),
            "is_async": spec.is_async,
            "override": spec.override,
        }
        return HostCall(
            surface=self.surface,
            name=spec.name,
            registrar="register_tool",
            kwargs={
                "name": spec.name,
                "toolset": spec.toolset,
                "schema": spec.schema,
                "handler": self,
                "requires_env": spec.requires_env,
                "description": spec.schema.get("description", ""),
                "emoji": spec.emoji,
            },
            extras={key: value for key, value in given.items() if value},
        )

    def _host_signature(self) -> inspect.Signature:
        args = inspect.Parameter("args", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None)
        return inspect.Signature([args, inspect.Parameter("context", inspect.Parameter.VAR_KEYWORD)])


class Tool(ToolBase[P, R]):
    """A decorated tool."""

    def __call__(self, args: Any = None, **context: Any) -> str:
        """Answer one call as Hermes makes it."""
        call = ToolCall(self, args, context)
        rejected = call.rejected()
        if rejected is not None:
            return rejected
        try:
            positional, keywords = call.bound()
            return call.answered(self._function(*positional, **keywords))
        except Exception as error:
            return call.failed(error)


class AsyncTool(ToolBase[P, R]):
    """A decorated async tool; Hermes awaits it."""

    async def __call__(self, args: Any = None, **context: Any) -> str:
        """Answer one call as Hermes makes it."""
        call = ToolCall(self, args, context)
        rejected = call.rejected()
        if rejected is not None:
            return rejected
        try:
            positional, keywords = call.bound()
            return call.answered(await self._function(*positional, **keywords))
        except Exception as error:
            return call.failed(error)


def tool(
    *,
    toolset: str,
    params: dict[str, Any] | None = None,
    name: str | None = None,
    namespace: str | None = None,
    description: str | None = None,
    requires_env: list[str] | None = None,
    emoji: str = "",
    schema: dict[str, Any] | None = None,
    validate_required: bool = True,
    strict: bool = False,
    args: type | None = None,
    converter: Any = None,
    check_fn: Callable[[], bool] | None = None,
    override: bool = False,
    max_result_chars: int | None = None,
) -> ToolDecorator:
    """Declare a tool.

    Its arguments are described by ``params`` (``str_arg`` and its kin), by a ``schema`` that the plugin already has,
    or by the handler's own types: an attrs or data class (as first parameter, or as ``args=``), or annotated
    parameters. With types, every problem of a call is answered at once and the handler gets typed values; with the
    other two the first missing argument is, unless ``strict`` asks for the same check.

    Args:
        toolset: The toolset that people switch on and off.
        params: Argument specs by name.
        name: The tool's name; the function's without it.
        namespace: What the name must begin with.
        description: What the model reads; the docstring without it.
        requires_env: Environment variables without which Hermes hides the tool.
        emoji: Shown beside its calls.
        schema: A function schema, instead of ``params``.
        validate_required: Answer a missing argument of ``schema`` here; else the handler does.
        strict: Check types, limits and unknown names too.
        args: The class that describes the arguments, where the handler's first parameter does not say it.
        converter: Structures values of the handler's types (anything with cattrs' ``structure``).
        check_fn: Says whether the tool can be used now; it is hidden otherwise.
        override: Replace a built-in tool, if the operator allows it.
        max_result_chars: A longer answer becomes an error.

    Raises:
        ValueError: A name, a description or a schema may not be used as it is.
        TypeError: An argument has the wrong type, or a handler's type has no JSON Schema.
    """
    if schema is not None and params is not None:
        raise ValueError("schema and params exclude each other")
    if not isinstance(validate_required, bool):
        raise TypeError("validate_required must be a bool")

    def decorate(function: Callable[..., Any]) -> ToolBase[..., Any]:
        chosen = validate_tool_name(name or str(getattr(function, "__name__", "")), namespace=namespace)
        if schema is not None:
            built = _adopted(schema, chosen, description, function)
            arguments = _of_schema(built, validate_required=validate_required, strict=strict)
        else:
            typed = arguments_of(function, args, converter) if params is None else None
            specs = typed.params if typed else params or {}
            built = build_schema(chosen, _text(chosen, description, function), specs)
            arguments = _of_specs(built, specs, typed, strict=strict)
        spec = ToolSpec(
            name=chosen,
            toolset=toolset,
            schema=built,
            requires_env=requires_env,
            emoji=emoji,
            check_fn=check_fn,
            is_async=is_async(function),
            override=override,
            max_result_chars=max_result_chars,
        )
        return (AsyncTool if spec.is_async else Tool)(function, spec, arguments)

    return decorate  # type: ignore[return-value]  # the overloads say which of the two comes out


def _of_specs(
    built: dict[str, Any], specs: Mapping[str, Any], typed: Typed | None, *, strict: bool
) -> Arguments:
    required = required_of(specs)
    if typed is None and not strict:
        return Passed(required)
    return Checked(built["parameters"], required, typed.build if typed else unchanged)


def _of_schema(built: dict[str, Any], *, validate_required: bool, strict: bool) -> Arguments:
    if strict:
        return Checked(built["parameters"], {}, unchanged)
    return Passed(dict.fromkeys(built["parameters"].get("required", ()) if validate_required else ()))


def _adopted(
    schema: dict[str, Any], name: str, description: str | None, function: Callable[..., Any]
) -> dict[str, Any]:
    built = adopt_schema(schema, name)
    return {**built, "description": _text(name, description or built.get("description"), function)}


def _text(name: str, description: str | None, function: Callable[..., Any]) -> str:
    text = (description or inspect.getdoc(function) or "").strip()
    if not text:
        raise ValueError(f"tool {name!r}: a description is required (a docstring, or description=)")
    return text
