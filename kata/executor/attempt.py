"""From what a call came back with, or did not, to how its step ended."""

from typing import NamedTuple

from ..events.catalogue import StepOutcome
from ..json import JsonValue
from ..templating import decode_result
from . import ending as codes
from .checks import has_effect
from .ending import StopRunError, blocked, failed, of_judgement, unknown
from .judge import OK, judge
from .leash import Doing, Phase
from .watcher import LetGo
from .worker import Answer


class Attempt(NamedTuple):
    """How one call ended, and how it ends the run, if it does."""

    outcome: StepOutcome
    stop: StopRunError | None = None
    reason: str = ""
    exit_code: int | None = None
    result: JsonValue = None


def of_stop(stop: StopRunError) -> Attempt:
    """Say that a step ended without an answer."""
    return Attempt(stop.outcome, stop, stop.reason)


def of_answer(answer: Answer, accepts: tuple[int, ...], *, effect: bool) -> Attempt:
    """Judge what came back."""
    if answer.raised is not None:
        return of_stop(failed(codes.STEP_FAILED, f"raised {type(answer.raised).__name__}: {answer.raised}"))
    result = decode_result(answer.value) if isinstance(answer.value, str) else answer.value
    judged = judge(result, accepts)
    if judged is OK:
        return Attempt(StepOutcome.SUCCEEDED, result=result)
    stop = of_judgement(judged, effect=effect)
    outcome = StepOutcome.SUCCEEDED if stop is None else stop.outcome
    return Attempt(outcome, stop, judged.reason, judged.exit_code, result)


def after_stop(ended: Attempt, *, effect: bool) -> Attempt:
    """Judge anew a call that did not succeed while the user stopped the agent: it was cut short, it did not fail."""
    stop = _stopped(effect=effect)
    return ended._replace(outcome=stop.outcome, stop=stop, reason=f"{stop.reason}: {ended.reason}")


def of_let_go(gone: LetGo) -> StopRunError:
    """Say how a run ends that was let go: unknown where a call may still do its work, else blocked."""
    phase = gone.phase
    if phase.doing is Doing.CALLING:
        effect = phase.place is None or has_effect(phase.place.effect)
        late = unknown(codes.TIMEOUT, f"no answer within {phase.deadline - phase.began:g} s")
        return _stopped(effect=effect) if gone.stopped else late
    reason = f"while {_DOING[phase.doing]}"
    if gone.stopped:
        return blocked(codes.STOPPED, f"stopped by the user {reason}")
    return blocked(codes.OUT_OF_TIME, f"the run reached its time limit {reason}")


def interrupted(phase: Phase | None, error: BaseException) -> StopRunError:
    """Say how a run ends whose caller's own thread was interrupted, or could not go on watching."""
    code = codes.INTERNAL if isinstance(error, Exception) else codes.STOPPED
    reason = f"the run was interrupted ({type(error).__name__})"
    return (
        unknown(code, reason) if phase is not None and phase.doing is Doing.CALLING else blocked(code, reason)
    )


_DOING = {Doing.PREPARING: "the host prepared the task", Doing.ASKING: "the host's guard was asked"}


def _stopped(*, effect: bool) -> StopRunError:
    reason = "stopped by the user while it ran"
    return unknown(codes.STOPPED, reason) if effect else blocked(codes.STOPPED, reason)
