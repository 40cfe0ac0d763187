"""From what a call came back with to how its step ended."""

import attrs

from ..events.catalogue import StepOutcome
from ..json import JsonValue
from ..templating import decode_result
from . import ending as codes
from .calls import Made
from .ending import StopRunError, blocked, failed, of_judgement, unknown
from .judge import OK, judge
from .worker import Answer


@attrs.frozen
class Attempt:
    """How one call ended, and how it ends the run, if it does."""

    outcome: StepOutcome
    stop: StopRunError | None = None
    reason: str = ""
    exit_code: int | None = None
    result: JsonValue = None
    duration_ms: int = 0


def of_made(made: Made, accepts: tuple[int, ...], *, effect: bool) -> Attempt:
    """Judge what became of a call; after the user's stop a failure is no failure of the step."""
    took = made.duration_ms
    if made.answer is None:
        late = unknown(codes.TIMEOUT, f"no answer within {made.limit_s:g} s")
        stop = _stopped(effect=effect) if made.stopped else late
        return Attempt(stop.outcome, stop, stop.reason, duration_ms=took)
    ended = of_answer(made.answer, accepts, effect=effect, duration_ms=took)
    if made.stopped and ended.stop is not None:
        stop = _stopped(effect=effect)
        return attrs.evolve(ended, outcome=stop.outcome, stop=stop, reason=f"{stop.reason}: {ended.reason}")
    return ended


def which_attempt(attempt: int) -> str:
    """Say in a trace that it took more than one."""
    return "" if attempt == 1 else f"at attempt {attempt}"


def _stopped(*, effect: bool) -> StopRunError:
    reason = "stopped by the user while it ran"
    return unknown(codes.STOPPED, reason) if effect else blocked(codes.STOPPED, reason)


def of_answer(answer: Answer, accepts: tuple[int, ...], *, effect: bool, duration_ms: int = 0) -> Attempt:
    """Judge what came back."""
    if answer.raised is not None:
        stop = failed(codes.STEP_FAILED, f"raised {type(answer.raised).__name__}: {answer.raised}")
        return Attempt(stop.outcome, stop, stop.reason, duration_ms=duration_ms)
    result = decode_result(answer.value) if isinstance(answer.value, str) else answer.value
    judged = judge(result, accepts)
    if judged is OK:
        return Attempt(StepOutcome.SUCCEEDED, result=result, duration_ms=duration_ms)
    ended = of_judgement(judged, effect=effect)
    outcome = StepOutcome.SUCCEEDED if ended is None else ended.outcome
    return Attempt(outcome, ended, judged.reason, judged.exit_code, result, duration_ms)
