"""Mask what a history holds many at a time: most has nothing to hide, and much is repeated."""

from collections.abc import Iterator, Sequence

from ..json import JsonValue
from ..redact import Keeper, Kept
from ..redact.exact import exact

TOGETHER = (64, 8)
"""Values that are looked over at once; where one of them has something to hide, fewer at a time."""

SHORT = 4096
"""Bytes up to which a value is remembered."""

MOST = 2048
"""Values that are remembered."""


class Masks:
    """Keeps values as `Keeper.keep` does."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._known: dict[bytes, Kept] = {}

    def keep_all(self, values: Sequence[JsonValue]) -> Iterator[Kept]:
        """Mask and cut values; those that have nothing to hide nor to cut are passed over together."""
        return self._kept(values, TOGETHER)

    def _kept(self, values: Sequence[JsonValue], together: Sequence[int]) -> Iterator[Kept]:
        if not together:
            yield from map(self.keep, values)
            return
        for start in range(0, len(values), together[0]):
            some = values[start : start + together[0]]
            if self._keeper.are_plain(some):
                yield from [Kept(value, (), False) for value in some]
            else:
                yield from self._kept(some, together[1:])

    def keep(self, value: JsonValue) -> Kept:
        """Mask and cut a value; the answer for an equal one of equal types is the same object."""
        key = exact(value, SHORT)
        if key is None:
            return self._keeper.keep(value)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= MOST:
                self._known.clear()
            found = self._known[key] = self._keeper.keep(value)
        return found
