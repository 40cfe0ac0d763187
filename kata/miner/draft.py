"""From a template to a spec: effect classes, accepted exit codes and learned preconditions added."""

from collections.abc import Iterator, Mapping, Sequence

from ..effects import Effect, classify, mentions_kata, shell_command, worst
from ..json import JsonValue, canonical
from ..redact import has_host_mask, is_masked, is_truncated
from ..spec import Const, Loop, Record, Spec, Step, StepOrLoop
from ..templating import Call, Template, goes_into_a_sample
from ..templating.arguments import walk_expression
from ..templating.generalise import Drafted
from ..templating.guards import exit_codes, learn_guards
from ..templating.loops import DraftedLoop, LoopExample, LoopTemplate, Rounds
from .evidence import Example
from .timebound import is_spilled

LEAST_LIMIT = 10
"""Rounds that a loop of reads may always make; else twice the longest list seen. With effects: the longest seen."""

LOOKED_AT = 16
"""Examples whose arguments are searched for what must not be compiled; constants are searched in full."""


def draft_spec(template: Template, examples: Sequence[Example]) -> Spec:
    """Make the spec of a straight routine; tools' digests and the output schema are for those who know the schemas."""
    return Spec(steps=tuple(_step(one, examples) for one in template.steps), inputs=template.inputs)


def draft_loops(template: LoopTemplate, examples: Sequence[LoopExample]) -> Spec:
    """Make the spec of a routine with loops."""
    results: dict[int, list[JsonValue]] = {}
    steps: list[StepOrLoop] = []
    for part, column in zip(template.parts, zip(*examples, strict=True), strict=True):
        if isinstance(part, DraftedLoop):
            steps.append(_loop(part, [one for one in column if isinstance(one, Rounds)], results))
        else:
            calls = [one for one in column if isinstance(one, Call)]
            steps.append(_drafted(part, calls, results))
            results = {**results, part.number: [call.result for call in calls]}
    return Spec(steps=tuple(steps), inputs=template.inputs.fields())


def _loop(part: DraftedLoop, rounds: Sequence[Rounds], results: Mapping[int, Sequence[JsonValue]]) -> Loop:
    owners = [i for i, one in enumerate(rounds) for _ in one.calls]
    spread = {number: [column[i] for i in owners] for number, column in results.items()}
    body = [
        _drafted(inner, [calls[offset] for one in rounds for calls in one.calls], spread)
        for offset, inner in enumerate(part.body)
    ]
    reads = all(step.effect in (Effect.READ, Effect.NETWORK_READ) for step in body)
    return Loop(
        over=part.over, limit=max(LEAST_LIMIT, 2 * part.longest) if reads else part.longest, body=tuple(body)
    )


def _step(drafted: Drafted, examples: Sequence[Example]) -> Step:
    at = drafted.number - 1
    results = {number + 1: [example[number].result for example in examples] for number in range(at)}
    return _drafted(drafted, [example[at] for example in examples], results)


def _drafted(drafted: Drafted, calls: Sequence[Call], results: Mapping[int, Sequence[JsonValue]]) -> Step:
    effect = effect_of(calls)
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
    for number, text, args in _constants(spec):
        if is_masked(text) or (has_host_mask(text) and not goes_into_a_sample(args)):
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


def _constants(spec: Spec) -> Iterator[tuple[int, str, Record]]:
    for number, step in enumerate(spec.steps, 1):
        for inner in (step,) if isinstance(step, Step) else step.body:
            for part in walk_expression(inner.args):
                if isinstance(part, Const):
                    text = part.value if isinstance(part.value, str) else canonical(part.value)
                    yield number, text, inner.args


def _gone(example: Example) -> Iterator[str]:
    for number, call in enumerate(example, 1):
        if is_spilled(dict(call.args)):
            yield f"step {number} reads a temporary result file"
        if mentions_kata(call.args) is not None:
            yield f"step {number} reaches for Kata itself"
