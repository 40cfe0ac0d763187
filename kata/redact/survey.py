"""One quick look over a value: its texts, how deep it is, how large it can be at most."""

from collections.abc import Mapping
from typing import NamedTuple

from ..json import JsonValue
from .marks import fingerprint, truncated_mark

MAX_DEPTH = 100
"""Levels of nesting that are kept."""


class Survey(NamedTuple):
    """What a look over a value shows.

    Attributes:
        texts: Every text in it, keys too, in no promised order.
        nodes: How many values it is made of.
        depth: How many levels of objects and lists stand in each other.
        digits: How long its numbers are together, at most.
    """

    texts: list[str]
    nodes: int
    depth: int
    digits: int

    @property
    def at_most(self) -> int:
        """Return a bound from above for its bytes of compact ASCII JSON."""
        return 12 * sum(map(len, self.texts)) + 8 * self.nodes + 4 * len(self.texts) + self.digits


def survey(value: JsonValue) -> Survey:
    """Look over a value of any depth."""
    texts: list[str] = []
    nodes = deepest = digits = 0
    level: list[JsonValue] = [value]
    while level:
        nodes += len(level)
        below: list[JsonValue] = []
        for item in level:
            kind = type(item)
            if kind is str:
                texts.append(item)
            elif kind is dict:
                texts += item
                below += item.values()
            elif kind is list:
                below += item
            else:
                digits += _other(item, texts, below)
        deepest += bool(below)
        level = below
    return Survey(texts, nodes, deepest, digits)


def _other(item: JsonValue, texts: list[str], below: list[JsonValue]) -> int:
    """Look at what is no plain text, object or list; return how long it is as a number."""
    if isinstance(item, str):
        texts.append(item)
    elif isinstance(item, Mapping):
        texts += item
        below += item.values()
    elif isinstance(item, list | tuple):
        below += item
    else:
        return item.bit_length() // 3 + 2 if isinstance(item, int) else 24
    return 0


def flattened(value: JsonValue, key: bytes, depth: int = 0) -> JsonValue:
    """Replace what stands deeper than is kept by a mark of what was cut."""
    if isinstance(value, Mapping | list | tuple) and depth > MAX_DEPTH:
        seen = survey(value)
        return truncated_mark(seen.nodes, fingerprint(key, "\0".join(seen.texts)))
    if isinstance(value, Mapping):
        return {name: flattened(item, key, depth + 1) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [flattened(item, key, depth + 1) for item in value]
    return value
