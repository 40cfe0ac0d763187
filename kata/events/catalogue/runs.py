"""What a compiled tool did, intent before act (design 8)."""

from datetime import datetime
from enum import StrEnum

import attrs

from ...json import JsonValue
from ..registry import event_type


class RunOutcome(StrEnum):
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    BLOCKED = "blocked"
    UNKNOWN = "unknown"


class StepOutcome(StrEnum):
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    BLOCKED = "blocked"
    UNKNOWN = "unknown"
    SKIPPED = "skipped"


@event_type("run.started")
@attrs.frozen(kw_only=True)
class RunStarted:
    """``inputs`` are masked; ``inputs_fingerprint`` finds a repeat with the same arguments (case B025)."""

    run_id: str
    kata: str
    number: int
    name: str
    version: int
    digest: str
    inputs: JsonValue
    inputs_fingerprint: str
    session_id: str
    task_id: str
    steps: int


@event_type("run.resumed")
@attrs.frozen(kw_only=True)
class RunResumed:
    """A run goes on at a step where an earlier one stopped; ``resumes`` is that run's id, ``element`` as in its steps."""

    run_id: str
    resumes: str
    step: int
    element: int | None = None


@event_type("step.started")
@attrs.frozen(kw_only=True)
class StepStarted:
    """The intent: which call is about to be dispatched, its rendered arguments masked.

    ``index`` counts dispatches from 1; ``step`` is the spec's step number; ``element`` the loop's element from 0.
    """

    run_id: str
    index: int
    step: int
    tool: str
    effect: str
    args: JsonValue
    attempt: int = 1
    element: int | None = None


@event_type("step.finished")
@attrs.frozen(kw_only=True)
class StepFinished:
    """How it ended; ``duration_ms`` leaves out the time Hermes waited for a person; ``result`` is masked and cut."""

    run_id: str
    index: int
    step: int
    outcome: StepOutcome
    reason: str
    exit_code: int | None
    duration_ms: int
    result: JsonValue
    element: int | None = None


@event_type("step.performed")
@attrs.frozen(kw_only=True)
class StepPerformed:
    """Intent and outcome of a read that ended before its intent was written by itself: a step's start and finish in one.

    It occurred when it ended; ``started_at`` is when its intent was taken.
    """

    run_id: str
    index: int
    step: int
    tool: str
    effect: str
    args: JsonValue
    attempt: int
    element: int | None
    started_at: datetime
    outcome: StepOutcome
    reason: str
    exit_code: int | None
    duration_ms: int
    result: JsonValue


@event_type("run.finished")
@attrs.frozen(kw_only=True)
class RunFinished:
    """How a run ended; ``failed_step`` and ``code`` say where and why it stopped.

    Codes: ``step_failed``, ``precondition``, ``denied``, ``unattended``, ``vetoed``, ``effect_exceeded``, ``timeout``,
    ``bad_arguments``, ``stopped``, and those that the executor documents.
    """

    run_id: str
    kata: str
    version: int
    outcome: RunOutcome
    code: str
    reason: str
    failed_step: int | None
    duration_ms: int


@event_type("step.answered_late")
@attrs.frozen(kw_only=True)
class StepAnsweredLate:
    """A timed-out step answered after all."""

    run_id: str
    index: int
    outcome: StepOutcome
    result: JsonValue
    after_ms: int


@event_type("run.acknowledged")
@attrs.frozen(kw_only=True)
class RunAcknowledged:
    """A person allowed a repeat although an earlier run may have done its work."""

    run_id: str
    note: str = ""
