"""What is checked: one version with its examples, and what the checks share about them."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import attrs

from ..json import JsonObject, JsonValue
from ..spec import Spec
from ..templating import Call, match
from .fresh import unmasked
from .invent import invent_inputs, invent_results
from .parts import Example

HoldOut = Callable[[Spec, Sequence[Example]], float | None]
"""Says which share of the examples a template made of all the others reproduces; None where that cannot be said."""


@attrs.frozen(slots=False, eq=False)
class Subject:
    """One version under check; examples as recorded, with invented secrets in place of the marks.

    Attributes:
        schemas: The schema of each tool as it is now; None where the tool is not here.
        wanted: How many examples the version was made of; more than there are when some expired or were forgotten.
    """

    spec: Spec
    examples: tuple[Example, ...]
    schemas: Mapping[str, JsonObject | None]
    wanted: int
    hold_out: HoldOut

    @cached_property
    def inputs(self) -> tuple[JsonObject | None, ...]:
        """The inputs recovered from each example; None where the version does not issue its calls."""
        return tuple(match(self.spec, example) for example in self.examples)

    @cached_property
    def matched(self) -> tuple[tuple[JsonObject, Example], ...]:
        """The examples that the version reproduces, each with its inputs."""
        pairs = zip(self.inputs, self.examples, strict=True)
        return tuple((inputs, example) for inputs, example in pairs if inputs is not None)

    @property
    def rehearsable(self) -> tuple[JsonObject, list[JsonValue]]:
        """Inputs and results to rehearse with: recorded ones where there are any, else invented ones."""
        for inputs, example in self.matched:
            return inputs, [call.result for call in example]
        return invent_inputs(self.spec), invent_results(self.spec)


def unmasked_example(calls: Sequence[Call]) -> Example:
    """Put invented secrets in the place of the marks in an example."""
    return tuple(
        Call(
            tool=call.tool,
            args=unmasked(dict(call.args)),
            result=unmasked(call.result),
            group=call.group,
            ref=call.ref,
            exit_code=call.exit_code,
            truncated=call.truncated,
        )
        for call in calls
    )
