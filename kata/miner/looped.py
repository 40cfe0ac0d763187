"""From a frequent window with a folded loop to a routine that walks a list, or the reason why there is none."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import attrs

from ..json import canonical
from ..spec import Ref
from ..templating import Call
from ..templating.arguments import inputs_of
from ..templating.loops import DraftedLoop, LoopTemplate, Part, Rounds, generalise_loops
from ..templating.values import fetch
from .corpus import Corpus
from .counting import Window
from .evidence import Evidence
from .folding import Folded, Walk, walks


@attrs.frozen
class Place:
    """A window of folded items at one place.

    Attributes:
        refs: All of its calls, by place in the history's own corpus.
    """

    start: int
    parts: tuple[Part, ...]
    refs: tuple[int, ...]


@attrs.frozen(kw_only=True)
class LoopedRoutine:
    """A routine with a loop.

    Attributes:
        signatures: Of its steps, bodies once.
        places: Every place where the whole list was walked; the first of each conversation is its evidence.
        template: Made from the evidence.
        elsewhere: Conversations in which the list was walked in part only.
        lengths: How many elements were seen, shortest first.
    """

    signatures: tuple[int, ...]
    evidence: tuple[Place, ...]
    places: tuple[Place, ...]
    template: LoopTemplate
    elsewhere: int
    lengths: tuple[int, ...]


class LoopJudge:
    """Judges folded windows."""

    def __init__(
        self, corpus: Corpus, folded: Folded, evidence: Evidence, min_support: int, max_steps: int
    ) -> None:
        self._corpus = corpus
        self._folded = folded
        self._evidence = evidence
        self._min_support = min_support
        self._max_steps = max_steps

    def judge(self, window: Window) -> LoopedRoutine | None:
        """Make a routine of a window whose loops walk whole lists in enough conversations."""
        names = self._folded.corpus.window(window.starts[0], window.length)
        loops = [at for at, name in enumerate(names) if self._folded.body(name) is not None]
        signatures = tuple(one for name in names for one in self._folded.body(name) or (name,))
        if not loops or loops[0] == 0 or len(signatures) > self._max_steps:
            return None
        places = [
            place
            for start in self._folded.corpus.starts(names)
            for place in self._place(start, window.length)
        ]
        overs = {at: self._over(places, at) for at in loops}
        whole = [
            place for place in places if all(self._is_whole(place, at, over) for at, over in overs.items())
        ]
        first = self._firsts(whole)
        if len(first) < self._min_support or not _repeats(first, loops):
            return None
        return self._routine(signatures, first, whole, places, overs)

    def _routine(
        self,
        signatures: tuple[int, ...],
        first: Sequence[Place],
        whole: Sequence[Place],
        places: Sequence[Place],
        overs: Mapping[int, "Walk | None"],
    ) -> LoopedRoutine | None:
        numbers = _numbers(first[0].parts)
        refs = {
            at: Ref(numbers[at - walk.before], walk.path) for at, walk in overs.items() if walk is not None
        }
        template = generalise_loops([place.parts for place in first], refs)
        if template is None or not _hangs_together(template):
            return None
        lengths = {len(part.calls) for place in first for part in place.parts if isinstance(part, Rounds)}
        return LoopedRoutine(
            signatures=signatures,
            evidence=tuple(first),
            places=tuple(whole),
            template=template,
            elsewhere=len(self._firsts(places)) - len(first),
            lengths=tuple(sorted(lengths)),
        )

    def _place(self, start: int, length: int) -> Iterator[Place]:
        """Load a window's calls; nothing where some were erased."""
        folded = self._folded
        parts: list[Part] = []
        refs: list[int] = []
        for at in range(start, start + length):
            body = folded.body(folded.corpus.signatures[at])
            size = len(body) * folded.rounds[at] if body else 1
            place = folded.corpus.refs[at]
            calls = self._evidence.calls(range(place, place + size))
            if len(calls) < size:
                return
            parts.append(Rounds(_rounds(calls, len(body))) if body else calls[0])
            refs += range(place, place + size)
        yield Place(start, tuple(parts), tuple(refs))

    def _over(self, places: Sequence[Place], at: int) -> Walk | None:
        """Choose the list that most places walk to its end; the earliest step, in document order, among equals."""
        votes: Counter[Walk] = Counter()
        for place in places:
            part = place.parts[at]
            if isinstance(part, Rounds) and len(part.calls) > 1:
                votes.update(walk for walk in self._walks(place, at) if self._is_whole(place, at, walk))
        return min(votes, key=lambda walk: (-votes[walk], -walk.before, *_order(walk)), default=None)

    def _walks(self, place: Place, at: int) -> Iterator[Walk]:
        part = place.parts[at]
        assert isinstance(part, Rounds)
        before = [one if isinstance(one, Call) else Call("", {}, None) for one in place.parts[:at]]
        yield from dict.fromkeys(walks(before, part.calls))

    def _is_whole(self, place: Place, at: int, walk: Walk | None) -> bool:
        """Tell whether a place walks the list from its first element to its last."""
        part = place.parts[at]
        source = place.parts[at - walk.before] if walk is not None else None
        if walk is None or not isinstance(part, Rounds) or not isinstance(source, Call):
            return False
        try:
            elements = fetch(source.result, walk.path)
            wanted = (
                [fetch(element, walk.within) for element in elements] if isinstance(elements, list) else None
            )
        except LookupError:
            return False
        given = [calls[walk.offset].leaves().get(walk.argument) for calls in part.calls]
        return wanted is not None and canonical(wanted) == canonical(given)

    def _firsts(self, places: Sequence[Place]) -> list[Place]:
        found: dict[int, Place] = {}
        for place in places:
            found.setdefault(self._corpus.number_at(place.refs[0]), place)
        return list(found.values())


def _rounds(calls: Sequence[Call], size: int) -> tuple[tuple[Call, ...], ...]:
    return tuple(tuple(calls[at : at + size]) for at in range(0, len(calls), size))


def _order(walk: Walk) -> tuple[str, ...]:
    return (
        canonical(list(walk.path)),
        str(walk.offset),
        canonical(list(walk.argument)),
        canonical(list(walk.within)),
    )


def _repeats(places: Sequence[Place], loops: Sequence[int]) -> bool:
    """Tell whether each loop went round more than once somewhere."""
    return all(
        any(len(part.calls) > 1 for place in places if isinstance(part := place.parts[at], Rounds))
        for at in loops
    )


def _numbers(parts: Sequence[Part]) -> list[int]:
    """Number the parts as the steps of the routine are: a loop takes as many numbers as its body has steps."""
    numbers, following = [], 1
    for part in parts:
        numbers.append(following)
        following += len(part.calls[0]) if isinstance(part, Rounds) else 1
    return numbers


def _hangs_together(template: LoopTemplate) -> bool:
    """Tell whether data flow ties every step after the first, or its answer is used later."""
    used = {part.over.step for part in template.parts if isinstance(part, DraftedLoop)}
    used |= {
        source.step
        for one in template.drafted()
        for leaf in one.leaves
        for source in leaf.sources
        if isinstance(source, Ref)
    }
    given: set[str] = set()
    for part in template.parts:
        names = {
            name
            for one in (part.body if isinstance(part, DraftedLoop) else (part,))
            for name in inputs_of(one.args)
        }
        fed = (
            isinstance(part, DraftedLoop) or any(leaf.sources for leaf in part.leaves) or bool(names & given)
        )
        if part.number > 1 and not fed and part.number not in used:
            return False
        given |= names
    return True
