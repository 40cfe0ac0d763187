"""The JSON answer of every command: one stable envelope, strict JSON, big integers as marked strings (ux 4)."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import Enum
from typing import Any

import attrs

from ..errors import KataError
from ..json import JsonValue
from ..service.views import KataRow

SCHEMA = "kata.cli/1"
LARGEST = 2**53


def answer(
    profile: str, data: JsonValue, *, warnings: Sequence[str] = (), following: Sequence[str] = ()
) -> dict[str, Any]:
    """Build the envelope of an answer; ``following`` are commands to type next."""
    return {
        "schema": SCHEMA,
        "ok": True,
        "profile": profile,
        "data": data,
        "warnings": list(warnings),
        "next": list(following),
    }


def failure(error: KataError) -> dict[str, Any]:
    """Build the envelope of a refusal: its code, message, hint, and whatever data it carries."""
    data = {
        key: plain(value)
        for key, value in sorted(vars(error).items())
        if key != "hint" and not key.startswith("_")
    }
    return {
        "schema": SCHEMA,
        "ok": False,
        "error": {"code": error.code, "message": str(error), "hint": error.hint, **data},
    }


def plain(value: Any) -> JsonValue:
    """Turn a view model into strict JSON: moments as ISO 8601, integers beyond 2^53 as ``{"bigint": "…"}``."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, KataRow):
        return {"tool_name": value.tool_name, **_fields(value)}
    if attrs.has(type(value)):
        return _fields(value)
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > LARGEST:
        return {"bigint": str(value)}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)


def _fields(value: Any) -> dict[str, JsonValue]:
    return {field.name: plain(getattr(value, field.name)) for field in attrs.fields(type(value))}
