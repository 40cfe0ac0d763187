"""Marks that others wrote before Kata saw the value: the host's own masks (case B072)."""

import re
from collections.abc import Iterator

from ..json import JsonValue, Path

_HOST = re.compile(
    r"\[REDACTED|«redacted|<redacted|:\*{3,}@|\b\w{2,8}-\w{0,6}(?:…|\.{3})\w{2,6}\b|[=:]\s*[\"']?\*{3,}",
    re.IGNORECASE,
)


def has_host_mask(value: JsonValue) -> bool:
    """Tell whether a value holds a placeholder that stands for a secret that Kata never saw."""
    return next(_find(value, ()), None) is not None


def host_masks(value: JsonValue) -> tuple[Path, ...]:
    """List the leaves that hold such a placeholder."""
    return tuple(_find(value, ()))


def _find(value: JsonValue, path: Path) -> Iterator[Path]:
    if isinstance(value, str):
        if value == "***" or _HOST.search(value):
            yield path
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _find(item, (*path, key))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _find(item, (*path, index))
