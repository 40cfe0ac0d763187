"""What ties a step to the routine: data flow, or a fixed argument that is fixed here and not everywhere (design 6.6)."""

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Protocol

import attrs

from ..json import JsonValue, Path, same
from ..spec import Ref
from ..templating import Call
from ..templating.arguments import INPUT, inputs_of
from ..templating.generalise import Drafted, Example, Template, could_see, earlier
from ..templating.sources import Earlier, Source
from ..templating.tokens import common_prefix
from ..templating.transforms import is_weak

NOTHING = object()


@attrs.frozen
class Beginning:
    """What all texts of an argument begin with."""

    text: str


class Surroundings(Protocol):
    """What the rest of the history says about a window's steps."""

    def is_usual(self, at: int, path: Path, value: JsonValue) -> bool:
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


def template_ties(template: Template, examples: Sequence[Example], around: Surroundings) -> Ties | int:
    """Say the same of a finished template: what really feeds its steps, or the index of one that hangs loose."""
    size = len(template.steps)
    feeders: list[frozenset[int]] = [frozenset()] * size
    for at in range(size - 1, 0, -1):
        feeders[at] = _fed_by(template, at) or _members(
            examples, at, _input_columns(template.steps[at], examples)
        )
        if not feeders[at] and not any(at in one for one in feeders) and not _is_fixed(examples, at, around):
            return at
    return Ties(tuple(feeders))


def _fed_by(template: Template, at: int) -> frozenset[int]:
    sources = {_index(source) for leaf in template.steps[at].leaves for source in leaf.sources}
    wanted = set(inputs_of(template.steps[at].args))
    given = {before for before in range(at) if wanted & set(inputs_of(template.steps[before].args))}
    return frozenset(sources | given)


def _input_columns(step: Drafted, examples: Sequence[Example]) -> list[list[JsonValue]]:
    at = step.number - 1
    paths = [leaf.path for leaf in step.leaves if leaf.became == INPUT]
    columns = [[example[at].leaves().get(path) for example in examples] for path in paths]
    return [values for values in columns if not is_weak(values[0])]


class Glance:
    """A quick look at a few examples: what may feed a step, rather too much than too little.

    Among more examples, what is the same in all of them is no value handed on.
    """

    def __init__(self, examples: Sequence[Example], among: Sequence[Example] = ()) -> None:
        self._examples = examples
        self._among = among or examples
        self._feeders: dict[int, frozenset[int]] = {}

    def feeders(self, at: int) -> frozenset[int]:
        """Return the indexes of the earlier steps that may feed a step, in each example."""
        if at not in self._feeders:
            varying = self._varying(at)
            found = _may_feed(self._examples[0], at, varying)
            for example in self._examples[1:]:
                found = found and found & _may_feed(example, at, varying)
            self._feeders[at] = found
        return self._feeders[at]

    def _varying(self, at: int) -> frozenset[Path]:
        """Return the argument leaves of a step that are not plainly the same everywhere."""
        first, *others = (example[at].leaves() for example in self._among)
        return frozenset(
            path
            for path, value in first.items()
            if not others or not all(same(one.get(path), value) for one in others)
        )

    def loose(self, is_fixed: Callable[[int], bool]) -> int | None:
        """Return the index of a step that plainly nothing can tie, if there is one.

        Args:
            is_fixed: Tells of the step at an index whether a fixed argument ties it.
        """
        needed: set[int] = set()
        for at in range(len(self._examples[0]) - 1, 0, -1):
            feeders = self.feeders(at)
            needed |= feeders
            if not feeders and at not in needed and not is_fixed(at):
                return at
        return None

    def ties(self) -> Ties:
        """Return what may feed the steps."""
        return Ties(tuple(self.feeders(at) for at in range(len(self._examples[0]))))


def _may_feed(example: Example, at: int, varying: AbstractSet[Path]) -> frozenset[int]:
    strong = [(path, value) for path, value in example[at].leaves().items() if not is_weak(value)]
    scalars = [(path in varying, value) for path, value in strong if isinstance(value, str | int | float)]
    return frozenset(
        [
            before
            for before in range(at)
            if could_see(example[at], example[before])
            and any(_may_hold(example[before], value, varies) for varies, value in scalars)
        ]
    )


def _may_hold(call: Call, value: JsonValue, varies: bool) -> bool:
    return (varies and value in call.leaves().values()) or call.may_hold(value)


def _feeders(examples: Sequence[Example], at: int) -> frozenset[int]:
    """Find some steps whose results or arguments stand in the arguments of a step, in the simplest way that there is."""
    sources = earlier(examples, at)
    columns = [[example[at].leaves().get(path) for example in examples] for path in examples[0][at].leaves()]
    strong = [values for values in columns if not is_weak(values[0])]
    for look in (_whole, _inside, partial(_shared, examples, at)):
        found = frozenset(step for values in strong for step in look(values, sources))
        if found:
            return found
    return _members(examples, at, strong)


def _whole(values: Sequence[JsonValue], sources: Earlier) -> Iterator[int]:
    return map(_index, sources.first_seed(values))


def _inside(values: Sequence[JsonValue], sources: Earlier) -> Iterator[int]:
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


def _shared(examples: Sequence[Example], at: int, values: Sequence[JsonValue], _: Earlier) -> Iterator[int]:
    """Yield the earlier steps that were given the same varying value."""
    if all(same(value, values[0]) for value in values):
        return
    for before in range(at):
        for path, value in examples[0][before].leaves().items():
            if same(value, values[0]) and all(
                same(example[before].leaves().get(path), one)
                for example, one in zip(examples, values, strict=True)
            ):
                yield before


def _is_fixed(examples: Sequence[Example], at: int, around: Surroundings) -> bool:
    return is_fixed([example[at] for example in examples], at, around)


def is_fixed(calls: Sequence[Call], at: int, around: Surroundings) -> bool:
    """Tell whether an argument of a step is the same in all of its calls, and that says something."""
    fixed = [(path, _constant(calls, path)) for path in calls[0].leaves()]
    known = [(path, text) for path, text in fixed if text is not NOTHING]
    return bool(known) and (
        around.follows(at) or any(not around.is_usual(at, path, value) for path, value in known)
    )


def _constant(calls: Sequence[Call], path: Path) -> JsonValue:
    """Return what all calls have at a path: a value, a beginning of more than one word, or nothing."""
    values = [call.leaves().get(path) for call in calls]
    if all(same(value, values[0]) for value in values):
        return values[0]
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) < len(values):
        return NOTHING
    begin = texts[0][: common_prefix(texts)]
    return Beginning(begin) if len(begin.split()) > 1 else NOTHING
