"""Whether one more occurrence leaves a template as it is, so that nothing has to be made anew."""

import attrs

from ..effects import Effect, classify, exceeds
from ..json import JsonValue
from ..spec import Const, Input, InputField, Ref, Spec, Step
from ..templating import match
from ..templating.arguments import Leaf
from ..templating.generalise import Drafted
from ..templating.guards import holds
from ..templating.inputs import schema_of
from ..templating.sources import gives
from .evidence import Example

SETTLED = 20
"""Examples from which on a routine is only made anew when a new one does not fit, or they have grown by a quarter."""

GROWTH = 1.25


def is_due(support: int, judged_at: int) -> bool:
    """Tell whether the evidence has grown so much that everything is looked at again."""
    return support < SETTLED or support >= GROWTH * judged_at


@attrs.frozen
class Settled:
    """A straight routine whose template has stood the test of many examples.

    Attributes:
        made_from: How many examples the template was made from.
    """

    spec: Spec
    steps: tuple[Drafted, ...]
    made_from: int

    def takes(self, example: Example) -> bool:
        """Tell whether an occurrence is reproduced, separates no ambiguous sources and breaks nothing that was learned."""
        inputs = match(self.spec, example)
        if inputs is None or not all(_has_type(field, inputs.get(field.name)) for field in self.spec.inputs):
            return False
        results = {number: call.result for number, call in enumerate(example, 1)}
        return all(
            isinstance(step, Step)
            and not exceeds(classify(call.tool, call.args).effect, Effect(step.effect))
            and (call.exit_code or 0) in step.accepts
            and all(holds(one, results) for one in step.requires)
            for step, call in zip(self.spec.steps, example, strict=True)
        ) and all(
            _is_as_ambiguous(leaf, example, at) for at, step in enumerate(self.steps) for leaf in step.leaves
        )


def _has_type(field: InputField, value: JsonValue) -> bool:
    """Tell whether a value adds nothing to what is known of an input's type."""
    known, here = field.schema.get("type"), schema_of([value])
    kinds = known if isinstance(known, list) else [known]
    if value == "" and "minLength" in field.schema:
        return False
    return here["type"] in kinds and here.get("items") in (None, field.schema.get("items"))


def _is_as_ambiguous(leaf: Leaf, example: Example, at: int) -> bool:
    """Tell whether the sources that were not chosen still agree with the one that was."""
    if not leaf.ambiguous or isinstance(leaf.expression, Input):
        return True
    if isinstance(leaf.expression, Const | Ref):
        value = example[at].leaves().get(leaf.path)
        return all(_gives(example, source, value) for source in leaf.ambiguous if isinstance(source, Ref))
    return False


def _gives(example: Example, source: Ref, value: JsonValue) -> bool:
    return gives(example[source.step - 1], (source.path, source.transform), value)
