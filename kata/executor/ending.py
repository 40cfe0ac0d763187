"""How a run ends early, and the codes that say why.

==================  ========  ==========================================================================
code                outcome   why
==================  ========  ==========================================================================
step_failed         failed    a call was made and failed
precondition        failed    something that every recording showed does not hold, or a value is missing
timeout             unknown   a call did not answer in time, and may still do its work
bad_arguments       blocked   the caller's arguments do not meet the input schema
unacknowledged      blocked   an earlier run may have done this; a person has to allow a repeat
denied              blocked   a person said no, or did not answer
unattended          blocked   nobody could be asked, and the host's policy says no then
approval_pending    blocked   the host queued the question instead of asking it
refused             blocked   a rule of the host refused the call
vetoed              blocked   another plugin blocks the call, or wants other arguments
guard_unavailable   blocked   the host's guards could not be asked about a call with an effect
effect_exceeded     blocked   the rendered call does more than was approved
refused_value       blocked   a value would become an option of a command, or cannot stand in one
masked_value        blocked   a value is the placeholder of a secret
reaches_kata        blocked   the call reaches for Kata's own decisions
not_prepared        blocked   the task could not be put into the conversation's directory
not_recorded        blocked   the intent of a step with an effect could not be written
out_of_time         blocked   the whole run reached its limit between calls
stopped             blocked   the user stopped the agent; ``unknown`` where an effect was under way
internal            blocked   a fault of Kata's own; ``unknown`` where a call may have been made
==================  ========  ==========================================================================
"""

import attrs

from ..events.catalogue import Outcome, RunOutcome, StepOutcome
from .judge import Judgement

STEP_FAILED = "step_failed"
PRECONDITION = "precondition"
TIMEOUT = "timeout"
DENIED = "denied"
UNATTENDED = "unattended"
APPROVAL_PENDING = "approval_pending"
REFUSED = "refused"
VETOED = "vetoed"
GUARD_UNAVAILABLE = "guard_unavailable"
EFFECT_EXCEEDED = "effect_exceeded"
REFUSED_VALUE = "refused_value"
MASKED_VALUE = "masked_value"
REACHES_KATA = "reaches_kata"
BAD_ARGUMENTS = "bad_arguments"
UNACKNOWLEDGED = "unacknowledged"
NOT_PREPARED = "not_prepared"
NOT_RECORDED = "not_recorded"
OUT_OF_TIME = "out_of_time"
STOPPED = "stopped"
INTERNAL = "internal"

GUARD_CODES = {"block": VETOED, "modify": VETOED, "denied": DENIED, "unattended": UNATTENDED}
"""Which code each verdict of the guard chain ends a run with."""


MENDABLE = frozenset({STEP_FAILED, PRECONDITION, TIMEOUT, OUT_OF_TIME, NOT_RECORDED, STOPPED})
"""The codes after which a run may go on once things are mended; a refusal is not to be tried again."""


class StopRunError(Exception):
    """End the run at a step; carried from where it is noticed to where the run is closed."""

    def __init__(self, outcome: StepOutcome, code: str, reason: str) -> None:
        super().__init__(reason)
        self.outcome, self.code, self.reason = outcome, code, reason


def blocked(code: str, reason: str) -> StopRunError:
    """Stop before a call was made, or because somebody refused it."""
    return StopRunError(StepOutcome.BLOCKED, code, reason)


def failed(code: str, reason: str) -> StopRunError:
    """Stop because a step failed or a precondition did not hold."""
    return StopRunError(StepOutcome.FAILED, code, reason)


def unknown(code: str, reason: str) -> StopRunError:
    """Stop because nobody knows whether a step did its work."""
    return StopRunError(StepOutcome.UNKNOWN, code, reason)


def of_judgement(judged: Judgement, *, effect: bool) -> StopRunError | None:
    """Say how a judged answer ends the run; None when it goes on.

    An uncertain answer leaves a step with an effect unknown; a read that was not answered has merely failed.
    """
    match judged.outcome:
        case Outcome.OK:
            return None
        case Outcome.FAILED:
            return failed(STEP_FAILED, judged.reason)
        case Outcome.BLOCKED | Outcome.PENDING:
            return blocked(_refusal_code(judged), judged.reason)
        case Outcome.CANCELLED:
            return unknown(STOPPED, judged.reason) if effect else blocked(STOPPED, judged.reason)
        case Outcome.UNKNOWN:
            return unknown(TIMEOUT, judged.reason) if effect else failed(STEP_FAILED, judged.reason)


def _refusal_code(judged: Judgement) -> str:
    if judged.outcome is Outcome.PENDING:
        return APPROVAL_PENDING
    return {"unattended": UNATTENDED, "denied": DENIED}.get(judged.refusal, REFUSED)


@attrs.frozen(kw_only=True)
class Ending:
    """How a run ended; ``step`` is where it stopped."""

    outcome: RunOutcome
    code: str = ""
    reason: str = ""
    step: int | None = None
