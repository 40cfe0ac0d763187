"""Take a tool's arguments from its handler's own types: a class of the author's, or annotated parameters."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass
from typing import Any, get_origin

from ..declared import parameters_of
from .annotations import Field, build, fields_of, hints_of, is_record, structured_fields

CONTEXT = frozenset(
    {
        "task_id",
        "session_id",
        "user_task",
        "tool_call_id",
        "turn_id",
        "api_request_id",
        "parent_agent",
    }
)
"""Keywords that Hermes gives a handler: a parameter of such a name is no argument of the model's."""

Bound = tuple[tuple[Any, ...], dict[str, Any]]


@dataclass(frozen=True)
class Typed:
    """The arguments that a handler's types declare.

    Attributes:
        params: Argument specs, as ``params=`` would give them.
        build: Turns checked arguments and the context into the handler's arguments.
    """

    params: Mapping[str, dict[str, Any]]
    build: Callable[[dict[str, Any], dict[str, Any]], Bound]


def arguments_of(
    function: Callable[..., Any], record: type | None = None, converter: Any = None
) -> Typed | None:
    """Return what the handler's types say, or ``None`` for a handler of the form ``(args, **kwargs)``.

    Raises:
        TypeError: A type has no JSON Schema, or ``record`` is no attrs or data class.
    """
    parameters = [item for item in parameters_of(function) if item.name != "self"]
    if record is not None:
        return _by_class(record, converter)
    alone = _alone(parameters)
    hint: Any = None if alone is None else _hint(alone, function)
    if is_record(hint):
        return _by_class(hint, converter)
    if parameters and _takes_a_dict(parameters[0], alone, hint):
        return None
    return _by_parameters(function, parameters, converter)


def _alone(parameters: list[inspect.Parameter]) -> inspect.Parameter | None:
    """Return the first parameter, when no other is for the model to fill."""
    ours = [item for item in parameters if item.kind is not item.VAR_KEYWORD and item.name not in CONTEXT]
    return ours[0] if len(ours) == 1 and ours[0] is parameters[0] else None


def _takes_a_dict(first: inspect.Parameter, alone: inspect.Parameter | None, hint: Any) -> bool:
    """Tell the handler that takes all arguments as one dict from the one whose parameters are the arguments."""
    if first.kind in (first.KEYWORD_ONLY, first.VAR_KEYWORD):
        return False
    if first.name == "args" or first.kind is first.VAR_POSITIONAL or first.annotation is first.empty:
        return True
    origin = get_origin(hint) or hint
    return alone is not None and isinstance(origin, type) and issubclass(origin, Mapping)


def _hint(parameter: inspect.Parameter, function: Callable[..., Any]) -> Any:
    """Return a parameter's type; for one named ``args`` an annotation that cannot be read does not matter."""
    if parameter.annotation is parameter.empty:
        return None
    try:
        return hints_of(function).get(parameter.name)
    except TypeError:
        if parameter.name == "args":
            return None
        raise


def _by_class(record: type, converter: Any) -> Typed:
    if not is_record(record):
        raise TypeError(f"{record!r} is neither an attrs class nor a data class")
    make = converter.structure if converter else lambda values, kind: build(kind, values)
    return Typed(
        {item.name: item.spec for item in fields_of(record)},
        lambda args, context: ((make(args, record),), context),
    )


def _by_parameters(
    function: Callable[..., Any], parameters: list[inspect.Parameter], converter: Any
) -> Typed:
    hints = hints_of(function)
    fields = tuple(
        Field(item.name, hints.get(item.name, Any), MISSING if item.default is item.empty else item.default)
        for item in parameters
        if item.kind is not item.VAR_KEYWORD and item.name not in CONTEXT
    )
    nameless = [item.name for item in parameters if item.kind in (item.VAR_POSITIONAL, item.POSITIONAL_ONLY)]
    if nameless:
        raise TypeError(f"{function!r}: the model cannot name {', '.join(nameless)}")

    def bind(args: dict[str, Any], context: dict[str, Any]) -> Bound:
        return (), {**context, **_values(fields, args, converter)}

    return Typed({item.name: item.spec for item in fields}, bind)


def _values(fields: tuple[Field, ...], args: dict[str, Any], converter: Any) -> dict[str, Any]:
    if converter is None:
        return structured_fields(fields, args)
    return {
        item.name: converter.structure(args[item.name], item.annotation)
        for item in fields
        if item.name in args
    }
