"""Marks that others wrote before Kata saw the value: the host's own masks (case B072)."""

import re
from collections.abc import Iterator

from ..json import JsonValue, Path
from .names import Hint, hint

_PLACEHOLDER = re.compile(
    r"\[REDACTED\b|«redacted|<redacted>|<masked>|\*{3,}@|:\*{3,}(?=[@\s\"']|$)|\b(?:bearer|basic|token)\s+\*{3,}",
    re.IGNORECASE,
)
_STARS = re.compile(r"([\w.-]{1,64})[\"']?\s{0,3}[:=]\s{0,3}[\"']?\*{3,}")
_SHORTENED = re.compile(
    r"\b(?:sk|pk|rk|gh[pousr]|github_pat|glpat|xox[a-z]|xapp|AKIA|AIza|hf|npm|pypi|ey[JA]|SG|ya29|xai|gsk|pplx|dop|key)[\w.-]{0,12}?(?:…|\.{3})\w{2,8}\b"
)
_SHORTENED_VALUE = re.compile(r"([\w.-]{1,64})[\"']?\s{0,3}[:=]\s{0,3}[\"']?[\w-]{1,12}(?:…|\.{3})\w{2,8}\b")
_SIGNS = ("***", "…", "...", "[R", "[r", "«", "<redacted>", "<masked>", "<REDACTED>")


def has_host_mask(value: JsonValue) -> bool:
    """Tell whether a value holds a placeholder for a secret that Kata never saw; such a value is never dispatched."""
    return next(_find(value, ()), None) is not None


def host_masks(value: JsonValue) -> tuple[Path, ...]:
    """List the leaves and keys that hold such a placeholder."""
    return tuple(_find(value, ()))


def _find(value: JsonValue, path: Path, name: str = "") -> Iterator[Path]:
    if isinstance(value, str):
        if _is_masked(value, name):
            yield path
    elif isinstance(value, dict):
        for key, item in value.items():
            if _is_masked(key, ""):
                yield (*path, key)
            yield from _find(item, (*path, key), key)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _find(item, (*path, index), name)


def _is_masked(text: str, name: str) -> bool:
    if not any(sign in text for sign in _SIGNS):
        return False
    if text.strip("*") == "" or _PLACEHOLDER.search(text) or _SHORTENED.search(text):
        return True
    named = any(
        hint(match[1]) is not Hint.NONE
        for match in (*_STARS.finditer(text), *_SHORTENED_VALUE.finditer(text))
    )
    return named or (hint(name) is not Hint.NONE and ("***" in text or "…" in text or "..." in text))
