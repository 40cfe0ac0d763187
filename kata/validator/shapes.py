"""Checks of the input and output schemas against the recordings."""

from collections.abc import Sequence

from ..json import JsonObject, JsonValue, show_path
from ..schemas import SchemaError, accepts, learn, usable, violations
from ..spec import Spec
from .invent import invent_inputs
from .parts import Example, recorded_output
from .report import NONE_LEFT, Verdict, failed, not_run, passed
from .subject import Subject


def input_schema(subject: Subject) -> Verdict:
    """Check that the input schema accepts the recorded inputs and rejects a call that lacks one."""
    schema = subject.spec.input_schema()
    if not usable(schema):
        return failed("the input schema cannot be used")
    for inputs, _ in subject.matched:
        for fault in violations(schema, dict(inputs)):
            return failed(f"a recorded input is rejected: {show_path(fault.path)}: {fault.message}")
    sample = dict(subject.matched[0][0]) if subject.matched else invent_inputs(subject.spec)
    return _rejects_incomplete(schema, sample)


def _rejects_incomplete(schema: JsonObject, sample: JsonObject) -> Verdict:
    for name in schema["required"]:
        if accepts(schema, {key: value for key, value in sample.items() if key != name}):
            return failed(f"a call without {name} is accepted")
    if accepts(schema, {**sample, "not an input": 1}):
        return failed("a call with an unknown input is accepted")
    return passed(f"{len(schema['properties'])} inputs, {len(schema['required'])} of them required")


def output_schema(subject: Subject) -> Verdict:
    """Check that the output schema accepts what every recording ended with."""
    if not usable(subject.spec.output):
        return failed("the output schema cannot be used")
    if not subject.examples:
        return not_run(NONE_LEFT)
    for example in subject.examples:
        try:
            faults = violations(subject.spec.output, recorded_output(subject.spec, example))
        except SchemaError as error:
            return failed(str(error))
        if faults:
            return failed(f"a recorded result is rejected: {show_path(faults[0].path)}: {faults[0].message}")
    return passed("the last step's recorded results are accepted")


def learn_output(spec: Spec, examples: Sequence[Example]) -> dict[str, JsonValue]:
    """Learn the output schema of a version from its recordings."""
    return learn([recorded_output(spec, example) for example in examples])
