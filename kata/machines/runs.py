"""One execution of a compiled tool: intent, outcome, and what may follow an unknown end (design 8, case B025)."""

from enum import StrEnum

import attrs

from ..events import Event
from ..events.catalogue import RunOutcome
from .definition import ANYONE, HUMAN, SAME, Definition, Rule, fact

FAILURE_CODES = frozenset({"step_failed", "precondition"})
"""The codes of a failed run (design 4): bad arguments, denials, unattended refusals and unknown ends do not count."""


class RunState(StrEnum):
    """Where a run stands. ``acknowledged``: its end is unknown, and a person allowed a repeat."""

    NONE = "none"
    RUNNING = "running"
    IN_STEP = "in_step"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    BLOCKED = "blocked"
    UNKNOWN = "unknown"
    ACKNOWLEDGED = "acknowledged"


class RunTrigger(StrEnum):
    """What may happen to a run."""

    START = "start"
    RESUME = "resume"
    BEGIN_STEP = "begin_step"
    END_STEP = "end_step"
    PERFORM_STEP = "perform_step"
    SUCCEED = "succeed"
    FAIL = "fail"
    BLOCK = "block"
    LOSE = "lose"
    ANSWER_LATE = "answer_late"
    ACKNOWLEDGE = "acknowledge"


@attrs.frozen(kw_only=True)
class RunFacts:
    """What must be established before a run moves on."""

    process_is_gone: bool = fact("the process that ran it is gone")


_OPEN = (RunState.RUNNING, RunState.IN_STEP)
_LOST = (RunState.UNKNOWN, RunState.ACKNOWLEDGED)

RUN_RULES = (
    Rule((RunState.NONE,), RunTrigger.START, RunState.RUNNING, ANYONE),
    Rule((RunState.RUNNING,), RunTrigger.RESUME, SAME, ANYONE),
    Rule((RunState.RUNNING,), RunTrigger.BEGIN_STEP, RunState.IN_STEP, ANYONE),
    Rule(_OPEN, RunTrigger.END_STEP, RunState.RUNNING, ANYONE),
    Rule((RunState.RUNNING,), RunTrigger.PERFORM_STEP, SAME, ANYONE),
    Rule((RunState.RUNNING,), RunTrigger.SUCCEED, RunState.SUCCEEDED, ANYONE),
    Rule((RunState.RUNNING,), RunTrigger.FAIL, RunState.FAILED, ANYONE),
    Rule((RunState.RUNNING,), RunTrigger.BLOCK, RunState.BLOCKED, ANYONE),
    Rule(_OPEN, RunTrigger.LOSE, RunState.UNKNOWN, ANYONE),
    Rule(_LOST, RunTrigger.ANSWER_LATE, SAME, ANYONE),
    Rule((RunState.UNKNOWN,), RunTrigger.ACKNOWLEDGE, RunState.ACKNOWLEDGED, HUMAN),
    Rule(_OPEN, RunTrigger.ACKNOWLEDGE, RunState.ACKNOWLEDGED, HUMAN, ("process_is_gone",)),
)

RUN = Definition("run", tuple(RunState), RUN_RULES, RunFacts)

_TRIGGERS = {
    "run.started": RunTrigger.START,
    "run.resumed": RunTrigger.RESUME,
    "step.started": RunTrigger.BEGIN_STEP,
    "step.finished": RunTrigger.END_STEP,
    "step.performed": RunTrigger.PERFORM_STEP,
    "step.answered_late": RunTrigger.ANSWER_LATE,
    "run.acknowledged": RunTrigger.ACKNOWLEDGE,
}
_ENDS = {
    RunOutcome.SUCCEEDED: RunTrigger.SUCCEED,
    RunOutcome.FAILED: RunTrigger.FAIL,
    RunOutcome.BLOCKED: RunTrigger.BLOCK,
    RunOutcome.UNKNOWN: RunTrigger.LOSE,
}


def run_trigger(event: Event) -> RunTrigger | None:
    """Return the trigger that a run's event records; None for other events."""
    if event.type == "run.finished":
        return _ENDS[event.payload.outcome]
    return _TRIGGERS.get(event.type)
