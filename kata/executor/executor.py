"""Deterministic replay of an approved version (design 8)."""

import time
from collections.abc import Callable
from contextlib import suppress

import attrs

from ..clock import Clock, Ids
from ..events.catalogue import RunOutcome
from ..json import JsonValue
from ..spec import flat_steps
from . import answer
from .calls import Calls
from .checks import check_acknowledged, check_arguments
from .ending import INTERNAL, NOT_PREPARED, STOPPED, Ending, StopRunError, blocked
from .journal import Journal
from .limits import Limits
from .protocols import Dispatcher, Guard, Keeper, Recorder, RunRequest, RunResult
from .run import Run
from .worker import Workers


@attrs.frozen(eq=False)
class Executor:
    """Runs one request with one dispatcher; the worker threads may be shared by all executors of a process.

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
    sleep: Callable[[float], None] = attrs.field(default=time.sleep, kw_only=True)

    def run(self, request: RunRequest, *, unacknowledged: str | None = None) -> RunResult:
        """Replay a version with the caller's arguments.

        Args:
            request: What to run; whether its kata is active was checked by the caller.
            unacknowledged: The id of an earlier run with the same arguments that ended ``unknown`` and that no person has
                acknowledged; a version that changes something is then not run.
        """
        run_id = self.ids.new()
        task_id = f"kata-{run_id}"
        journal = Journal(self.recorder, self.keeper, request, run_id)
        calls = Calls(self.dispatcher, self.clock, self.limits, self.workers, self.sleep)
        run = Run(request, task_id, self.dispatcher, self.guard, journal, calls, self.limits)
        journal.run_started(task_id)
        output: JsonValue = None
        ending = _INTERRUPTED
        try:
            output, ending = self._replay(run, task_id, unacknowledged)
            if ending.outcome is not RunOutcome.SUCCEEDED:
                run.skip_rest(f"not done: {_why(ending)}")
        finally:
            journal.run_finished(ending, round(calls.watch.read() * 1000))
            calls.close()
            self._close_dispatcher()
        return RunResult(
            run_id=run_id,
            outcome=ending.outcome.value,
            code=ending.code,
            reason=ending.reason,
            failed_step=ending.step,
            answer=_answer(run, run_id, ending, output),
            trace=tuple(run.trace),
            output=output,
        )

    def _replay(self, run: Run, task_id: str, unacknowledged: str | None) -> tuple[JsonValue, Ending]:
        try:
            check_arguments(run.request.spec, run.request.arguments)
            check_acknowledged(run.request.spec, unacknowledged)
            self._prepare(run.request, task_id)
            return run.go(), Ending(outcome=RunOutcome.SUCCEEDED)
        except StopRunError as stop:
            return None, Ending(
                outcome=RunOutcome(stop.outcome.value), code=stop.code, reason=stop.reason, step=_step_of(run)
            )
        except Exception as error:
            outcome = RunOutcome.UNKNOWN if run.at is not None else RunOutcome.BLOCKED
            reason = f"{type(error).__name__}: {error}"
            return None, Ending(outcome=outcome, code=INTERNAL, reason=reason, step=_step_of(run))

    def _prepare(self, request: RunRequest, task_id: str) -> None:
        tools = tuple(dict.fromkeys(step.tool for step in flat_steps(request.spec)))
        try:
            self.dispatcher.prepare(task_id, request.caller, tools)
        except Exception as error:
            raise blocked(NOT_PREPARED, str(error) or type(error).__name__) from error

    def _close_dispatcher(self) -> None:
        with suppress(Exception):
            self.dispatcher.close()


_INTERRUPTED = Ending(outcome=RunOutcome.UNKNOWN, code=STOPPED, reason="the run's own thread was interrupted")


def _step_of(run: Run) -> int | None:
    return run.at.place.step if run.at is not None else None


def _why(ending: Ending) -> str:
    return ending.reason if ending.step is None else f"step {ending.step} {ending.outcome.value}"


def _answer(run: Run, run_id: str, ending: Ending, output: JsonValue) -> str:
    if ending.outcome is RunOutcome.SUCCEEDED:
        return answer.succeeded(run, run_id, output)
    return answer.stopped(run, run_id, ending)
