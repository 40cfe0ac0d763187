"""Checks that something going wrong stops a run, at every step in turn."""

from collections.abc import Iterator

from ..executor.checks import has_effect
from ..spec import flat_steps
from .rehearsal import Fault, Rehearsal, rehearse
from .report import Verdict, failed, not_run, passed
from .subject import Subject


def failure_handling(subject: Subject) -> Verdict:
    """Check that an injected error stops the run, is not repeated where it had an effect, and skips every later step."""
    return _at_every_call(subject, Fault.ERROR, "failed")


def timeout_handling(subject: Subject) -> Verdict:
    """Check that a hung step times out, is not issued again, and stops the run."""
    return _at_every_call(subject, Fault.HANG, "unknown")


def _at_every_call(subject: Subject, fault: Fault, outcome: str) -> Verdict:
    inputs, results = subject.rehearsable
    clean = rehearse(subject.spec, inputs, results)
    if clean.result.outcome != "succeeded":
        return not_run(f"a rehearsal without a fault ended {clean.result.outcome}: {clean.result.reason}")
    steps = [one.step for one in clean.result.trace if one.outcome == "succeeded"]
    effects = {number: has_effect(step.effect) for number, step in enumerate(flat_steps(subject.spec), 1)}
    for at, step in enumerate(steps):
        made = rehearse(subject.spec, inputs, results, fault=fault, at=at)
        retried = fault is Fault.ERROR and not effects[step]
        for wrong in _wrongs(made, outcome, step, at + (2 if retried else 1)):
            return failed(f"a fault at call {at + 1}: {wrong}")
    return passed(f"tried at each of {len(steps)} calls")


def _wrongs(made: Rehearsal, outcome: str, step: int, calls: int) -> Iterator[str]:
    result = made.result
    if result.outcome != outcome:
        yield f"the run ended {result.outcome}, not {outcome}"
    if result.failed_step != step:
        yield f"the run stopped at step {result.failed_step}, not {step}"
    if len(made.calls) != calls:
        yield f"{len(made.calls)} calls were issued, not {calls}"
    if any(one.outcome != "skipped" for one in result.trace if one.step > step and one.element is None):
        yield "a later step was not skipped"
