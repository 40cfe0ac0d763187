"""The pure functions of text that a reference may go through, and the values that are worth following."""

import posixpath
import re
from collections.abc import Callable, Mapping

from ..json import JsonValue, dumps

_PATH_LIKE = re.compile(r"[^\s\x00-\x1f\x7f]{2,512}")
_WEAK = frozenset({"", ".", "/", "..", "0", "1", "true", "false", "null", "none", "ok", "yes", "no"})


def _stem(text: str) -> str:
    return posixpath.splitext(posixpath.basename(text))[0]


TRANSFORMS: Mapping[str, Callable[[str], str]] = {
    "basename": posixpath.basename,
    "dirname": posixpath.dirname,
    "stem": _stem,
    "lower": str.lower,
    "upper": str.upper,
    "text": str,
}


def transform(value: JsonValue, name: str | None) -> JsonValue:
    """Apply a transform by name; None leaves the value as it is, JSON type and all."""
    if name is None:
        return value
    return TRANSFORMS[name](as_text(value))


def as_text(value: JsonValue) -> str:
    """Write a scalar as it stands inside a text: numbers as JSON writes them.

    Raises:
        TypeError: the value is no text, number or truth value.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float):
        return dumps(value)
    raise TypeError(f"{type(value).__name__} has no text form")


def variants(text: str) -> tuple[tuple[str, str], ...]:
    """Return the transforms of a path-like text that give something new, as (name, result).

    Free text is never taken apart: its last word is no basename (measurements, section 3).
    """
    if not _PATH_LIKE.fullmatch(text):
        return ()
    names = ("basename", "dirname", "stem") if "/" in text else ("stem",) if "." in text else ()
    made = [(name, TRANSFORMS[name](text)) for name in (*names, "lower", "upper")]
    seen = {text}
    return tuple((name, new) for name, new in made if not (new in seen or seen.add(new)) and not is_weak(new))


def is_weak(value: JsonValue) -> bool:
    """Tell whether a value is too common to say where it came from (``""``, ``.``, ``0``, ``1``, ``true``)."""
    if value is None or isinstance(value, bool):
        return True
    if isinstance(value, dict | list):
        return not value
    if isinstance(value, int | float):
        return value in (0, 1)
    return value.strip().lower() in _WEAK or not any(map(str.isalnum, value))
