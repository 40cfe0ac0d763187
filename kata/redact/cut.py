"""Cut a value to size by its structure, so that JSON stays JSON: the longest texts first, then the tails of lists."""

from collections.abc import Iterable, Iterator, Mapping
from json.encoder import encode_basestring_ascii
from typing import Any

from ..json import JsonValue
from .marks import fingerprint, mark_spans, truncated_mark
from .survey import Survey
from .values import LongText

CAPS = (64 * 1024, 32 * 1024, 16 * 1024, 8 * 1024, 4 * 1024)
"""How long a text may be, in bytes of ASCII JSON; the next one where the whole is still too long."""

MARK_SIZE = 64
"""At most this many bytes stand for what was cut."""


def size(value: JsonValue) -> int:
    """Return how many bytes a value has as compact ASCII JSON; an estimate from below for very long texts."""
    if isinstance(value, str):
        return text_size(value)
    if isinstance(value, Mapping):
        return 2 + sum(text_size(key) + size(item) + 2 for key, item in value.items())
    if isinstance(value, list | tuple):
        return 2 + sum(size(item) + 1 for item in value)
    return len(str(value)) + 1


def fits(value: JsonValue, seen: Survey, limit: int) -> bool:
    """Tell whether nothing of a value has to be cut, as cheaply as can be."""
    if seen.at_most <= CAPS[0]:
        return True
    if any(6 * len(text) > CAPS[0] and text_size(text) > CAPS[0] for text in seen.texts):
        return False
    return seen.at_most <= limit or size(value) <= limit


def text_size(text: str) -> int:
    """Return how many bytes a text has as ASCII JSON."""
    return len(text) + 2 if len(text) > 2 * CAPS[0] else len(encode_basestring_ascii(text))


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

    def fit(self, value: JsonValue, limit: int) -> JsonValue:
        """Return the value, cut to about ``limit`` bytes; ``self.cut`` tells whether anything is missing."""
        texts = sorted(_text_sizes(value), reverse=True)
        rest = size(value) - sum(texts)
        cap = next((cap for cap in CAPS if rest + _capped(texts, cap) <= limit), CAPS[-1])
        capped = self._texts(value, cap)
        return self._tails(capped, limit) if rest + _capped(texts, cap) > limit else capped

    def _texts(self, value: JsonValue, cap: int) -> JsonValue:
        """Cut every text that is longer than ``cap`` bytes."""
        if isinstance(value, str):
            return value if text_size(value) <= cap else self._text(value, cap)
        if isinstance(value, Mapping):
            return {self._texts(key, cap): self._texts(item, cap) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._texts(item, cap) for item in value]
        return value

    def _text(self, text: str, cap: int) -> str:
        self.cut = True
        kept = _characters(text, cap - MARK_SIZE)
        mark = truncated_mark(len(text), fingerprint(self._key, text))
        if self._look_ahead:
            return LongText.of(text[: kept + self._look_ahead], kept, mark)
        return text[: _before_mark(text, kept)] + mark

    def _tails(self, value: JsonValue, budget: int) -> JsonValue:
        """Keep as many first items as fit into a budget of bytes."""
        if isinstance(value, Mapping):
            return self._object(value, budget)
        if isinstance(value, list):
            return self._list(value, budget)
        return value

    def _list(self, items: list[JsonValue], budget: int) -> JsonValue:
        kept: list[JsonValue] = []
        left = budget - MARK_SIZE
        for item in items:
            needed = size(item) + 1
            if needed > left:
                if isinstance(item, Mapping | list) and left > CAPS[-1]:
                    kept.append(self._tails(item, left))
                return [*kept, self._mark(items)]
            kept.append(item)
            left -= needed
        return kept

    def _object(self, pairs: Mapping[str, JsonValue], budget: int) -> JsonValue:
        """Share a budget among an object's values: small ones stay whole, the largest are cut alike."""
        left = budget - MARK_SIZE
        shares = _shares({key: text_size(key) + size(item) + 2 for key, item in pairs.items()}, left)
        kept: dict[str, JsonValue] = {}
        for key, item in pairs.items():
            whole = text_size(key) + size(item) + 2 <= shares[key]
            shrunk = item if whole else self._tails(item, shares[key] - text_size(key) - 2)
            left -= text_size(key) + size(shrunk) + 2
            if left < 0:
                return {**kept, self._mark(list(pairs)): None}
            kept[key] = shrunk
        return kept

    def _mark(self, items: list[Any]) -> str:
        self.cut = True
        return truncated_mark(len(items), fingerprint(self._key, repr(items)))


def _text_sizes(value: JsonValue) -> Iterator[int]:
    if isinstance(value, str):
        yield text_size(value)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield text_size(key)
            yield from _text_sizes(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _text_sizes(item)


def _capped(texts: Iterable[int], cap: int) -> int:
    return sum(min(each, cap) for each in texts)


def _characters(text: str, budget: int) -> int:
    """Return how many first characters of a text fit into a budget of bytes."""
    kept = min(len(text), budget)
    while kept and (over := len(encode_basestring_ascii(text[:kept])) - budget) > 0:
        kept -= max(1, over // 6)
    return kept


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
