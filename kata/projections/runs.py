"""Every run of a compiled tool with its steps, and what follows for the next one (design 4, 8, case B025)."""

from datetime import datetime
from typing import Any

import attrs

from ..events import Event
from ..events.catalogue import (
    RunAcknowledged,
    RunFinished,
    RunResumed,
    RunStarted,
    StepAnsweredLate,
    StepFinished,
    StepPerformed,
    StepStarted,
)
from ..json import JsonValue, dumps, loads
from ..machines import FAILURE_CODES, RUN, RunState, run_trigger
from .codec import moment, moment_text
from .projection import Batch, Projection, Table
from .store import ViewStore


class _Runs(Batch):
    """Follows each run through the run machine; what the machine would not allow moves nothing."""

    def started(self, event: Event) -> None:
        told: RunStarted = event.payload
        if self._next(told.run_id, event) is None:
            return
        self.put(
            "view_runs",
            run_id=told.run_id,
            position=event.position,
            kata=told.kata,
            number=told.number,
            name=told.name,
            version=told.version,
            digest=told.digest,
            inputs=dumps(told.inputs),
            fingerprint=told.inputs_fingerprint,
            session_id=told.session_id,
            task_id=told.task_id,
            steps=told.steps,
            state=str(RunState.RUNNING),
            started_at=moment_text(event.occurred_at),
        )

    def resumed(self, event: Event) -> None:
        told: RunResumed = event.payload
        if self._moved(told.run_id, event):
            self.change("view_runs", {"run_id": told.run_id}, resumes=told.resumes)

    def step_started(self, event: Event) -> None:
        told: StepStarted = event.payload
        if self._moved(told.run_id, event):
            self.put("view_steps", **_intent(told, event.occurred_at))

    def step_finished(self, event: Event) -> None:
        """Note how a step ended, also one that ended without an intent (skipped, or refused before it)."""
        told: StepFinished = event.payload
        if not self._moved(told.run_id, event):
            return
        key = {"run_id": told.run_id, "idx": told.index}
        self.write(
            "INSERT OR IGNORE INTO view_steps (run_id, idx, step, element) VALUES (?, ?, ?, ?)",
            (*key.values(), told.step, told.element),
        )
        self.change("view_steps", key, **_outcome(told))

    def step_performed(self, event: Event) -> None:
        told: StepPerformed = event.payload
        if self._moved(told.run_id, event):
            self.put("view_steps", **_intent(told, told.started_at), **_outcome(told))

    def finished(self, event: Event) -> None:
        told: RunFinished = event.payload
        if self._moved(told.run_id, event):
            self.change(
                "view_runs",
                {"run_id": told.run_id},
                code=told.code,
                reason=told.reason,
                failed_step=told.failed_step,
                finished_at=moment_text(event.occurred_at),
                duration_ms=told.duration_ms,
            )

    def answered_late(self, event: Event) -> None:
        told: StepAnsweredLate = event.payload
        if self._moved(told.run_id, event):
            late = {"outcome": str(told.outcome), "result": told.result, "after_ms": told.after_ms}
            self.change("view_steps", {"run_id": told.run_id, "idx": told.index}, late=dumps(late))

    def acknowledged(self, event: Event) -> None:
        told: RunAcknowledged = event.payload
        if self._moved(told.run_id, event):
            self.change("view_runs", {"run_id": told.run_id}, acknowledged_at=moment_text(event.occurred_at))

    def _moved(self, run_id: str, event: Event) -> bool:
        target = self._next(run_id, event)
        if target is not None:
            self.change("view_runs", {"run_id": run_id}, state=target)
        return target is not None

    def _next(self, run_id: str, event: Event) -> str | None:
        row = self.connection.execute("SELECT state FROM view_runs WHERE run_id = ?", (run_id,)).fetchone()
        return RUN.next(row[0] if row else RUN.initial, str(run_trigger(event)), event.actor.kind)


def _intent(told: StepStarted | StepPerformed, started_at: datetime) -> dict[str, Any]:
    return {
        "run_id": told.run_id,
        "idx": told.index,
        "step": told.step,
        "element": told.element,
        "attempt": told.attempt,
        "tool": told.tool,
        "effect": told.effect,
        "args": dumps(told.args),
        "started_at": moment_text(started_at),
    }


def _outcome(told: StepFinished | StepPerformed) -> dict[str, Any]:
    return {
        "outcome": str(told.outcome),
        "reason": told.reason,
        "exit_code": told.exit_code,
        "duration_ms": told.duration_ms,
        "result": dumps(told.result),
    }


RUNS = Projection(
    name="runs",
    version=3,
    tables={
        "view_runs": Table(
            "run_id TEXT PRIMARY KEY, position INTEGER NOT NULL, kata TEXT NOT NULL, number INTEGER NOT NULL,"
            " name TEXT NOT NULL, version INTEGER NOT NULL, digest TEXT NOT NULL, inputs TEXT NOT NULL,"
            " fingerprint TEXT NOT NULL, session_id TEXT NOT NULL, task_id TEXT NOT NULL, steps INTEGER NOT NULL,"
            " state TEXT NOT NULL, started_at TEXT NOT NULL, code TEXT NOT NULL DEFAULT '',"
            " reason TEXT NOT NULL DEFAULT '', failed_step INTEGER, finished_at TEXT, duration_ms INTEGER,"
            " acknowledged_at TEXT, resumes TEXT NOT NULL DEFAULT ''",
            ("run_id",),
            ("CREATE INDEX IF NOT EXISTS view_runs_kata ON view_runs (kata, position)",),
        ),
        "view_steps": Table(
            "run_id TEXT NOT NULL, idx INTEGER NOT NULL, step INTEGER NOT NULL, element INTEGER,"
            " attempt INTEGER NOT NULL DEFAULT 0, tool TEXT NOT NULL DEFAULT '', effect TEXT NOT NULL DEFAULT '',"
            " args TEXT NOT NULL DEFAULT 'null', started_at TEXT, outcome TEXT NOT NULL DEFAULT '',"
            " reason TEXT NOT NULL DEFAULT '', exit_code INTEGER, duration_ms INTEGER,"
            " result TEXT NOT NULL DEFAULT 'null', late TEXT NOT NULL DEFAULT 'null', PRIMARY KEY (run_id, idx)",
            ("run_id", "idx"),
        ),
    },
    batch=_Runs,
    handlers={
        "run.started": _Runs.started,
        "run.resumed": _Runs.resumed,
        "step.started": _Runs.step_started,
        "step.finished": _Runs.step_finished,
        "step.performed": _Runs.step_performed,
        "run.finished": _Runs.finished,
        "step.answered_late": _Runs.answered_late,
        "run.acknowledged": _Runs.acknowledged,
    },
)


@attrs.frozen
class Run:
    """One run; its fields in the order of the table.

    Attributes:
        kata: The kata's stream.
        inputs: Masked.
        steps: How many steps the version has.
        resumes: The run that this one went on from; empty for one from the first step.
        state: A `kata.machines.RunState`; ``running`` and ``in_step``: under way, or its process died.
    """

    run_id: str
    position: int
    kata: str
    number: int
    name: str
    version: int
    digest: str
    inputs: JsonValue = attrs.field(converter=loads)
    fingerprint: str
    session_id: str
    task_id: str
    steps: int
    state: str
    started_at: datetime = attrs.field(converter=moment)
    code: str
    reason: str
    failed_step: int | None
    finished_at: datetime | None = attrs.field(converter=attrs.converters.optional(moment))
    duration_ms: int | None
    acknowledged_at: datetime | None = attrs.field(converter=attrs.converters.optional(moment))
    resumes: str

    @property
    def is_open(self) -> bool:
        """Tell whether its end was never written."""
        return self.state in (RunState.RUNNING, RunState.IN_STEP)


@attrs.frozen
class RunStep:
    """One dispatch of a run, or a step that ended without one; its fields in the order of the table.

    ``tool``, ``effect`` and ``started_at`` are empty where nothing was dispatched; ``outcome`` is empty while the step is
    under way; ``late`` is what a timed-out call answered after all: ``{outcome, result, after_ms}``.
    """

    run_id: str
    index: int
    step: int
    element: int | None
    attempt: int
    tool: str
    effect: str
    args: JsonValue = attrs.field(converter=loads)
    started_at: datetime | None = attrs.field(converter=attrs.converters.optional(moment))
    outcome: str
    reason: str
    exit_code: int | None
    duration_ms: int | None
    result: JsonValue = attrs.field(converter=loads)
    late: JsonValue = attrs.field(converter=loads)


@attrs.frozen
class RunCounts:
    """How often a kata ran and failed, and its last run."""

    runs: int
    failures: int
    last_at: datetime | None
    last_state: str


NO_RUNS = RunCounts(0, 0, None, "")
_FAILED = f"state = 'failed' AND code IN ({', '.join(repr(code) for code in sorted(FAILURE_CODES))})"


class Runs:
    """Reads the runs."""

    def __init__(self, store: ViewStore) -> None:
        self._store = store

    def one(self, run_id: str) -> Run | None:
        """Return one run."""
        return next(iter(self._found("run_id = ?", run_id)), None)

    def steps(self, run_id: str) -> tuple[RunStep, ...]:
        """Return a run's steps in the order of their dispatch."""
        rows = self._store.query("SELECT * FROM view_steps WHERE run_id = ? ORDER BY idx", (run_id,))
        return tuple(RunStep(*row) for row in rows)

    def latest(self, kata: str = "", *, before: int | None = None, limit: int = 50) -> tuple[Run, ...]:
        """Return runs, the newest first: of one kata's stream, or of all; ``before`` is a position to page by."""
        where = "(? = '' OR kata = ?) AND (? IS NULL OR position < ?)"
        return self._found(where, kata, kata, before, before, limit=limit)

    def counts(self) -> dict[str, RunCounts]:
        """Return the counts of every kata that ever ran, by stream."""
        rows = self._store.query(
            f"SELECT kata, count(*), sum({_FAILED}), started_at, state, max(position) FROM view_runs GROUP BY kata"
        )
        return {
            kata: RunCounts(runs, failures, moment(at), state) for kata, runs, failures, at, state, _ in rows
        }

    def failed_in_a_row(self, kata: str, version: int, after: int) -> tuple[str, ...]:
        """Return the ids of the runs that failed one after another, the oldest first, up to the newest run.

        Only runs of that version that began after a position count (`kata.machines.Kata.activated`); blocked and unknown
        ends and bad arguments neither count nor interrupt (design 4), nor does a success that somebody mended by hand.
        """
        rows = self._store.query(
            f"SELECT run_id, state FROM view_runs WHERE kata = ? AND version = ? AND position > ?"
            f" AND (state = 'succeeded' AND resumes = '' OR {_FAILED}) ORDER BY position DESC",
            (kata, version, after),
        )
        states = [state for _, state in rows]
        length = states.index("succeeded") if "succeeded" in states else len(states)
        return tuple(run_id for run_id, _ in reversed(rows[:length]))

    def unsettled(self, kata: str, fingerprint: str) -> tuple[Run, ...]:
        """Return the runs with these inputs whose end nobody knows and no person acknowledged, the newest first."""
        return self._found(
            "kata = ? AND fingerprint = ? AND state IN ('unknown', 'running', 'in_step')", kata, fingerprint
        )

    def _found(self, where: str, *values: Any, limit: int = -1) -> tuple[Run, ...]:
        sql = f"SELECT * FROM view_runs WHERE {where} ORDER BY position DESC LIMIT ?"
        return tuple(Run(*row) for row in self._store.query(sql, (*values, limit)))
