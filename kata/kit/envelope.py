"""Encode what a tool answers: one JSON text, whatever the handler returned or raised."""

import dataclasses
import json
import re
from collections.abc import Mapping
from datetime import date, time
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any
from uuid import UUID

_READ_BY_HOST = 500
"""Characters at the start of a result in which Hermes looks for its failure words (row M7)."""

_FAILURE_WORD = re.compile(r'"(e)(rror)"|"(f)(ailed)"', re.IGNORECASE)


class ToolError(Exception):
    """Tell the model about an expected failure, in your own words and without a traceback.

    Attributes:
        code: A stable word for machines, or ``None``.
        hint: What to do next, or ``None``.

    >>> failure_of(ToolError("no such thread", code="not_found", hint="List the threads first."))
    '{"success": false, "error": "no such thread", "code": "not_found", "hint": "List the threads first."}'
    """

    def __init__(self, message: str, *, code: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.hint = hint


def success(data: Any) -> str:
    """Encode a success.

    Raises:
        TypeError: The data hold something that has no JSON form.
        ValueError: They hold NaN or an infinity, or are circular.

    >>> success({"seen": {2, 1}})
    '{"success": true, "data": {"seen": [1, 2]}}'
    """
    return encode({"success": True, "data": data})


def failure(message: str, **more: Any) -> str:
    """Encode a failure; what is ``None`` of ``more`` is left out."""
    return encode(
        {
            "success": False,
            "error": message,
            **{key: value for key, value in more.items() if value is not None},
        }
    )


def failure_of(error: ToolError) -> str:
    """Encode an expected failure."""
    return failure(str(error), code=error.code, hint=error.hint)


def encode(value: Any) -> str:
    """Encode as strict JSON, with a form for attrs and data classes, enums, dates, paths and sets."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=plain)


def escape_failure_words(text: str) -> str:
    r"""Write the words by which Hermes takes a success for a failure with a JSON escape (row M7).

    The decoded value stays the same; only the text no longer matches ``"error"`` and ``"failed"``.

    >>> escape_failure_words('{"success": true, "data": {"error": null}}')
    '{"success": true, "data": {"\\u0065rror": null}}'
    """
    head, rest = text[:_READ_BY_HOST], text[_READ_BY_HOST:]
    return _FAILURE_WORD.sub(_escaped, head) + rest


def plain(value: Any) -> Any:
    """Return a JSON form for one value that ``json`` does not know.

    Raises:
        TypeError: There is none.
    """
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, PurePath | UUID | Decimal):
        return str(value)
    if isinstance(value, set | frozenset):
        return _ordered(value)
    if isinstance(value, Mapping):
        return dict(value)
    names = _field_names(value)
    if names is None:
        raise TypeError(f"a {type(value).__name__} has no JSON form")
    return {name: getattr(value, name) for name in names}


def _field_names(value: Any) -> list[str] | None:
    attributes = getattr(type(value), "__attrs_attrs__", None)
    if attributes is not None:
        return [attribute.name for attribute in attributes]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [item.name for item in dataclasses.fields(value)]
    return None


def _ordered(values: set[Any] | frozenset[Any]) -> list[Any]:
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=repr)


def _escaped(match: re.Match[str]) -> str:
    first, rest = (match[1], match[2]) if match[1] else (match[3], match[4])
    return f'"\\u{ord(first):04x}{rest}"'
