"""Recorded results: how their text is decoded, and how a path is followed into them."""

from ..json import JsonError, JsonValue, Path, loads
from .errors import MissingValueError

MAX_NESTED = 1 << 18
"""Characters of a text inside a result beyond which it is not looked into."""


def decode_result(text: str) -> JsonValue:
    """Decode a tool's answer: objects and lists as JSON, everything else stays the text it is.

    A bare number stays text, since nothing says whether ``00501`` is one.
    """
    return decoded(text)


def decoded(value: JsonValue) -> JsonValue:
    """Return what a text holds where it is a JSON object or list, else the value itself."""
    if not isinstance(value, str) or len(value) > MAX_NESTED or value[:1] not in ("{", "["):
        return value
    try:
        return loads(value)
    except JsonError:
        return value


def fetch(value: JsonValue, path: Path) -> JsonValue:
    """Follow a path; where it goes on inside a text, that text is decoded first (``{"result": "{…}"}``).

    Raises:
        LookupError: nothing stands there.
    """
    for part in path:
        if isinstance(value, str):
            value = decoded(value)
        if not isinstance(value, dict if isinstance(part, str) else list):
            raise LookupError(part)
        value = value[part]  # type: ignore[index]
    return value


def fetch_from(step: int | None, value: JsonValue, path: Path) -> JsonValue:
    """Follow a path into a step's result.

    Raises:
        MissingValueError: nothing stands there.
    """
    try:
        return fetch(value, path)
    except LookupError:
        raise MissingValueError(step, path) from None
