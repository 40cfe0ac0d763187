"""Finding calls that repeat over a list, and folding them into one, so that one routine is not one per length."""

import heapq
from array import array
from collections.abc import Iterator, Sequence

import attrs

from ..json import JsonValue, Path, same
from ..templating import Call
from ..templating.transforms import is_weak
from .corpus import Corpus, Ints
from .evidence import Evidence
from .segments import Run

MAX_BODY = 3
"""Calls of one round."""

LOOKED_AT = 6
"""Conversations in which a repetition is looked into."""

Body = tuple[int, ...]


@attrs.frozen
class Walk:
    """A repetition that goes over a list: which earlier call has it, and which argument follows its elements.

    Attributes:
        before: How many calls before the first round (or parts before the loop, once folded) the list was answered.
        within: The path of what the argument is inside an element.
    """

    before: int
    path: Path
    offset: int
    argument: Path
    within: Path


class Repeats:
    """Bodies that repeat, and where: kept while conversations come and go."""

    def __init__(self, corpus: Corpus, evidence: Evidence) -> None:
        self._corpus = corpus
        self._evidence = evidence
        self._places: dict[Body, dict[int, tuple[int, int]]] = {}
        self._held: dict[int, set[Body]] = {}
        self._known: dict[Body, tuple[tuple[int, int], ...]] = {}
        self._walking: set[Body] = set()
        self._changed: set[Body] = set()

    def note(self, conversation: str) -> None:
        """Look at a conversation again: the first place of each body that repeats in it, and the rounds there."""
        number = self._corpus.number(conversation)
        before = self._held.pop(number, set())
        for body in before:
            del self._places[body][number]
        found: dict[Body, tuple[int, int]] = {}
        for start, end in self._corpus.runs_of(conversation):
            for body, at, rounds in _repeats(self._corpus.signatures[start:end]):
                found.setdefault(body, (start + at, rounds))
        for body, place in found.items():
            self._places.setdefault(body, {})[number] = place
        self._held[number] = set(found)
        self._changed |= before | found.keys()

    def bodies(self) -> list[Body]:
        """List the bodies that repeat over a list in two conversations at least, in order."""
        for body in sorted(self._changed):
            self._look_at(body)
        self._changed.clear()
        return sorted(self._walking, key=lambda body: (len(body), body))

    def _look_at(self, body: Body) -> None:
        """Tell whether a body walks lists, by its first conversations; looked at once for the same ones."""
        places = self._places[body]
        first = tuple(places[number] for number in heapq.nsmallest(LOOKED_AT, places))
        if self._known.get(body) == first:
            return
        self._known[body] = first
        if len(first) > 1 and self._walk_twice(first, len(body)):
            self._walking.add(body)
        else:
            self._walking.discard(body)

    def _walk_twice(self, places: Sequence[tuple[int, int]], size: int) -> bool:
        walking = 0
        for start, rounds in places:
            first = _run_start(self._corpus, start)
            calls = self._evidence.calls(range(first, start + rounds * size))
            if len(calls) == start - first + rounds * size:
                split = start - first
                walking += any(True for _ in walks(calls[:split], _split(calls[split:], size)))
            if walking > 1:
                return True
        return False


def walks(before: Sequence[Call], rounds: Sequence[Sequence[Call]]) -> Iterator[Walk]:
    """Yield every list of an earlier call whose elements an argument goes over in order, from the first."""
    for offset, inner in enumerate(rounds[0]):
        for argument, value in inner.leaves().items():
            values = [one[offset].leaves().get(argument) for one in rounds]
            if not is_weak(value) and not all(same(one, value) for one in values[1:]):
                for at, call in enumerate(before):
                    for path, within in _walked(call, values):
                        yield Walk(len(before) - at, path, offset, argument, within)


def _walked(call: Call, values: Sequence[JsonValue]) -> Iterator[tuple[Path, Path]]:
    for place, _ in call.places(values[0]):
        for cut, part in enumerate(place):
            if part == 0 and isinstance(part, int):
                elements, within = place[:cut], place[cut + 1 :]
                if all(
                    (((*elements, i, *within), None) in call.places(value)) for i, value in enumerate(values)
                ):
                    yield elements, within


def _split(calls: Sequence[Call], size: int) -> list[Sequence[Call]]:
    return [calls[at : at + size] for at in range(0, len(calls), size)]


def _run_start(corpus: Corpus, at: int) -> int:
    while at and corpus.signatures[at - 1] >= 0:
        at -= 1
    return at


def _repeats(signatures: Ints) -> Iterator[tuple[Body, int, int]]:
    """Yield the bodies that repeat in a run, with their place and rounds."""
    for size in range(1, MAX_BODY + 1):
        for start, rounds in _spans(signatures, size):
            body = tuple(signatures[start : start + size])
            if size == 1 or len(set(body)) > 1:
                yield body, start, rounds


def _spans(signatures: Ints, size: int) -> Iterator[tuple[int, int]]:
    """Yield where a body of a size repeats: its first place and the number of rounds."""
    start = length = 0
    for at in range(len(signatures) - size + 1):
        if at + size < len(signatures) and signatures[at] == signatures[at + size]:
            start, length = (start, length + 1) if length else (at, 1)
        elif length:
            if length >= size:
                yield start, length // size + 1
            length = 0


@attrs.frozen
class Folded:
    """The runs with loops, each repetition one item.

    Attributes:
        corpus: The folded runs; a loop's signature is ``first + index of its body``, ``refs`` are places in the history's
            own corpus.
        rounds: How many rounds stand behind each position.
    """

    corpus: Corpus
    bodies: tuple[Body, ...]
    first: int
    rounds: Ints

    def body(self, signature: int) -> Body | None:
        """Return the body behind a loop's signature; None for a plain one."""
        return self.bodies[signature - self.first] if signature >= self.first else None


def fold(corpus: Corpus, bodies: Sequence[Body]) -> Folded:
    """Fold every run that holds one of the bodies."""
    first = max(corpus.signatures, default=0) + 1
    rounds = array("i")
    by_start: dict[int, list[tuple[int, Body]]] = {}
    for number, body in enumerate(bodies):
        by_start.setdefault(body[0], []).append((first + number, body))
    runs: list[Run] = []
    for start, end in _runs(corpus):
        items = list(_items(corpus.signatures, start, end, by_start))
        if any(name >= first for name, _, _ in items):
            turn = corpus.turn[start]
            conversation = corpus.conversations[corpus.conversation_of[turn]]
            names, places, counts = zip(*items, strict=True)
            runs.append(Run(conversation, corpus.turns[turn], names, places, ("",) * len(names)))
            rounds.extend(counts)
            rounds.append(0)
    return Folded(Corpus(runs), tuple(bodies), first, rounds)


def _runs(corpus: Corpus) -> Iterator[tuple[int, int]]:
    for conversation in corpus.conversations:
        yield from corpus.runs_of(conversation)


def _items(
    signatures: Ints, start: int, end: int, by_start: dict[int, list[tuple[int, Body]]]
) -> Iterator[tuple[int, int, int]]:
    """Yield the signature, place and rounds of each item of a run: what covers most is folded."""
    at = start
    while at < end:
        best = (signatures[at], 1, 0)
        for name, body in by_start.get(signatures[at], ()):
            rounds = _count(signatures, at, end, body)
            if rounds and rounds * len(body) > (best[1] if best[2] else 0):
                best = (name, rounds * len(body), rounds)
        yield best[0], at, best[2]
        at += best[1]


def _count(signatures: Ints, at: int, end: int, body: Body) -> int:
    wanted, rounds = array("i", body), 0
    while at + len(body) <= end and signatures[at : at + len(body)] == wanted:
        rounds += 1
        at += len(body)
    return rounds
