"""What is kept of a value: masked, and cut to size (design 7)."""

from collections.abc import Sequence

from ..json import JsonValue
from .cut import CAPS, Cutter, fits
from .exact import exact
from .marks import fingerprint
from .masker import Masker
from .search import Search
from .survey import MAX_DEPTH, MAX_NODES, Survey, flattened, survey, thinned
from .values import Finding, Kept, Masked

MAX_VALUE = CAPS[0]
"""Bytes of ASCII JSON that are kept of one text."""

MAX_EVENT = 256 * 1024
"""Bytes of ASCII JSON that are kept of one event."""

REPEATED = 512
"""Bytes up to which a value is remembered that has nothing to hide."""

MOST_REPEATED = 1024

LOOK_AHEAD = 16 * 1024
"""Characters behind a cut in which a secret that crosses it is still found."""


class Keeper:
    """Decides with one key what of a tool call goes into the log.

    Args:
        key: The key beside the log; with it equal secrets keep equal marks in every process.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._masker = Masker(key)
        self._plain: set[bytes] = set()

    def keep(self, value: JsonValue) -> Kept:
        """Mask a value and cut what is too long; never raises for JSON values.

        Args:
            value: Decoded JSON (text that holds JSON is looked into as text). It is not changed.

        Returns:
            The value to store, at most 256 KiB of JSON and 64 KiB a text, what was masked in it (by path, kind and
            fingerprint), and whether anything was cut. Each cut text or list says so itself, with its length and a
            keyed hash.
        """
        key = exact(value, REPEATED)
        if key in self._plain:
            return Kept(value, (), False)
        kept = self._looked_at(value)
        if key is not None and not kept.masked and not kept.truncated:
            self._remember(key)
        return kept

    def _looked_at(self, value: JsonValue) -> Kept:
        seen = survey(value, MAX_NODES)
        if seen.depth > MAX_DEPTH or seen.nodes > MAX_NODES:
            small = thinned(flattened(value, self._key) if seen.depth > MAX_DEPTH else value, self._key)
            return self._keep(small, survey(small))._replace(truncated=True)
        return self._keep(value, seen)

    def _keep(self, value: JsonValue, seen: Survey) -> Kept:
        cutter = Cutter(self._key, LOOK_AHEAD)
        if fits(value, seen, MAX_EVENT):
            masked = self._masker.mask_seen(value, seen.texts)
        else:
            masked = self._masker.mask(cutter.fit(value, seen.texts, MAX_EVENT))
        return self._within(masked, cut=cutter.cut)

    def _remember(self, key: bytes) -> None:
        """Keep short values in which there is nothing to hide: calls are made again, with the same paths and answers."""
        if len(self._plain) >= MOST_REPEATED:
            self._plain.clear()
        self._plain.add(key)

    def _within(self, masked: Masked, *, cut: bool) -> Kept:
        """Cut once more where marks have made a value longer than may be kept."""
        if not masked.found:
            return Kept(masked.value, (), cut)
        again = Cutter(self._key)
        seen = survey(masked.value)
        kept = (
            masked.value
            if fits(masked.value, seen, MAX_EVENT)
            else again.fit(masked.value, seen.texts, MAX_EVENT)
        )
        return Kept(kept, masked.found, cut or again.cut)

    def are_plain(self, values: Sequence[JsonValue]) -> bool:
        """Tell whether there is nothing to mask or cut in any of some values, by one look over all of them together.

        False says only that each has to be looked at by itself.
        """
        whole = list(values)
        seen = survey(whole, MAX_NODES)
        if seen.depth > MAX_DEPTH or seen.nodes > MAX_NODES or not fits(whole, seen, MAX_EVENT):
            return False
        return Search("\n".join(dict.fromkeys(seen.texts))).idle

    def keep_call(self, args: JsonValue, result: JsonValue) -> tuple[Kept, Kept]:
        """Keep the two halves of one tool call, which share the size of an event.

        A secret that is plain in one half (under a telling name) is masked in the other too.
        """
        whole = self.keep({"args": args, "result": result})
        value = whole.value if isinstance(whole.value, dict) else {}
        return _half(whole, "args", value.get("args")), _half(whole, "result", value.get("result"))

    def fingerprint(self, text: str) -> str:
        """Return the keyed fingerprint of a text: ten hex digits, equal for equal texts."""
        return fingerprint(self._key, text)


def _half(whole: Kept, name: str, value: JsonValue) -> Kept:
    found = tuple(
        Finding(each.path[1:], each.kind, each.fingerprint)
        for each in whole.masked
        if each.path[:1] == (name,)
    )
    return Kept(value, found, whole.truncated)
