"""From a template to a spec: effect classes, accepted exit codes and learned preconditions added."""

from collections.abc import Iterator, Sequence

from ..effects import Effect, classify, mentions_kata, shell_command, worst
from ..json import canonical
from ..redact import has_host_mask, is_masked, is_truncated
from ..spec import Const, Spec, Step
from ..templating import Call, Template
from ..templating.arguments import walk_expression
from ..templating.generalise import Drafted
from ..templating.guards import exit_codes, learn_guards
from .evidence import Example
from .timebound import is_spilled


LOOKED_AT = 16
"""Examples whose arguments are searched for what must not be compiled; constants are searched in full."""


def draft_spec(template: Template, examples: Sequence[Example]) -> Spec:
    """Make the spec of a straight routine; tools' digests and the output schema are for those who know the schemas."""
    return Spec(steps=tuple(_step(one, examples) for one in template.steps), inputs=template.inputs)


def _step(drafted: Drafted, examples: Sequence[Example]) -> Step:
    at = drafted.number - 1
    calls = [example[at] for example in examples]
    effect = effect_of(calls)
    results = {number + 1: [example[number].result for example in examples] for number in range(at)}
    return Step(
        tool=drafted.tool,
        args=drafted.args,
        effect=effect,
        accepts=exit_codes(calls),
        requires=learn_guards(drafted.args, effect, results),
        ignores=drafted.ignores,
    )


def effect_of(calls: Sequence[Call]) -> Effect:
    """Return the most serious effect class of recorded calls of one tool."""
    if shell_command(calls[0].tool, calls[0].args) is None:
        return classify(calls[0].tool, calls[0].args).effect
    lines = {shell_command(call.tool, call.args) or "": call for call in calls}
    return worst(classify(call.tool, call.args).effect for call in lines.values())


def obstacles(spec: Spec, examples: Sequence[Example]) -> dict[str, str]:
    """Say what keeps a template from ever being run: masked constants, places that are gone, Kata's own commands."""
    reasons: dict[str, str] = {}
    for number, text in _constants(spec):
        if is_masked(text) or has_host_mask(text):
            reasons["masked_value"] = f"step {number} holds a masked value"
        elif mentions_kata({"": text}) is not None:
            reasons["not_compilable"] = f"step {number} reaches for Kata itself"
        elif is_truncated(text):
            reasons["not_compilable"] = f"step {number} holds a value that was cut when it was recorded"
    for example in examples[:LOOKED_AT]:
        reason = next(_gone(example), None)
        if reason is not None:
            reasons["not_compilable"] = reason
            break
    return reasons


def _constants(spec: Spec) -> Iterator[tuple[int, str]]:
    for number, step in enumerate(spec.steps, 1):
        for inner in (step,) if isinstance(step, Step) else step.body:
            for part in walk_expression(inner.args):
                if isinstance(part, Const):
                    yield number, canonical(part.value) if not isinstance(part.value, str) else part.value


def _gone(example: Example) -> Iterator[str]:
    for number, call in enumerate(example, 1):
        if is_spilled(dict(call.args)):
            yield f"step {number} reads a temporary result file"
        if mentions_kata(call.args) is not None:
            yield f"step {number} reaches for Kata itself"
