"""One run, step after step: render, check, ask, write the intent, call, judge, write the outcome (design 8).

`Run.go` is done by a worker thread. Once the watcher has let go of it, the run belongs to the watcher: it calls `abandon`,
and the worker's thread only hands a late answer to the journal.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any

from ..events.catalogue import RunOutcome, StepOutcome
from ..json import JsonObject, JsonValue
from ..spec import Loop, Step, flat_steps
from ..templating import Scope, TemplateError, decode_result, render
from . import ending as codes
from .attempt import Attempt, after_stop, of_answer, of_stop
from .checkpoint import BEGINNING, Checkpoint, Cursor, Done, loop_around, top_level
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
        self.collected: dict[int, list[JsonValue]] = {}
        self.done: list[Done] = []
        self.trace: list[StepTrace] = []
        self.at: Done | None = None
        self.runs: tuple[str, ...] = (run_id,)
        self._begins = BEGINNING

    def resume(self, kept: Checkpoint, cursor: Cursor) -> None:
        """Take over what an earlier run of the same request did before a call, and write that this one goes on there."""
        self.runs = (self.run_id, *kept.runs)
        self.results = {number: one for number, one in kept.results.items() if number < cursor.step}
        self.elements = list(kept.elements)
        self.collected = {number: list(values) for number, values in kept.collected.items()}
        self.done = [one for one in kept.done if kept.is_before(one.place, cursor)]
        self._begins = cursor
        self.journal.run_resumed(kept.runs[0], cursor.step, cursor.element)
        first, _ = loop_around(self.request.spec, cursor.step)
        for number, step in numbered(self.request.spec):
            if number < first:
                by_hand = number == kept.stopped.step
                why = "done by hand" if by_hand else f"done in run {kept.runs[0]}"
                place = Place(step=number, tool=step.tool, effect=step.effect)
                self._end_without_call(place, StepOutcome.SKIPPED, why)

    def checkpoint(self, outcome: RunOutcome) -> Checkpoint | None:
        """Return where the run stopped, once it has; None when no step was reached."""
        if self.at is None:
            return None
        return Checkpoint(
            runs=self.runs,
            request=self.request,
            outcome=outcome,
            stopped=self.at.place,
            results=dict(self.results),
            elements=tuple(self.elements),
            collected={number: tuple(values) for number, values in self.collected.items()},
            done=tuple(self.done),
        )

    def go(self) -> JsonValue:
        """Do every step in order and return the last one's result.

        Raises:
            StopRunError: the run ended early.
            LetGoError: it was taken away from this thread.
        """
        self._prepare()
        scope = self.scope()
        for number, one in top_level(self.request.spec):
            if isinstance(one, Loop):
                if number + len(one.body) > self._begins.step:
                    self._loop(number, one)
            elif number >= self._begins.step:
                self.results[number] = self._step(number, one, scope)
        return self.results[max(self.results)]

    def scope(self, element: JsonValue = None) -> Scope:
        """Return what expressions can see now."""
        return Scope(inputs=self.inputs, results=self.results, element=element)

    def abandon(self, phase: Phase | None, stop: StopRunError) -> None:
        """Write the end of the step in which the run was taken away from its thread."""
        if phase is None or phase.place is None:
            return
        self.at = Done(phase.place, phase.args)
        duration_ms = self._since(phase.began)
        index = phase.nth if phase.doing is Doing.CALLING else None
        self._write_end(phase.place, of_stop(stop), index, duration_ms)
        self._note(phase.place, stop.outcome, stop.reason, duration_ms)

    def end_at(self, stop: StopRunError) -> None:
        """Write the end of the step in which something of Kata's own went wrong."""
        if self.at is not None:
            self._end_without_call(self.at.place, stop.outcome, stop.reason)

    def skip_rest(self, why: str) -> None:
        """Write every step that was not reached."""
        begun = self.at.place.step if self.at is not None else self._begins.step - 1
        for number, step in numbered(self.request.spec):
            if number > begun:
                place = Place(step=number, tool=step.tool, effect=step.effect)
                self._end_without_call(place, StepOutcome.SKIPPED, why)

    def _prepare(self) -> None:
        tools = tuple(dict.fromkeys(step.tool for step in flat_steps(self.request.spec)))
        phase = Phase(Doing.PREPARING, self.watch.read(), self._limits.total_s)
        answer = self._blocking(phase, self._dispatcher.prepare, self._task_id, self.request.caller, tools)
        error = answer.raised
        if error is not None:
            raise blocked(codes.NOT_PREPARED, str(error) or type(error).__name__) from error

    def _loop(self, number: int, loop: Loop) -> None:
        begins = self._begins if number <= self._begins.step else Cursor(number)
        if begins.element is None:
            self._open_loop(number, loop)
        else:
            self._reopen_loop(number, len(loop.body), begins)
        for index, element in enumerate(self.elements[begins.element or 0 :], begins.element or 0):
            first = begins.step if index == begins.element else number
            for inner in range(first, number + len(loop.body)):
                self.results.pop(inner, None)
            scope = self.scope(element)
            for inner, step in enumerate(loop.body[first - number :], first):
                self.results[inner] = self._step(inner, step, scope, index)
                self.collected[inner].append(self.results[inner])
        self.results.update(self.collected)

    def _open_loop(self, number: int, loop: Loop) -> None:
        place = Place(step=number, tool=loop.body[0].tool, effect=loop.body[0].effect)
        self.at = Done(place)
        try:
            self.elements = self._elements(loop)
        except StopRunError as stop:
            self._end_without_call(place, stop.outcome, stop.reason)
            raise
        if not self.elements:
            self._end_without_call(place, StepOutcome.SKIPPED, "the list is empty")
        self.collected = {number + offset: [] for offset in range(len(loop.body))}

    def _reopen_loop(self, number: int, width: int, begins: Cursor) -> None:
        """Cut what was collected to the calls before the one that it goes on at; what was done by hand answered nothing."""
        for inner in range(number, number + width):
            wanted = (begins.element or 0) + (inner < begins.step)
            had = self.collected[inner][:wanted]
            self.collected[inner] = had + [None] * (wanted - len(had))

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
        began = self.watch.read()
        if began >= self._limits.total_s:
            raise blocked(codes.OUT_OF_TIME, f"the run reached its limit of {self._limits.total_s:g} s")
        args = rendered(step, scope)
        self.at = Done(place, args)
        check_preconditions(step, scope)
        self._ask_guard(step, args, Phase(Doing.ASKING, began, self._limits.total_s, place, args))
        return args

    def _ask_guard(self, step: Step, args: JsonObject, phase: Phase) -> None:
        answer = self._blocking(phase, self._guard.ask, step.tool, args, self._task_id, self.request.caller)
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
        phase = Phase(Doing.CALLING, began, deadline, place, args, index, step.accepts)
        answer = self._blocking(
            phase, self._dispatcher.dispatch, step.tool, args, self._task_id, self.request.caller
        )
        ended = of_answer(answer, step.accepts, effect=effect)
        if ended.stop is not None and self._dispatcher.stopped():
            ended = after_stop(ended, effect=effect)
        return self._write_end(place, ended, index, self._since(began))

    def _blocking(self, phase: Phase, call: Callable[..., Any], *args: Any) -> Answer:
        """Make a call in which this thread may be stuck; what comes back too late is only written down."""
        self.leash.enter(phase)
        answer = answer_of(call, *args)
        if not self.leash.leave():
            self._answered_late(phase, answer)
            raise LetGoError
        return answer

    def _answered_late(self, phase: Phase, answer: Answer) -> None:
        if phase.doing is Doing.CALLING:
            ended = of_answer(answer, phase.accepts, effect=True)
            self.leash.wait_closed(CLOSE_S)
            self.journal.answered_late(phase.nth, ended.outcome, ended.result, self._since(phase.began))

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
        step, tool, effect, element = place
        self.trace.append(StepTrace(step, tool, effect, outcome._value_, reason, duration_ms, element))
