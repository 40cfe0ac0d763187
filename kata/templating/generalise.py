"""From recorded examples to a template (design 6.4): seeds from one example, verified on all; pure and deterministic."""

from collections.abc import Sequence

import attrs

from ..spec import InputField, Record
from .arguments import ArgumentExplainer, Arguments, Leaf
from .calls import Call
from .commentary import ignored_keys
from .inputs import Inputs
from .sources import Earlier

Example = Sequence[Call]
"""The calls of one occurrence, in order."""


@attrs.frozen(kw_only=True)
class Drafted:
    """One step of a template under construction.

    Attributes:
        number: The step's number, from 1.
        ignores: Argument keys that are talk about the call.
    """

    number: int
    tool: str
    args: Record
    leaves: tuple[Leaf, ...]
    ignores: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class Template:
    """What the examples have in common.

    Attributes:
        misses: Examples that the template made of all the others does not reproduce; the rest is the fit (design 6.7).
    """

    steps: tuple[Drafted, ...]
    inputs: tuple[InputField, ...]
    examples: int
    misses: frozenset[int]

    @property
    def fit_rate(self) -> float:
        """The share of examples that are reproduced when held out."""
        return (self.examples - len(self.misses)) / self.examples


def generalise(examples: Sequence[Example]) -> Template:
    """Make the template of examples: equally many calls each, of the same tools with the same argument keys.

    Leave-one-out comes with it, linear in the examples: each expression knows the examples that contradict what all the
    others agree on.
    """
    inputs = Inputs()
    steps = tuple(draft_step(examples, at, inputs) for at in range(len(examples[0])))
    misses = frozenset().union(*(leaf.misses for step in steps for leaf in step.leaves))
    return Template(steps=steps, inputs=inputs.fields(), examples=len(examples), misses=misses)


def draft_step(examples: Sequence[Example], at: int, inputs: Inputs) -> Drafted:
    """Explain the arguments of the step at an index by the calls before it."""
    column = [example[at] for example in examples]
    found = explain_arguments(column, earlier(examples, at), inputs)
    return Drafted(
        number=at + 1,
        tool=column[0].tool,
        args=found.record,
        leaves=found.leaves,
        ignores=commentary(column),
    )


def explain_arguments(column: Sequence[Call], sources: Earlier, inputs: Inputs) -> Arguments:
    """Explain the arguments of one step's calls, one an example."""
    skipped = commentary(column)
    args = [{key: value for key, value in call.args.items() if key not in skipped} for call in column]
    return ArgumentExplainer(column[0].tool, sources, inputs).explain(args)


def earlier(examples: Sequence[Example], at: int) -> Earlier:
    """Collect the calls that a step can have seen: those of earlier model requests in every example (case B002)."""
    calls = {
        number + 1: [example[number] for example in examples]
        for number in range(at)
        if all(could_see(example[at], example[number]) for example in examples)
    }
    return Earlier(calls, len(examples))


def could_see(later: Call, before: Call) -> bool:
    """Tell whether a call can have known the result of another: calls announced together cannot feed each other."""
    return not later.group or later.group != before.group


def commentary(column: Sequence[Call]) -> tuple[str, ...]:
    """Return the keys that only talk about the call, in any of the examples."""
    return tuple(sorted(frozenset().union(*(ignored_keys(call.tool, call.args) for call in column))))
