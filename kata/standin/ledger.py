"""Registrations that can be taken back, each restoring what it replaced."""

from collections.abc import Callable, MutableMapping
from threading import RLock
from typing import Any

import attrs


@attrs.define(eq=False)
class Registration:
    """One registration of a plugin, and the way to undo it.

    Attributes:
        kind: ``tool``, ``hook``, ``command``, ``cli_command``, ``middleware``, ``skill``, ``on_unload`` …
        key: The registered name.
        plugin_key: Whose it is.
    """

    kind: str
    key: str
    release: Callable[[], object]
    plugin_key: str = ""
    _disposed: bool = attrs.field(default=False, init=False)

    @property
    def active(self) -> bool:
        """Tell whether this handle still owns its registration."""
        return not self._disposed

    def dispose(self) -> None:
        """Take the registration back, once; a second call does nothing."""
        if self._disposed:
            return
        self._disposed = True
        self.release()


class Slots:
    """A mapping whose keys remember every entry that was put there, so that each can leave in any order."""

    def __init__(self, mapping: MutableMapping[str, Any]) -> None:
        self.mapping = mapping
        self._chains: dict[str, list[Any]] = {}
        self._lock = RLock()

    def put(self, key: str, entry: Any) -> Callable[[], None]:
        """Put an entry in front and return what takes it out again."""
        with self._lock:
            covered = [self.mapping[key]] if key in self.mapping else []
            known = self._chains.get(key, []) if covered else []
            self._chains[key] = [*(known or covered), entry]
            self.mapping[key] = entry
        return lambda: self._take(key, entry)

    def _take(self, key: str, entry: Any) -> None:
        with self._lock:
            chain = self._chains.get(key, [])
            remaining = [each for each in chain if each is not entry]
            self._chains[key] = remaining
            if self.mapping.get(key) is not entry:
                return
            if remaining:
                self.mapping[key] = remaining[-1]
            else:
                del self.mapping[key]
