"""Putting the result of a pass together: best first, and the most frequent of what is no routine."""

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable

import attrs

from .corpus import Corpus
from .describe import Describer
from .judge import Rejected
from .selection import Choice, choose
from .types import Found, Mined, Settings

SEEN_KEPT = 60
"""Loose windows that a pass names; the rest are counts."""

_Rank = tuple[int, int, tuple[int, ...]]


class Loose:
    """The windows that are no routines, most frequent first; putting one in takes no walk over the others."""

    def __init__(self) -> None:
        self._ranks: list[_Rank] = []
        self._rejected: dict[tuple[int, ...], tuple[_Rank, Rejected]] = {}

    def __len__(self) -> int:
        return len(self._ranks)

    def put(self, one: Rejected) -> None:
        """Add a window, in the place of what was known of it."""
        self.drop(one.signatures)
        rank = (-one.window.conversations, -one.window.length, one.signatures)
        insort(self._ranks, rank)
        self._rejected[one.signatures] = (rank, one)

    def recount(self, signatures: tuple[int, ...], conversations: int) -> None:
        """Note in how many conversations a window is now."""
        _, one = self._rejected[signatures]
        self.put(attrs.evolve(one, window=attrs.evolve(one.window, conversations=conversations)))

    def drop(self, signatures: tuple[int, ...]) -> None:
        """Forget a window, if it is there."""
        known = self._rejected.pop(signatures, None)
        if known is not None:
            del self._ranks[bisect_left(self._ranks, known[0])]

    def first(self, count: int) -> list[Rejected]:
        """Return the most frequent ones."""
        return [self._rejected[rank[2]][1] for rank in self._ranks[:count]]


def assemble(
    choices: Iterable[Choice],
    nearly: Iterable[Found],
    loose: Loose,
    describe: Describer,
    settings: Settings,
    corpus: Corpus,
) -> Mined:
    """Choose among the routines and say what became of everything."""
    found = sorted(choose(choices, settings.min_support), key=_best_first)
    held = [one for one in found if one.blocked_by]
    held += nearly
    counts = Counter(one.blocked_by[0] for one in held) + Counter({"coherence": len(loose)})
    return Mined(
        candidates=tuple(one for one in found if not one.blocked_by),
        seen=(*held, *map(describe.loose, loose.first(SEEN_KEPT))),
        calls=corpus.calls,
        conversations=corpus.live_conversations,
        counts=dict(sorted(counts.items())),
    )


def _best_first(found: Found) -> tuple[float, int, int, tuple[str, ...], str]:
    return (-found.confidence, -len(found.signatures), -found.support, found.signatures, found.key)
