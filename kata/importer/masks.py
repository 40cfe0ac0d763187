"""Mask what a history repeats once: the same files are read, the same states asked for, in many conversations."""

import marshal

from ..json import JsonValue
from ..redact import Keeper, Kept

SHORT = 4096
"""Bytes up to which a value is remembered."""

MOST = 2048
"""Values that are remembered."""


class Masks:
    """Keeps values as `Keeper.keep` does."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._known: dict[bytes, Kept] = {}

    def keep(self, value: JsonValue) -> Kept:
        """Mask and cut a value; the answer for an equal one of equal types is the same object."""
        key = _key(value)
        if len(key) > SHORT:
            return self._keeper.keep(value)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= MOST:
                self._known.clear()
            found = self._known[key] = self._keeper.keep(value)
        return found


def _key(value: JsonValue) -> bytes:
    """Return what tells a value from every other, quicker than its JSON; too long for what nests too deep."""
    try:
        return marshal.dumps(value, 0)
    except ValueError:
        return bytes(SHORT + 1)
