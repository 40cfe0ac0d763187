"""One run, step after step: render, check, ask, write the intent, call, judge, write the outcome (design 8).

`Run.go` is done by a worker thread. Once the watcher has let go of it, the run belongs to the watcher: it calls `abandon`,
and the worker's thread only hands a late answer to the journal.
"""

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import attrs

from ..events.catalogue import StepOutcome
from ..json import JsonObject, JsonValue
from ..spec import Loop, Step, flat_steps
from ..templating import Scope, TemplateError, decode_result, render
from . import ending as codes
from .attempt import Attempt, after_stop, of_answer, of_stop
from .checks import check_preconditions, check_verdict, has_effect, numbered, rendered, with_defaults
from .ending import StopRunError, blocked, failed
from .journal import Journal, Place
from .leash import Doing, Leash, LetGoError, Phase
from .limits import Limits
from .protocols import Dispatcher, Guard, RunRequest, StepTrace
from .stopwatch import Stopwatch
from .worker import Answer, answer_of

CLOSE_S = 60.0
"""Seconds that a late answer waits for the end of its run to be written."""


@attrs.frozen
class Done:
    """One call that was made (or was about to be), with its live values."""

    place: Place
    args: JsonObject | None = None
    result: JsonValue = None


def task_of(run_id: str) -> str:
    """Return the one fresh task of a run."""
    return f"kata-{run_id}"


class Run:
    """The state of one run; `go` raises `StopRunError` where it ends early."""

    def __init__(
        self,
        request: RunRequest,
        run_id: str,
        dispatcher: Dispatcher,
        guard: Guard,
        journal: Journal,
        watch: Stopwatch,
        limits: Limits,
        *,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.request, self.run_id, self._task_id = request, run_id, task_of(run_id)
        self._dispatcher, self._guard, self.journal = dispatcher, guard, journal
        self.watch, self._limits, self._sleep = watch, limits, sleep
        self.leash = Leash()
        self.inputs: Mapping[str, JsonValue] = with_defaults(request.spec, request.arguments)
        self.results: dict[int, JsonValue] = {}
        self.elements: list[JsonValue] = []
        self.done: list[Done] = []
        self.trace: list[StepTrace] = []
        self.at: Done | None = None

    def go(self) -> JsonValue:
        """Do every step in order and return the last one's result.

        Raises:
            StopRunError: the run ended early.
            LetGoError: it was taken away from this thread.
        """
        self._prepare()
        number = 1
        for one in self.request.spec.steps:
            if isinstance(one, Loop):
                self._loop(number, one)
                number += len(one.body)
            else:
                self.results[number] = self._step(number, one, self.scope())
                number += 1
        return self.results[number - 1]

    def scope(self, element: JsonValue = None) -> Scope:
        """Return what expressions can see now."""
        return Scope(inputs=self.inputs, results=self.results, element=element)

    def abandon(self, phase: Phase | None, stop: StopRunError) -> None:
        """Write the end of the step in which the run was taken away from its thread."""
        if phase is None or phase.place is None:
            return
        self.at = Done(phase.place, phase.args)
        duration_ms = self._since(phase.began)
        index = phase.index if phase.doing is Doing.CALLING else None
        self._write_end(phase.place, of_stop(stop), index, duration_ms)
        self._note(phase.place, stop.outcome, stop.reason, duration_ms)

    def end_at(self, stop: StopRunError) -> None:
        """Write the end of the step in which something of Kata's own went wrong."""
        if self.at is not None:
            self._end_without_call(self.at.place, stop.outcome, stop.reason)

    def skip_rest(self, why: str) -> None:
        """Write every step that was not reached."""
        begun = self.at.place.step if self.at is not None else 0
        for number, step in numbered(self.request.spec):
            if number > begun:
                place = Place(step=number, tool=step.tool, effect=step.effect)
                self._end_without_call(place, StepOutcome.SKIPPED, why)

    def _prepare(self) -> None:
        tools = tuple(dict.fromkeys(step.tool for step in flat_steps(self.request.spec)))
        phase = Phase(doing=Doing.PREPARING, began=self.watch.read(), deadline=self._limits.total_s)
        call = partial(self._dispatcher.prepare, self._task_id, self.request.caller, tools)
        error = self._blocking(phase, call).raised
        if error is not None:
            raise blocked(codes.NOT_PREPARED, str(error) or type(error).__name__) from error

    def _loop(self, number: int, loop: Loop) -> None:
        place = Place(step=number, tool=loop.body[0].tool, effect=loop.body[0].effect)
        self.at = Done(place)
        try:
            self.elements = self._elements(loop)
        except StopRunError as stop:
            self._end_without_call(place, stop.outcome, stop.reason)
            raise
        if not self.elements:
            self._end_without_call(place, StepOutcome.SKIPPED, "the list is empty")
        collected: dict[int, list[JsonValue]] = {number + offset: [] for offset in range(len(loop.body))}
        for index, element in enumerate(self.elements):
            for inner in collected:
                self.results.pop(inner, None)
            scope = self.scope(element)
            for inner, step in enumerate(loop.body, number):
                self.results[inner] = self._step(inner, step, scope, index)
                collected[inner].append(self.results[inner])
        self.results.update(collected)

    def _elements(self, loop: Loop) -> list[JsonValue]:
        try:
            found = render(loop.over, self.scope())
        except TemplateError as error:
            raise failed(codes.PRECONDITION, str(error)) from error
        found = decode_result(found) if isinstance(found, str) else found
        if not isinstance(found, list):
            raise failed(codes.PRECONDITION, "what the loop goes over is no list")
        if len(found) > loop.limit:
            reason = f"the list has {len(found)} elements, at most {loop.limit} were approved"
            raise failed(codes.PRECONDITION, reason)
        return found

    def _step(self, number: int, step: Step, scope: Scope, element: int | None = None) -> JsonValue:
        place = Place(step=number, tool=step.tool, effect=step.effect, element=element)
        self.at = Done(place)
        try:
            args = self._checked(place, step, scope)
        except StopRunError as stop:
            self._end_without_call(place, stop.outcome, stop.reason)
            raise
        result = self._issue(place, step, args)
        self.done.append(Done(place, args, result))
        return result

    def _checked(self, place: Place, step: Step, scope: Scope) -> dict[str, JsonValue]:
        if self._dispatcher.stopped():
            raise blocked(codes.STOPPED, "stopped by the user")
        if self._is_late():
            raise blocked(codes.OUT_OF_TIME, f"the run reached its limit of {self._limits.total_s:g} s")
        args = rendered(step, scope)
        self.at = Done(place, args)
        check_preconditions(step, scope)
        self._ask_guard(place, step, args)
        return args

    def _ask_guard(self, place: Place, step: Step, args: JsonObject) -> None:
        phase = Phase(
            doing=Doing.ASKING, began=self.watch.read(), deadline=self._limits.total_s, place=place, args=args
        )
        answer = self._blocking(
            phase, partial(self._guard.ask, step.tool, args, self._task_id, self.request.caller)
        )
        if answer.raised is not None:
            raise blocked(codes.GUARD_UNAVAILABLE, f"the host's guard raised {type(answer.raised).__name__}")
        check_verdict(answer.value, step)

    def _issue(self, place: Place, step: Step, args: JsonObject) -> JsonValue:
        """Make the call; a read that failed again, a step with an effect never."""
        tries = 1 if has_effect(step.effect) else 1 + self._limits.read_retries
        for attempt in range(1, tries + 1):
            made, duration_ms = self._attempt(place, step, args, attempt)
            again = attempt < tries and made.stop is not None and made.stop.code == codes.STEP_FAILED
            if not again or not self._pause(attempt):
                break
        self._note(
            place, made.outcome, made.reason or ("" if attempt == 1 else f"at attempt {attempt}"), duration_ms
        )
        if made.stop is not None:
            self.at = Done(place, args, made.result)
            raise made.stop
        return made.result

    def _attempt(self, place: Place, step: Step, args: JsonObject, attempt: int) -> tuple[Attempt, int]:
        effect = has_effect(step.effect)
        index, written = self.journal.intent(place, args, attempt, synced=effect)
        if effect and not written:
            stop = blocked(codes.NOT_RECORDED, "the log could not be written, and this step has an effect")
            return self._write_end(place, of_stop(stop), index, 0)
        began = self.watch.read()
        deadline = min(began + self._limits.step_timeout_s, self._limits.total_s)
        phase = Phase(
            doing=Doing.CALLING,
            began=began,
            deadline=deadline,
            place=place,
            args=args,
            index=index,
            accepts=step.accepts,
        )
        call = partial(self._dispatcher.dispatch, step.tool, args, self._task_id, self.request.caller)
        ended = of_answer(self._blocking(phase, call), step.accepts, effect=effect)
        if ended.stop is not None and self._dispatcher.stopped():
            ended = after_stop(ended, effect=effect)
        return self._write_end(place, ended, index, self._since(began))

    def _blocking(self, phase: Phase, call: Callable[[], Any]) -> Answer:
        """Make a call in which this thread may be stuck; what comes back too late is only written down."""
        self.leash.enter(phase)
        answer = answer_of(call)
        if not self.leash.leave():
            self._answered_late(phase, answer)
            raise LetGoError
        return answer

    def _answered_late(self, phase: Phase, answer: Answer) -> None:
        if phase.doing is Doing.CALLING:
            ended = of_answer(answer, phase.accepts, effect=True)
            self.leash.wait_closed(CLOSE_S)
            self.journal.answered_late(phase.index, ended.outcome, ended.result, self._since(phase.began))

    def _pause(self, attempt: int) -> bool:
        """Wait before a retry; False when the user stopped or the time is up, so that there is none."""
        self._sleep(self._limits.backoff_s * 2 ** (attempt - 1))
        return not self._dispatcher.stopped() and not self._is_late()

    def _is_late(self) -> bool:
        return self.watch.read() >= self._limits.total_s

    def _since(self, began: float) -> int:
        return max(0, round((self.watch.read() - began) * 1000))

    def _write_end(
        self, place: Place, ended: Attempt, index: int | None, duration_ms: int
    ) -> tuple[Attempt, int]:
        self.journal.finished(
            place,
            ended.outcome,
            ended.reason,
            index=index,
            exit_code=ended.exit_code,
            duration_ms=duration_ms,
            result=ended.result,
        )
        return ended, duration_ms

    def _end_without_call(self, place: Place, outcome: StepOutcome, reason: str) -> None:
        self.journal.finished(place, outcome, reason)
        self._note(place, outcome, reason)

    def _note(self, place: Place, outcome: StepOutcome, reason: str, duration_ms: int = 0) -> None:
        self.trace.append(
            StepTrace(
                step=place.step,
                tool=place.tool,
                effect=place.effect,
                outcome=outcome.value,
                reason=reason,
                duration_ms=duration_ms,
                element=place.element,
            )
        )
