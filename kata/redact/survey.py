"""One quick look over a value: its texts, how deep it is, how large it can be at most."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from ..json import JsonValue
from .marks import fingerprint, truncated_mark

MAX_DEPTH = 100
"""Levels of nesting that are kept."""

MAX_NODES = 20_000
"""Values of one event that are kept: what a text of 256 KiB holds, unless it was made to be slow."""


NO_LIMIT = 1 << 62
_HASHED = 64
"""So many first items of a list that was cut go into its mark's hash."""


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


def survey(value: JsonValue, most: int = NO_LIMIT) -> Survey:
    """Look over a value of any depth; where it is made of more than so many values, only at its upper levels."""
    texts: list[str] = []
    nodes = deepest = digits = 0
    level: list[JsonValue] = [value]
    while level:
        nodes += len(level)
        if nodes > most:
            break
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
            elif kind is int:
                digits += item.bit_length() // 3 + 2
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
        seen = survey(value, MAX_NODES)
        return truncated_mark(seen.nodes, fingerprint(key, "\0".join(seen.texts)))
    if isinstance(value, Mapping):
        return {name: flattened(item, key, depth + 1) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [flattened(item, key, depth + 1) for item in value]
    return value


def thinned(value: JsonValue, key: bytes, most: int = MAX_NODES) -> JsonValue:
    """Keep so many values of a value, so that nothing of what is left out has to be looked at.

    What is small stays; large lists and objects share the rest, and keep their first items. A mark says how many items
    there were; its hash is of what is kept.
    """
    kept, _ = _thin(value, key, most)
    return kept


def _thin(value: JsonValue, key: bytes, most: int) -> tuple[JsonValue, int]:
    """Return what is kept, and how many values that is."""
    kind = type(value)
    if kind is list or isinstance(value, list | tuple):
        return _thin_list(value, key, most)
    if kind is dict or isinstance(value, Mapping):
        return _thin_object(value, key, most)
    return value, 1


def _thin_object(pairs: Mapping[str, JsonValue], key: bytes, most: int) -> tuple[JsonValue, int]:
    first = dict(islice(pairs.items(), most))
    large = [name for name, item in first.items() if isinstance(item, Mapping | list | tuple)]
    left, used = most - len(first), len(first) + 1
    for done, name in enumerate(large):
        first[name], took = _thin(first[name], key, max(1, left // (len(large) - done)))
        left, used = left - took, used + took
    if len(first) < len(pairs):
        first[truncated_mark(len(pairs), fingerprint(key, "\0".join(first)))] = None
    return first, used


_LEAVES = frozenset({str, int, float, bool, type(None)})


def _thin_list(items: Sequence[JsonValue], key: bytes, most: int) -> tuple[JsonValue, int]:
    kept: list[JsonValue] = []
    used = 1
    for item in items:
        if used >= most:
            kept.append(truncated_mark(len(items), fingerprint(key, repr(kept[:_HASHED]))))
            break
        if type(item) in _LEAVES or not item:
            kept.append(item)
            used += 1
            continue
        thin, took = _thin(item, key, most - used)
        kept.append(thin)
        used += took
    return kept, used
