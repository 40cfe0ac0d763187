"""Recorded examples in one line each."""

from collections.abc import Sequence
from typing import Any

from kata.spec import Spec, Step
from kata.templating import Call, Template, generalise, match, show


def call(tool: str, args: dict[str, Any], result: Any = None, group: str = "") -> Call:
    return Call(tool, args, result, group)


def spec_of(template: Template) -> Spec:
    steps = tuple(
        Step(tool=one.tool, args=one.args, effect="read", ignores=one.ignores) for one in template.steps
    )
    return Spec(steps=steps, inputs=template.inputs)


def learned(examples: Sequence[Sequence[Call]], step: int = 2) -> str:
    """Return the argument template of a step, as people see it, once every example is seen to be reproduced."""
    template = generalise(examples)
    for example in examples:
        assert match(spec_of(template), example) is not None, show(template.steps[step - 1].args)
    return show(template.steps[step - 1].args)
