"""Checks that tell the reviewer what a version rests on and what it does."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ..effects import Classification, Effect, classify, exceeds
from ..effects.classes import RUNS_CODE, SENSITIVE_PATH
from ..json import JsonValue
from ..spec import Loop, Spec, Step, flat_steps
from ..templating import Scope, TemplateError, render_step
from .parts import parts_of
from .report import NONE_LEFT, Verdict, failed, not_run, passed, warning
from .subject import Subject
from .tools import skeleton


def recorded_examples(subject: Subject) -> Verdict:
    """Check that there are recordings to check against, with the calls of the version."""
    kept, wanted = len(subject.examples), max(subject.wanted, len(subject.examples))
    if not kept:
        return not_run(NONE_LEFT)
    if any(parts_of(subject.spec, example) is None for example in subject.examples):
        return failed("an example has other calls than the version")
    if kept < wanted:
        return warning(f"{kept} of {wanted} examples are still kept")
    return passed(f"{kept} examples")


def side_effects(subject: Subject) -> Verdict:
    """Check that no recorded or re-rendered call does more than its step says, and tell what the steps do."""
    flags: dict[str, None] = {}
    for number, step, found in _classified(subject):
        if exceeds(found.effect, Effect(step.effect)):
            return failed(f"step {number} is {found.effect} ({found.reason}), not {step.effect}")
        flags.update(
            (f"step {number} {flag}", None) for flag in found.flags if flag in (RUNS_CODE, SENSITIVE_PATH)
        )
    counts = Counter(step.effect for step in flat_steps(subject.spec))
    told = ", ".join(f"{counts[one.value]} {one.value}" for one in Effect if counts[one.value])
    return warning("; ".join((told, *flags))) if flags else passed(told)


def _classified(subject: Subject) -> Iterator[tuple[int, Step, Classification]]:
    for number, step in enumerate(flat_steps(subject.spec), 1):
        call = skeleton(step)
        if not call.unknown:
            yield number, step, classify(step.tool, call.args)
    for inputs, example in subject.matched:
        yield from _of_example(subject.spec, inputs, [call.result for call in example])


def _of_example(
    spec: Spec, inputs: Any, results: list[JsonValue]
) -> Iterator[tuple[int, Step, Classification]]:
    if any(isinstance(one, Loop) for one in spec.steps):
        return
    known = dict(enumerate(results, 1))
    for number, step in enumerate(flat_steps(spec), 1):
        try:
            args = render_step(step, Scope(inputs=inputs, results=known))
        except TemplateError:
            continue
        yield number, step, classify(step.tool, args)
