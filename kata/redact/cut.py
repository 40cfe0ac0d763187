"""Cut a value to size by its structure, so that JSON stays JSON: the longest texts first, then the tails of lists."""

from collections.abc import Collection, Mapping
from json import JSONEncoder
from json.encoder import encode_basestring_ascii
from typing import Any

from ..json import JsonValue
from .marks import fingerprint, length_hash, mark_spans, truncated_mark
from .survey import Survey
from .values import LongText

CAPS = (64 * 1024, 32 * 1024, 16 * 1024, 8 * 1024, 4 * 1024)
"""How long a text may be, in bytes of ASCII JSON; the next one where the whole is still too long."""

MARK_SIZE = 64
"""At most this many bytes stand for what was cut."""

MOST_BYTES = 12
"""So many bytes of ASCII JSON one character has at most."""

_AT_ONCE = 256
"""So many items of a list are measured together."""

_STEPS = (4096, 256, 16, 1)
"""So many characters of a text are measured together, ever fewer towards the cut."""

_encode = JSONEncoder(separators=(",", ":"), check_circular=False, default=repr).encode


def size(value: JsonValue) -> int:
    """Return how many bytes a value has as compact ASCII JSON."""
    return len(_encode(value))


def text_size(text: str) -> int:
    """Return how many bytes a text has as ASCII JSON; an estimate from below for very long ones."""
    return len(text) + 2 if len(text) > 2 * CAPS[0] else len(encode_basestring_ascii(text))


def fits(value: JsonValue, seen: Survey, limit: int) -> bool:
    """Tell whether nothing of a value has to be cut, as cheaply as can be."""
    if seen.at_most <= CAPS[0]:
        return True
    if _longer(seen.texts, CAPS[0]):
        return False
    return seen.at_most <= limit or (2 * seen.nodes <= limit and size(value) <= limit)


class Cutter:
    """Cuts values with one key.

    Args:
        key: For the hash of what is cut.
        look_ahead: How many characters behind a cut are handed on for masking.
    """

    def __init__(self, key: bytes, look_ahead: int = 0) -> None:
        self._key = key
        self._look_ahead = look_ahead
        self.cut = False

    def fit(self, value: JsonValue, texts: list[str], limit: int) -> JsonValue:
        """Return the value, cut to ``limit`` bytes; ``self.cut`` tells whether anything is missing.

        Args:
            value: The value.
            texts: Every text in it, keys too.
            limit: Bytes of compact ASCII JSON.
        """
        if _longer(texts, CAPS[0]):
            value = self._texts(value, CAPS[0])
        total = size(value)
        if total <= limit:
            return value
        sizes = [min(text_size(text), CAPS[0]) for text in _longer(texts, CAPS[-1])]
        spared = {cap: sum(max(0, each - cap) for each in sizes) for cap in CAPS}
        cap = next((cap for cap in CAPS if total - spared[cap] <= limit), CAPS[-1])
        value = self._texts(value, cap) if spared[cap] else value
        return value if size(value) <= limit else self._tails(value, limit)

    def _texts(self, value: JsonValue, cap: int) -> JsonValue:
        """Cut every text that is longer than ``cap`` bytes."""
        if isinstance(value, str):
            return (
                self._text(value, cap)
                if MOST_BYTES * len(value) > cap - 2 and text_size(value) > cap
                else value
            )
        if isinstance(value, Mapping):
            return {self._texts(key, cap): self._texts(item, cap) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._texts(item, cap) for item in value]
        return value

    def _text(self, text: str, cap: int) -> str:
        self.cut = True
        if isinstance(text, LongText):
            kept = min(text.kept, _characters(text.ahead, cap - MARK_SIZE))
            return LongText.of(text.ahead[: kept + self._look_ahead], kept, text.mark)
        kept = _characters(text, cap - MARK_SIZE)
        mark = truncated_mark(len(text), length_hash(self._key, text))
        if self._look_ahead:
            return LongText.of(text[: kept + self._look_ahead], kept, mark)
        return text[: _before_mark(text, kept)] + mark

    def _tails(self, value: JsonValue, budget: int) -> JsonValue:
        """Keep as many first items as fit into a budget of bytes."""
        if isinstance(value, Mapping):
            return self._object(value, budget)
        if isinstance(value, list | tuple):
            return self._list(list(value), budget)
        return value

    def _list(self, items: list[JsonValue], budget: int) -> JsonValue:
        left = budget - MARK_SIZE
        whole = 0
        while whole < len(items) and (needed := size(items[whole : whole + _AT_ONCE])) <= left:
            left -= needed
            whole += _AT_ONCE
        if whole >= len(items):
            return items
        return [*items[:whole], *self._first(items[whole : whole + _AT_ONCE], left), self._mark(items)]

    def _first(self, items: list[JsonValue], left: int) -> list[JsonValue]:
        """Keep the items that fit, and what fits of the first that does not."""
        kept: list[JsonValue] = []
        for item in items:
            needed = size(item) + 1
            if needed > left:
                part = isinstance(item, Mapping | list | tuple) and left > CAPS[-1]
                return [*kept, self._tails(item, left)] if part else kept
            kept.append(item)
            left -= needed
        return kept

    def _object(self, pairs: Mapping[str, JsonValue], budget: int) -> JsonValue:
        """Share a budget among an object's values: small ones stay whole, the largest are cut alike."""
        left = budget - MARK_SIZE
        needs = {key: text_size(key) + size(item) + 2 for key, item in pairs.items()}
        shares = _shares(needs, left)
        kept: dict[str, JsonValue] = {}
        for key, item in pairs.items():
            whole = needs[key] <= shares[key]
            shrunk = item if whole else self._tails(item, shares[key] - text_size(key) - 2)
            left -= needs[key] if whole else text_size(key) + size(shrunk) + 2
            if left < 0:
                return {**kept, self._mark(list(pairs)): None}
            kept[key] = shrunk
        return kept

    def _mark(self, items: list[Any]) -> str:
        self.cut = True
        return truncated_mark(len(items), fingerprint(self._key, _encode(items)))


def _longer(texts: Collection[str], cap: int) -> list[str]:
    """Return the texts that are longer than so many bytes."""
    if MOST_BYTES * max(map(len, texts), default=0) <= cap - 2:
        return []
    return [text for text in texts if MOST_BYTES * len(text) > cap - 2 and text_size(text) > cap]


def _characters(text: str, budget: int) -> int:
    """Return how many first characters of a text fit into a budget of bytes: each has its own size, whatever is around it."""
    kept, left = 0, budget - 2
    for step in _STEPS:
        while (
            kept < len(text)
            and (needed := len(encode_basestring_ascii(text[kept : kept + step])) - 2) <= left
        ):
            left -= needed
            kept += step
    return min(kept, len(text))


def _before_mark(text: str, kept: int) -> int:
    """Move a cut before the mark that it would split."""
    window = max(0, kept - 2 * MARK_SIZE)
    for start, end in mark_spans(text[window : kept + 2 * MARK_SIZE]):
        if start < kept - window < end:
            return window + start
    return kept


def _shares(sizes: Mapping[str, int], budget: int) -> dict[str, int]:
    """Give each item its size, or an equal share of what the smaller ones leave."""
    shares: dict[str, int] = {}
    left = budget
    for done, (key, needed) in enumerate(sorted(sizes.items(), key=lambda pair: pair[1])):
        shares[key] = min(needed, left // (len(sizes) - done))
        left -= shares[key]
    return shares
