"""The host's configuration file, and the part of it that a plugin may read and write."""

import json
import re
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from .yamlish import load

_SEGMENT: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,127}")
_RESERVED: Final = frozenset({"model", "plugins", "security", "settings"})
_MISSING: Final = object()


class Settings:
    """``<home>/config.yaml``, read afresh each time; written as JSON, which is YAML."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()

    def read(self) -> dict[str, Any]:
        """Return the whole configuration; an absent file is an empty one."""
        try:
            content = load(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        return content if isinstance(content, dict) else {}

    def get(self, path: str, default: Any = None) -> Any:
        """Look up a dotted path."""
        return _walk(self.read(), path.split("."), default)

    def set(self, path: str, value: Any) -> None:
        """Write one value at a dotted path, atomically."""
        self.merge(_nested(path.split("."), value))

    def merge(self, partial: Mapping[str, Any]) -> None:
        """Merge a tree of values into the file, atomically."""
        with self._lock:
            text = json.dumps(_merged(self.read(), partial), indent=2, ensure_ascii=False)
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fresh = self.path.with_suffix(".new")
            fresh.write_text(text + "\n", encoding="utf-8")
            fresh.replace(self.path)

    def plugin_get(self, plugin: str, key: str, default: Any = None) -> Any:
        """Read ``plugins.entries.<plugin>.settings.<key>``, or the older ``config`` beside it.

        Raises:
            ValueError: the key is no relative one.
        """
        segments = _segments(key)
        entry = _walk(self.read(), ("plugins", "entries", plugin), {})
        value = _walk(entry, ("settings", *segments), _MISSING)
        return _walk(entry, ("config", *segments), default) if value is _MISSING else value

    def plugin_set(self, plugin: str, key: str, value: Any) -> None:
        """Write ``plugins.entries.<plugin>.settings.<key>``.

        Raises:
            ValueError: the key is no relative one.
        """
        self.merge(_nested(("plugins", "entries", plugin, "settings", *_segments(key)), value))


def _segments(key: Any) -> tuple[str, ...]:
    segments = tuple(key.split(".")) if isinstance(key, str) else ()
    fits = bool(segments) and all(_SEGMENT.fullmatch(each) for each in segments)
    if not fits or segments[0].lower() in _RESERVED:
        raise ValueError(f"expected a plugin-relative config key such as 'endpoint', not {key!r}")
    return segments


def _walk(value: Any, path: Any, default: Any) -> Any:
    for part in path:
        if not isinstance(value, Mapping) or part not in value:
            return default
        value = value[part]
    return value


def _nested(path: Any, value: Any) -> dict[str, Any]:
    for part in reversed(tuple(path)):
        value = {part: value}
    return dict(value)


def _merged(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    both = {key: _merged(old[key], value) for key, value in new.items() if _mappings(old.get(key), value)}
    return {**old, **new, **both}


def _mappings(*values: Any) -> bool:
    return all(isinstance(value, Mapping) for value in values)
