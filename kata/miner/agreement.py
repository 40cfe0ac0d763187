"""Occurrences that mean the same work, where the same tools were sometimes used otherwise.

Equal signatures do not make equal work: chance puts the same tools side by side, and people use two tools in two ways. The
largest part that is wired alike is the routine; what was wired otherwise counts against it (design 6.7), what hangs loose
does not.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

import attrs

from ..json import JsonValue, Path, canonical
from ..templating.calls import Place
from ..templating.generalise import Example, could_see
from ..templating.transforms import is_weak
from .coherence import Glance

MOST = 0.6
"""The share of the examples that the agreeing part must have."""

Wire = tuple[int, Path, int, Place]
"""A step and its argument leaf, and the earlier step and place that hold its value."""


@attrs.frozen
class Agreement:
    """Which examples agree, and how many are real counter-examples."""

    members: tuple[int, ...]
    against: int


def agreeing(examples: Sequence[Example]) -> Agreement | None:
    """Find the examples that share, for each step that has any, the wire that most examples have; None where few do."""
    wires = [frozenset(_wires(example)) for example in examples]
    votes = Counter(wire for one in wires for wire in one)
    chosen = _chosen(votes, len(examples))
    members = tuple(i for i, one in enumerate(wires) if chosen <= one)
    if not chosen or len(members) < MOST * len(examples):
        return None
    others = [example for i, example in enumerate(examples) if i not in set(members)]
    return Agreement(members, sum(Glance([other]).loose(lambda _: False) is None for other in others))


def _chosen(votes: Counter[Wire], count: int) -> set[Wire]:
    """Choose the wires of each step with the most votes, the first in order among equals."""
    best: dict[int, Wire] = {}
    for wire in sorted(votes, key=_order):
        at = wire[0]
        if votes[wire] >= MOST * count and (at not in best or votes[wire] > votes[best[at]]):
            best[at] = wire
    return set(best.values())


def _order(wire: Wire) -> tuple[int, str, int, str]:
    at, path, number, place = wire
    return at, canonical(list(path)), number, canonical([list(place[0]), place[1]])


def _wires(example: Example) -> Iterator[Wire]:
    for at, call in enumerate(example):
        for path, value in call.leaves().items():
            if not is_weak(value):
                for number, place in _places(example, at, value):
                    yield at, path, number, place


def _places(example: Example, at: int, value: JsonValue) -> Iterator[tuple[int, Place]]:
    for before in range(at):
        if could_see(example[at], example[before]):
            for place in example[before].places(value):
                yield before, place
