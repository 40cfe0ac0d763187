"""Deterministic replay of an approved version (design 8)."""

import time
from collections.abc import Callable
from contextlib import suppress

import attrs

from ..clock import Clock, Ids
from ..events.catalogue import RunOutcome
from . import answer
from .attempt import interrupted, of_let_go
from .checkpoint import Checkpoint, Cursor
from .checks import check_acknowledged, check_arguments
from .ending import INTERNAL, MENDABLE, Ending, StopRunError, unknown
from .handles import Handles
from .journal import Journal
from .limits import Limits
from .protocols import Caller, Dispatcher, Guard, Keeper, Recorder, RunRequest, RunResult
from .run import Run, task_of
from .stopwatch import Stopwatch
from .watcher import Watcher
from .worker import Job, Worker, Workers

LEAVE_S = 2.0
"""Seconds that an interrupted run's own thread gets to notice it."""


@attrs.frozen(eq=False)
class Executor:
    """Runs one request with one dispatcher; threads and handles may be shared by all executors of a process.

    Never raises for what a tool, a guard, the log or the caller does: the result says it. Only an interrupt of the calling
    thread itself (``KeyboardInterrupt``, ``SystemExit``) goes on upwards, once the run is closed.
    """

    dispatcher: Dispatcher
    guard: Guard
    recorder: Recorder
    keeper: Keeper
    clock: Clock
    ids: Ids
    limits: Limits = attrs.field(factory=Limits)
    workers: Workers = attrs.field(factory=Workers, kw_only=True)
    handles: Handles = attrs.field(factory=Handles, kw_only=True)
    sleep: Callable[[float], None] = attrs.field(default=time.sleep, kw_only=True)

    def run(self, request: RunRequest, *, unacknowledged: str | None = None) -> RunResult:
        """Replay a version with the caller's arguments.

        Args:
            request: What to run; whether its kata is active was checked by the caller.
            unacknowledged: The id of an earlier run with the same arguments that ended ``unknown`` and that no person has
                acknowledged; a version that changes something is then not run.
        """
        return self._go(self._begin(request), unacknowledged)

    def resume(
        self, kept: Checkpoint, cursor: Cursor, caller: Caller, *, unacknowledged: str | None = None
    ) -> RunResult:
        """Go on where an earlier run stopped, as a run of its own with the same version and arguments.

        Args:
            kept: Where it stopped; whether its version is still the active one was checked by the caller.
            cursor: What `Checkpoint.cursor` returned.
            caller: Where it was asked for.
            unacknowledged: As in `run`; the runs that this one goes on from are none.
        """
        run = self._begin(attrs.evolve(kept.request, caller=caller))
        run.resume(kept, cursor)
        return self._go(run, unacknowledged)

    def _go(self, run: Run, unacknowledged: str | None) -> RunResult:
        try:
            check_arguments(run.request.spec, run.request.arguments, dict(run.request.renamed))
            check_acknowledged(run.request.spec, unacknowledged)
        except StopRunError as stop:
            return self._result(run, self._close(run, stop))
        worker = self.workers.take()
        try:
            return self._watched(run, worker)
        finally:
            self.workers.give_back(worker)

    def _begin(self, request: RunRequest) -> Run:
        run_id = self.ids.new()
        journal = Journal(self.recorder, self.keeper, request, run_id)
        journal.run_started(task_of(run_id))
        watch = Stopwatch(self.clock)
        return Run(
            request, run_id, self.dispatcher, self.guard, journal, watch, self.limits, sleep=self.sleep
        )

    def _watched(self, run: Run, worker: Worker) -> RunResult:
        watcher = Watcher(self.dispatcher, run.watch, run.leash, self.limits, run.journal.flush)
        job: Job | None = None
        try:
            job = worker.start(self.dispatcher.carry(run.go))
            gone = watcher.watch(job)
        except BaseException as error:
            ending = self._close(run, _cut(run, job, error))
            if isinstance(error, Exception):
                return self._result(run, ending)
            raise
        if gone is None:
            return self._result(run, self._close(run, _stop_of(run, job)), job)
        stop = of_let_go(gone)
        run.abandon(gone.phase, stop)
        return self._result(run, self._close(run, stop))

    def _close(self, run: Run, stop: StopRunError | None) -> Ending:
        """Write what was not reached and how the run ended."""
        ending = Ending(outcome=RunOutcome.SUCCEEDED)
        if stop is not None:
            step = run.at.place.step if run.at is not None else None
            ending = Ending(
                outcome=RunOutcome(stop.outcome.value), code=stop.code, reason=stop.reason, step=step
            )
            run.skip_rest(f"not done: {stop.reason if step is None else f'step {step} {stop.outcome.value}'}")
        run.journal.run_finished(ending, max(0, round(run.watch.read() * 1000)))
        run.leash.close()
        with suppress(Exception):
            self.dispatcher.close()
        return ending

    def _result(self, run: Run, ending: Ending, job: Job | None = None) -> RunResult:
        succeeded = ending.outcome is RunOutcome.SUCCEEDED
        output = job.answer.value if succeeded and job is not None and job.answer is not None else None
        return RunResult(
            run_id=run.run_id,
            outcome=ending.outcome.value,
            code=ending.code,
            reason=ending.reason,
            failed_step=ending.step,
            answer=answer.succeeded(run, output)
            if succeeded
            else answer.stopped(run, ending, self._goes_on(run, ending)),
            trace=tuple(run.trace),
            output=output,
        )

    def _goes_on(self, run: Run, ending: Ending) -> answer.GoesOn | None:
        """Keep where a run stopped, if it may go on once things are mended."""
        kept = run.checkpoint(ending.outcome) if ending.code in MENDABLE else None
        step = kept.offered() if kept is not None else None
        if kept is None or step is None:
            return None
        return answer.GoesOn(handle=self.handles.keep(kept), step=step)


def _cut(run: Run, job: Job | None, error: BaseException) -> StopRunError:
    """Take a run away from its thread, wherever that is, and write where it was."""
    phase = run.leash.cut()
    if phase is None and job is not None:
        job.wait(LEAVE_S)
    stop = interrupted(phase, error)
    run.abandon(phase, stop)
    return stop


def _stop_of(run: Run, job: Job) -> StopRunError | None:
    error = job.answer.raised if job.answer is not None else None
    if error is None or isinstance(error, StopRunError):
        return error
    stop = unknown(INTERNAL, f"{type(error).__name__}: {error}")
    run.end_at(stop)
    return stop
