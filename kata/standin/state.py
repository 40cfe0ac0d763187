"""A plugin's small durable key-value state (``ctx.state``)."""

import hashlib
import json
import re
import threading
from pathlib import Path
from typing import Any, Final

QUOTA_BYTES: Final = 10 * 1024 * 1024
_KEY: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}")


class PluginState:
    """JSON values by key in one file of the plugin's own folder."""

    def __init__(self, home: Path, plugin: str) -> None:
        slug = re.sub(r"[^a-z0-9]+", "-", plugin.lower()).strip("-")
        folder = f"agent-plugin-{slug}-{hashlib.sha256(plugin.encode()).hexdigest()[:8]}"
        self.data_dir = home / "plugin-data" / folder
        self.path = self.data_dir / "state.json"
        self.quota_bytes = QUOTA_BYTES
        self._lock = threading.RLock()

    def get(self, key: str, default: Any = None) -> Any:
        """Read a value.

        Raises:
            ValueError: the key has signs that are not allowed.
        """
        _check(key)
        return self._read().get(key, default)

    def set(self, key: str, value: Any) -> None:
        """Write a value, atomically.

        Raises:
            ValueError: the key is bad, the value is no JSON, or the quota is used up.
        """
        _check(key)
        with self._lock:
            text = _encode({**self._read(), key: value}, key)
            if len(text) > self.quota_bytes:
                raise ValueError(f"plugin state quota exceeded: {len(text)} of {self.quota_bytes} bytes")
            self.data_dir.mkdir(parents=True, exist_ok=True)
            fresh = self.path.with_suffix(".new")
            fresh.write_bytes(text)
            fresh.replace(self.path)

    def _read(self) -> dict[str, Any]:
        try:
            content = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        if not isinstance(content, dict):
            raise RuntimeError(f"cannot parse plugin state {self.path}: no object")
        return content


def _check(key: Any) -> None:
    if not isinstance(key, str) or not _KEY.fullmatch(key) or ".." in key:
        raise ValueError(f"plugin state key {key!r} is not allowed")


def _encode(content: dict[str, Any], key: str) -> bytes:
    try:
        return json.dumps(content, ensure_ascii=False, indent=2).encode()
    except (TypeError, ValueError) as error:
        raise ValueError(f"plugin state value for {key!r} is not JSON-serializable") from error
