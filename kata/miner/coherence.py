"""What ties a step to the routine: data flow, or a fixed argument that is fixed here and not everywhere (design 6.6)."""

from collections.abc import Iterator, Sequence
from typing import Protocol

import attrs

from ..json import JsonValue, Path, same
from ..spec import Ref
from ..templating import Call
from ..templating.generalise import Example, earlier
from ..templating.sources import Earlier, Source
from ..templating.tokens import MIN_CONSTANT, common_prefix
from ..templating.transforms import is_weak


NOTHING = object()


@attrs.frozen
class Beginning:
    """What all texts of an argument begin with."""

    text: str


class Surroundings(Protocol):
    """What the rest of the history says about a window's steps."""

    def is_usual(self, call: Call, path: Path, value: JsonValue) -> bool:
        """Tell whether an argument has this value, or this `Beginning`, nearly wherever its tool is called."""
        ...

    def follows(self, at: int) -> bool:
        """Tell whether the step at an index follows the one before it in three quarters of all its occurrences."""
        ...


MEMBERS = 16
"""Examples in which an element of a list is looked for at a varying place."""


@attrs.frozen
class Ties:
    """For each step of a window, the indexes of the earlier steps that may feed it."""

    feeders: tuple[frozenset[int], ...]

    def used(self, at: int) -> bool:
        """Tell whether a later step may use what a step answered, or what it was given."""
        return any(at in one for one in self.feeders)


def find_ties(examples: Sequence[Example], around: Surroundings) -> Ties | int:
    """Say what ties the steps of a window, or the index of one that hangs loose.

    From the last step backwards, since what nothing ties is most often there, and a step whose result is used later is
    tied by that.
    """
    size = len(examples[0])
    feeders: list[frozenset[int]] = [frozenset()] * size
    for at in range(size - 1, 0, -1):
        feeders[at] = _feeders(examples, at)
        if not feeders[at] and not any(at in one for one in feeders) and not _is_fixed(examples, at, around):
            return at
    return Ties(tuple(feeders))


def _feeders(examples: Sequence[Example], at: int) -> frozenset[int]:
    """Find the steps whose results or arguments may stand in the arguments of a step."""
    sources = earlier(examples, at)
    columns = [[example[at].leaves().get(path) for example in examples] for path in examples[0][at].leaves()]
    strong = [values for values in columns if not is_weak(values[0])]
    found = frozenset(step for values in strong for step in (*_flows(values, sources), *_shared(examples, at, values)))
    return found or _members(examples, at, strong)


def _flows(values: Sequence[JsonValue], sources: Earlier) -> Iterator[int]:
    for source in sources.whole(values).full:
        yield _index(source)
    if all(isinstance(value, str) for value in values):
        for mark in sources.inside(values)[0]:
            yield from map(_index, mark.sources)


def _members(examples: Sequence[Example], at: int, columns: Sequence[Sequence[JsonValue]]) -> frozenset[int]:
    few = examples[:MEMBERS]
    sources = earlier(few, at)
    found = (sources.member_of(values[:MEMBERS]) for values in columns)
    return frozenset(_index(source) for source in found if source is not None)


def _index(source: Source) -> int:
    assert isinstance(source, Ref)
    return source.step - 1


def _shared(examples: Sequence[Example], at: int, values: Sequence[JsonValue]) -> Iterator[int]:
    """Yield the earlier steps that were given the same varying value."""
    if all(same(value, values[0]) for value in values):
        return
    for before in range(at):
        for path, value in examples[0][before].leaves().items():
            if same(value, values[0]) and all(
                same(example[before].leaves().get(path), one) for example, one in zip(examples, values, strict=True)
            ):
                yield before


def _is_fixed(examples: Sequence[Example], at: int, around: Surroundings) -> bool:
    calls = [example[at] for example in examples]
    fixed = [(path, _constant(calls, path)) for path in calls[0].leaves()]
    known = [(path, text) for path, text in fixed if text is not NOTHING]
    return bool(known) and (
        around.follows(at) or any(not around.is_usual(calls[0], path, value) for path, value in known)
    )


def _constant(calls: Sequence[Call], path: Path) -> JsonValue:
    """Return what all calls have at a path: a value, the beginning of a text, or nothing."""
    values = [call.leaves().get(path) for call in calls]
    if all(same(value, values[0]) for value in values):
        return values[0]
    if not all(isinstance(value, str) for value in values):
        return NOTHING
    begin = common_prefix(values)
    return Beginning(values[0][:begin]) if begin >= MIN_CONSTANT else NOTHING
