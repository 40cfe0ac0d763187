"""Templates with loops: steps done once for each element of an earlier list (issue 3, "Loops")."""

from collections.abc import Iterator, Mapping, Sequence

import attrs

from ..json import JsonValue, canonical
from ..spec import Input, Ref
from .arguments import Arguments, replaced_inputs
from .calls import Call
from .generalise import Drafted, commentary, could_see, explain_arguments
from .inputs import Inputs
from .sources import ELEMENT, Earlier
from .values import fetch


@attrs.frozen
class Rounds:
    """What a loop did at one place: the calls of each round, the elements it went over."""

    calls: tuple[tuple[Call, ...], ...]


Part = Call | Rounds
LoopExample = Sequence[Part]


@attrs.frozen(kw_only=True)
class DraftedLoop:
    """A loop of a template under construction; its body's steps are numbered on from its own number."""

    number: int
    over: Ref
    body: tuple[Drafted, ...]
    longest: int


@attrs.frozen(kw_only=True)
class LoopTemplate:
    """What examples with loops have in common."""

    parts: tuple[Drafted | DraftedLoop, ...]
    inputs: Inputs
    examples: int
    misses: frozenset[int]

    @property
    def fit_rate(self) -> float:
        """The share of examples that are reproduced when held out."""
        return (self.examples - len(self.misses)) / self.examples

    def drafted(self) -> Iterator[Drafted]:
        """Yield the steps in order, the bodies of loops once."""
        for part in self.parts:
            yield from part.body if isinstance(part, DraftedLoop) else (part,)


def generalise_loops(examples: Sequence[LoopExample], overs: Mapping[int, Ref]) -> LoopTemplate | None:
    """Make the template of examples whose loops are known to walk a list.

    Args:
        examples: Calls, and `Rounds` where a loop stands; equally many parts each.
        overs: For the index of each loop, the list that it walks.

    Returns:
        The template; None where an argument of a body changes from round to round and no element explains it.
    """
    maker = _Maker(examples, overs)
    parts: list[Drafted | DraftedLoop] = []
    for at in range(len(examples[0])):
        part = maker.loop(at) if at in overs else maker.step(at)
        if part is None:
            return None
        parts.append(part)
    return LoopTemplate(
        parts=tuple(parts), inputs=maker.inputs, examples=len(examples), misses=frozenset(maker.misses)
    )


class _Maker:
    def __init__(self, examples: Sequence[LoopExample], overs: Mapping[int, Ref]) -> None:
        self._examples = examples
        self._overs = overs
        self.inputs = Inputs()
        self.misses: set[int] = set()
        self._plain: dict[int, int] = {}
        self._next = 1

    def step(self, at: int) -> Drafted:
        column = [_call(example[at]) for example in self._examples]
        found = explain_arguments(column, Earlier(self._visible(at), len(column)), self.inputs)
        self.misses |= found.misses
        number = self._take(1)
        self._plain[number] = at
        return _drafted(number, column, found)

    def loop(self, at: int) -> DraftedLoop | None:
        over = self._overs[at]
        rounds = [_rounds(example[at]) for example in self._examples]
        owners = [i for i, one in enumerate(rounds) for _ in one.calls]
        number = self._take(len(rounds[0].calls[0]))
        elements = [
            Call("", {}, element) for i, one in enumerate(rounds) for element in self._elements(i, over, one)
        ]
        sources: dict[int, Sequence[Call]] = {ELEMENT: elements}
        sources |= {earlier: [column[i] for i in owners] for earlier, column in self._visible(at).items()}
        body: list[Drafted] = []
        for offset in range(len(rounds[0].calls[0])):
            column = [calls[offset] for one in rounds for calls in one.calls]
            drafted = self._inner(number + offset, column, sources, owners)
            if drafted is None:
                return None
            body.append(drafted)
            sources = {**sources, number + offset: column}
        return DraftedLoop(
            number=number, over=over, body=tuple(body), longest=max(len(one.calls) for one in rounds)
        )

    def _inner(
        self,
        number: int,
        column: Sequence[Call],
        sources: Mapping[int, Sequence[Call]],
        owners: Sequence[int],
    ) -> Drafted | None:
        inputs = self.inputs.spread(owners)
        known = set(inputs.names())
        found = explain_arguments(column, Earlier(sources, len(column)), inputs)
        renamed: dict[str, Input] = {}
        for name in inputs.names():
            if name not in known:
                values = _one_each(inputs.values(name), owners)
                if values is None:
                    return None
                renamed[name] = self.inputs.take(values, name)
        self.misses |= {owners[i] for i in found.misses}
        return _drafted(number, column, _with_inputs(found, renamed))

    def _visible(self, at: int) -> dict[int, Sequence[Call]]:
        """Collect the plain steps before a part; what a loop answered is seen by its own rounds alone."""
        return {
            number: [_call(example[place]) for example in self._examples]
            for number, place in self._plain.items()
            if all(_could_see(example[at], example[place]) for example in self._examples)
        }

    def _elements(self, example: int, over: Ref, rounds: Rounds) -> list[JsonValue]:
        source = _call(self._examples[example][self._plain[over.step]])
        elements = fetch(source.result, over.path)
        assert isinstance(elements, list)
        return elements[: len(rounds.calls)]

    def _take(self, size: int) -> int:
        number, self._next = self._next, self._next + size
        return number


def _call(part: Part) -> Call:
    assert isinstance(part, Call)
    return part


def _rounds(part: Part) -> Rounds:
    assert isinstance(part, Rounds)
    return part


def _could_see(part: Part, before: Part) -> bool:
    first = part.calls[0][0] if isinstance(part, Rounds) else part
    return could_see(first, _call(before))


def _one_each(values: Sequence[JsonValue], owners: Sequence[int]) -> list[JsonValue] | None:
    """Return one value an example, where it did not change from round to round."""
    found: dict[int, JsonValue] = {}
    for value, owner in zip(values, owners, strict=True):
        if canonical(found.setdefault(owner, value)) != canonical(value):
            return None
    return list(found.values())


def _with_inputs(found: Arguments, renamed: Mapping[str, Input]) -> Arguments:
    if not renamed:
        return found
    leaves = tuple(
        attrs.evolve(leaf, expression=replaced_inputs(leaf.expression, renamed)) for leaf in found.leaves
    )
    return Arguments(replaced_inputs(found.record, renamed), leaves)


def _drafted(number: int, column: Sequence[Call], found: Arguments) -> Drafted:
    return Drafted(
        number=number, tool=column[0].tool, args=found.record, leaves=found.leaves, ignores=commentary(column)
    )
