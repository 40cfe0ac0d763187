"""Check arguments against the JSON Schema that the kit emits, and say each problem so that a model can mend it.

The checked keywords are those that the kit itself writes: ``type``, ``enum``, lengths, ``pattern``, bounds, ``items``,
``properties``, ``required``, ``additionalProperties`` and ``anyOf``. Others are left to the handler.
"""

import difflib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .specs import with_example

_TYPES: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: _is_number(value) and float(value).is_integer(),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, Mapping),
    "null": lambda value: value is None,
}
_WORDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with the arguments.

    Attributes:
        path: Where, such as ``limit`` or ``steps[0].name``.
        word: ``missing``, ``unknown`` or ``invalid``.
        text: What the model reads.
    """

    path: str
    word: str
    text: str

    @property
    def short(self) -> str:
        """Name the problem without any value, for the log."""
        return f"{self.word} {self.path}"


def problems_of(
    parameters: Mapping[str, Any],
    args: Mapping[str, Any],
    examples: Mapping[str, Any] | None = None,
) -> list[Problem]:
    """List every problem of a call's arguments; a null for an argument that is not required counts as absent.

    >>> schema = {"type": "object", "properties": {"limit": {"type": "integer", "minimum": 1}}, "additionalProperties": False}
    >>> [problem.text for problem in problems_of(schema, {"limit": 0, "limits": 3})]
    ['limit must be at least 1, not 0', "limits is unknown; did you mean 'limit'?"]
    """
    return list(_object_problems(parameters, args, "", examples or {}))


def is_blank(value: Any) -> bool:
    """Tell whether a required argument counts as missing: null, or text without a word."""
    return value is None or (isinstance(value, str) and not value.strip())


def fits(schema: Mapping[str, Any], value: Any) -> bool:
    """Tell whether one value has nothing wrong with it."""
    return not any(_value_problems(schema, value, ""))


def coerced(parameters: Mapping[str, Any], args: Mapping[str, Any]) -> dict[str, Any]:
    """Read texts as the numbers, flags, lists and objects that the schema asks for, as Hermes does for the model.

    Hermes does so only for calls that the model makes, not for ``ctx.dispatch_tool``. A null for an argument
    that is not required is left out.
    """
    properties, required = parameters.get("properties", {}), parameters.get("required", ())
    return {
        key: _read(value, properties.get(key, {}))
        for key, value in args.items()
        if value is not None or key in required
    }


def _read(value: Any, schema: Mapping[str, Any]) -> Any:
    kind = schema.get("type")
    if isinstance(value, str):
        value = _read_text(value, kind)
    if kind == "array":
        items = value if isinstance(value, list) else [value]
        return [_read(item, schema.get("items", {})) for item in items]
    if kind == "object" and isinstance(value, Mapping):
        return coerced(schema, value)
    return value


def _read_text(text: str, kind: Any) -> Any:
    if kind == "boolean":
        return {"true": True, "false": False}.get(text.strip().lower(), text)
    if kind not in ("integer", "number", "array", "object"):
        return text
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if _TYPES[kind](value) else text


def _object_problems(
    schema: Mapping[str, Any],
    value: Mapping[str, Any],
    path: str,
    examples: Mapping[str, Any],
) -> Iterator[Problem]:
    properties = schema.get("properties", {})
    required = schema.get("required", ())
    for key in [*properties, *(name for name in required if name not in properties)]:
        if _is_missing(value, key, required):
            where = _join(path, key)
            yield Problem(where, "missing", with_example(f"{where} is required", examples.get(key)))
        elif value.get(key) is not None:
            yield from _value_problems(properties.get(key, {}), value[key], _join(path, key))
    yield from _rest_problems(schema, value, path)


def _is_missing(value: Mapping[str, Any], key: str, required: Any) -> bool:
    if key not in required:
        return False
    return is_blank(value.get(key))


def _rest_problems(schema: Mapping[str, Any], value: Mapping[str, Any], path: str) -> Iterator[Problem]:
    properties, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
    for key in [key for key in value if key not in properties]:
        where = _join(path, str(key))
        if rest is False:
            yield Problem(where, "unknown", f"{where} is unknown{_suggestion(str(key), properties)}")
        elif isinstance(rest, Mapping):
            yield from _value_problems(rest, value[key], where)


def _value_problems(schema: Mapping[str, Any], value: Any, path: str) -> Iterator[Problem]:
    if value is None and schema.get("nullable") is True:
        return
    wrong = _type_problem(schema, value) or _choice_problem(schema, value)
    if wrong:
        yield Problem(path, "invalid", f"{path} {wrong}, not {_shown(value)}")
        return
    for text in _limit_problems(schema, value):
        yield Problem(path, "invalid", f"{path} {text}, not {_shown(value)}")
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _value_problems(schema.get("items", {}), item, f"{path}[{index}]")
    if isinstance(value, Mapping):
        yield from _object_problems(schema, value, path, {})


def _type_problem(schema: Mapping[str, Any], value: Any) -> str:
    kinds = schema.get("type", ())
    kinds = (kinds,) if isinstance(kinds, str) else tuple(kinds)
    if not kinds or any(_TYPES.get(kind, lambda _: True)(value) for kind in kinds):
        return ""
    return f"must be {' or '.join(_WORDS.get(kind, kind) for kind in kinds)}"


def _choice_problem(schema: Mapping[str, Any], value: Any) -> str:
    choices = schema.get("enum")
    if choices is not None and not any(_same(value, choice) for choice in choices):
        return f"must be one of {', '.join(repr(choice) for choice in choices)}"
    alternatives = schema.get("anyOf")
    if alternatives and not any(fits(one, value) for one in alternatives):
        return f"must be {' or '.join(_described(one) for one in alternatives)}"
    return ""


def _limit_problems(schema: Mapping[str, Any], value: Any) -> Iterator[str]:
    for keyword, (applies, holds, text) in _LIMITS.items():
        limit = schema.get(keyword)
        if limit is not None and applies(value) and not holds(value, limit):
            yield text.format(limit)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


_LIMITS: dict[str, tuple[Callable[[Any], bool], Callable[[Any, Any], bool], str]] = {
    "minimum": (_is_number, lambda value, limit: value >= limit, "must be at least {}"),
    "maximum": (_is_number, lambda value, limit: value <= limit, "must be at most {}"),
    "exclusiveMinimum": (_is_number, lambda value, limit: value > limit, "must be more than {}"),
    "exclusiveMaximum": (_is_number, lambda value, limit: value < limit, "must be less than {}"),
    "minLength": (_is_text, lambda value, limit: len(value) >= limit, "must have at least {} characters"),
    "maxLength": (_is_text, lambda value, limit: len(value) <= limit, "must have at most {} characters"),
    "pattern": (_is_text, lambda value, limit: re.search(limit, value) is not None, "must match {}"),
    "minItems": (_is_list, lambda value, limit: len(value) >= limit, "must have at least {} items"),
    "maxItems": (_is_list, lambda value, limit: len(value) <= limit, "must have at most {} items"),
    "uniqueItems": (
        _is_list,
        lambda value, limit: not limit or _all_different(value),
        "must not repeat an item",
    ),
}


def _all_different(items: list[Any]) -> bool:
    return not any(_same(one, other) for index, one in enumerate(items) for other in items[:index])


def _same(one: Any, other: Any) -> bool:
    """Compare as JSON does: ``1`` equals ``1.0``, and neither equals ``true``."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _described(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return f"one of {', '.join(repr(choice) for choice in schema['enum'])}"
    return _WORDS.get(str(schema.get("type")), "one of the described forms")


def _suggestion(key: str, known: Mapping[str, Any]) -> str:
    near = difflib.get_close_matches(key, list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
