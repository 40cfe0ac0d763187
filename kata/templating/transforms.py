"""The pure functions of text that a reference may go through, and the values that are worth following."""

import posixpath
import re
from collections.abc import Callable, Mapping

from ..json import JsonValue, dumps

_PATH_LIKE = re.compile(r"[^\s\x00-\x1f\x7f]{2,512}")
_WEAK = frozenset({"", ".", "/", "..", "0", "1", "true", "false", "null", "none", "ok", "yes", "no"})

_LONGEST_WEAK = max(map(len, _WEAK))


def _stem(text: str) -> str:
    return _without_extension(text.rpartition("/")[2])


def _without_extension(base: str) -> str:
    stem = base.rpartition(".")[0]
    return stem if stem.strip(".") else base


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


def cut_forms(text: str) -> tuple[tuple[str, str], ...]:
    """Return what the parts of a path-like text are, as (transform, result), where that is something new.

    Free text is never taken apart: its last word is no basename (measurements, section 3).
    """
    if not ("/" in text or "." in text) or not _PATH_LIKE.fullmatch(text):
        return ()
    folder, slash, base = text.rpartition("/")
    stem = _without_extension(base)
    made = [("stem", stem)] if stem != base else []
    if slash:
        made = [("basename", base), ("dirname", folder or "/"), *made]
    return tuple([one for one in made if not is_weak(one[1])])


def case_forms(text: str) -> tuple[tuple[str, str], ...]:
    """Return a path-like text in the other letter cases, as (transform, result)."""
    if not _PATH_LIKE.fullmatch(text):
        return ()
    return tuple(
        [(name, new) for name, new in (("lower", text.lower()), ("upper", text.upper())) if new != text]
    )


def is_weak(value: JsonValue) -> bool:
    """Tell whether a value is too common to say where it came from (``""``, ``.``, ``0``, ``1``, ``true``)."""
    if isinstance(value, str):
        if len(value) > _LONGEST_WEAK and value[0].isalnum():
            return False
        return value.strip().lower() in _WEAK or not any(map(str.isalnum, value))
    if value is None or isinstance(value, bool):
        return True
    if isinstance(value, dict | list):
        return not value
    return bool(value in (0, 1))
