"""One run, step after step: render, check, ask, write the intent, call, judge, write the outcome (design 8)."""

from collections.abc import Mapping
from functools import partial

import attrs

from ..events.catalogue import StepOutcome
from ..json import JsonObject, JsonValue
from ..spec import Loop, Step
from ..templating import Scope, TemplateError, decode_result, render
from . import ending as codes
from .attempt import Attempt, of_answer, of_made, which_attempt
from .calls import Calls
from .checks import ask_guard, check_preconditions, has_effect, numbered, rendered, with_defaults
from .ending import StopRunError, blocked, failed
from .journal import Journal, Place
from .limits import Limits
from .protocols import Dispatcher, Guard, RunRequest, StepTrace
from .worker import Answer


@attrs.frozen
class Done:
    """One call that was made (or was about to be), with its live values."""

    place: Place
    args: JsonObject | None = None
    result: JsonValue = None


class Run:
    """The state of one run; `go` raises `StopRunError` where it ends early."""

    def __init__(
        self,
        request: RunRequest,
        task_id: str,
        dispatcher: Dispatcher,
        guard: Guard,
        journal: Journal,
        calls: Calls,
        limits: Limits,
    ) -> None:
        self.request, self._task_id = request, task_id
        self._dispatcher, self._guard, self._journal, self._calls = dispatcher, guard, journal, calls
        self._limits = limits
        self.inputs: Mapping[str, JsonValue] = with_defaults(request.spec, request.arguments)
        self.results: dict[int, JsonValue] = {}
        self.elements: list[JsonValue] = []
        self.done: list[Done] = []
        self.trace: list[StepTrace] = []
        self.at: Done | None = None

    def go(self) -> JsonValue:
        """Do every step in order and return the last one's result."""
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

    def skip_rest(self, why: str) -> None:
        """Write every step that was not reached."""
        begun = self.at.place.step if self.at is not None else 0
        for number, step in numbered(self.request.spec):
            if number > begun:
                self._end_without_call(
                    Place(step=number, tool=step.tool, effect=step.effect), StepOutcome.SKIPPED, why
                )

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
            found = decode_result(found) if isinstance(found, str) else found
        except TemplateError as error:
            raise failed(codes.PRECONDITION, str(error)) from error
        if not isinstance(found, list):
            raise failed(codes.PRECONDITION, "what the loop goes over is no list")
        if len(found) > loop.limit:
            raise failed(
                codes.PRECONDITION, f"the list has {len(found)} elements, at most {loop.limit} were approved"
            )
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
        self._calls.check()
        args = rendered(step, scope)
        self.at = Done(place, args)
        check_preconditions(step, scope)
        self._calls.watch.leave_out(ask_guard(self._guard, step, args, self._task_id, self.request.caller))
        return args

    def _issue(self, place: Place, step: Step, args: JsonObject) -> JsonValue:
        """Make the call; a read that failed again, a step with an effect never."""
        tries = 1 if has_effect(step.effect) else 1 + self._limits.read_retries
        for attempt in range(1, tries + 1):
            made = self._attempt(place, step, args, attempt)
            again = attempt < tries and made.stop is not None and made.stop.code == codes.STEP_FAILED
            if not again or not self._calls.pause(self._limits.backoff_s * 2 ** (attempt - 1)):
                break
        self._note(place, made.outcome, made.reason or which_attempt(attempt), made.duration_ms)
        if made.stop is not None:
            self.at = Done(place, args, made.result)
            raise made.stop
        return made.result

    def _attempt(self, place: Place, step: Step, args: JsonObject, attempt: int) -> Attempt:
        effect = has_effect(step.effect)
        index, written = self._journal.intent(place, args, attempt, synced=effect)
        if effect and not written:
            stop = blocked(codes.NOT_RECORDED, "the log could not be written, and this step has an effect")
            return self._ended(place, Attempt(stop.outcome, stop, stop.reason), index)
        call = partial(self._dispatcher.dispatch, step.tool, args, self._task_id, self.request.caller)
        try:
            made = self._calls.make(call, partial(self._answered_late, index, step.accepts))
        except BaseException:
            self._ended(place, Attempt(StepOutcome.UNKNOWN, reason="interrupted"), index)
            raise
        return self._ended(place, of_made(made, step.accepts, effect=effect), index)

    def _answered_late(self, index: int, accepts: tuple[int, ...], answer: Answer, after_ms: int) -> None:
        ended = of_answer(answer, accepts, effect=True)
        self._journal.answered_late(index, ended.outcome, ended.result, after_ms)

    def _ended(self, place: Place, ended: Attempt, index: int) -> Attempt:
        self._journal.finished(
            place,
            ended.outcome,
            ended.reason,
            index=index,
            exit_code=ended.exit_code,
            duration_ms=ended.duration_ms,
            result=ended.result,
        )
        return ended

    def _end_without_call(self, place: Place, outcome: StepOutcome, reason: str) -> None:
        self._journal.finished(place, outcome, reason)
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
