"""Check a value against a schema that a stranger wrote: nothing is fetched, no pattern runs away."""

from functools import lru_cache
from typing import Any, NoReturn

import attrs
import jsonschema_rs

from ..errors import KataError
from ..json import JsonError, JsonValue, Path, canonical, loads

BACKTRACK_LIMIT = 100_000
"""Steps that one pattern may take on one text; beyond it the value counts as not matching."""


class SchemaError(KataError):
    """Say that a schema cannot be used: it is malformed, or points outside itself."""

    code = "bad_schema"


@attrs.frozen
class Violation:
    """One reason why a value does not meet a schema.

    Attributes:
        path: Where in the value.
        keyword: The schema's keyword (``type``, ``required``, ``enum``, …).
        message: One English sentence.
        missing: The property that ``required`` misses, else empty.
    """

    path: Path
    keyword: str
    message: str
    missing: str = ""


def violations(schema: JsonValue, value: JsonValue) -> tuple[Violation, ...]:
    """List every reason why a value does not meet a schema, in the schema's order.

    Raises:
        SchemaError: the schema cannot be used.
    """
    validator = _compiled(_text_of(schema))
    try:
        return tuple(_violation(error) for error in validator.iter_errors(_speakable(value)))
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        return (Violation((), "type", f"the value is no JSON: {error}"),)


def accepts(schema: JsonValue, value: JsonValue) -> bool:
    """Tell whether a value meets a schema.

    Raises:
        SchemaError: the schema cannot be used.
    """
    validator = _compiled(_text_of(schema))
    try:
        return bool(validator.is_valid(_speakable(value)))
    except (TypeError, ValueError, OverflowError, RecursionError):
        return False


def usable(schema: JsonValue) -> bool:
    """Tell whether a schema can be used at all."""
    try:
        _compiled(_text_of(schema))
    except SchemaError:
        return False
    return True


def _speakable(value: JsonValue) -> JsonValue:
    """Put a replacement mark for each lone surrogate, which the validator cannot be told (case B050)."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_speakable(key): _speakable(one) for key, one in value.items()}
    return [_speakable(one) for one in value] if isinstance(value, list) else value


def _text_of(schema: JsonValue) -> str:
    try:
        return canonical(schema)
    except JsonError as error:
        raise SchemaError(f"the schema is no JSON: {error}") from error


@lru_cache(maxsize=512)
def _compiled(text: str) -> Any:
    """Compile once a schema's text, since the same tools are asked about again and again."""
    options = jsonschema_rs.FancyRegexOptions(backtrack_limit=BACKTRACK_LIMIT)
    try:
        return jsonschema_rs.validator_for(loads(text), retriever=_refuse, pattern_options=options)
    except (ValueError, TypeError, RecursionError) as error:
        raise SchemaError(_first_line(error)) from error


def _refuse(uri: str) -> NoReturn:
    raise LookupError(f"{uri} lies outside the schema and is not fetched")


def _violation(error: Any) -> Violation:
    keyword = str(error.schema_path[-1]) if error.schema_path else ""
    missing = str(getattr(error.kind, "property", "")) if keyword == "required" else ""
    return Violation(tuple(error.instance_path), keyword, _first_line(error), missing)


def _first_line(error: Any) -> str:
    text: str = getattr(error, "message", None) or str(error)
    return text.splitlines()[0] if text else type(error).__name__
