"""The events of one run: intent before act, values masked, the rest of the run never hurt by a log that cannot write.

What a read is about to do and what it answered may wait for `flush`, since a read does no harm when it is done twice. The
start of a run (which says that what its task does is no history), the intent of a step with an effect and the end of a run
wait for nothing.
"""

import logging
from itertools import count
from typing import Any, NamedTuple

from ..events.catalogue import (
    RunFinished,
    RunResumed,
    RunStarted,
    StepAnsweredLate,
    StepFinished,
    StepOutcome,
    StepStarted,
)
from ..json import JsonError, JsonObject, JsonValue, canonical
from ..spec import flat_steps
from .ending import Ending
from .protocols import Keeper, Recorder, RunRequest

log = logging.getLogger(__name__)


class Place(NamedTuple):
    """Where in a run a call stands: the step's number, its tool and approved class, and the loop's element."""

    step: int
    tool: str
    effect: str
    element: int | None = None


class Journal:
    """Writes what happens in one run."""

    def __init__(self, recorder: Recorder, keeper: Keeper, request: RunRequest, run_id: str) -> None:
        self._recorder, self._keeper, self._request, self._run_id = recorder, keeper, request, run_id
        self._indexes = count(1)

    def run_started(self, task_id: str) -> None:
        """Write that the run begins."""
        request = self._request
        self._write(
            RunStarted(
                run_id=self._run_id,
                kata=request.kata,
                number=request.number,
                name=request.name,
                version=request.version,
                digest=request.digest,
                inputs=self._masked(dict(request.arguments)),
                inputs_fingerprint=fingerprint_of(self._keeper, request.arguments),
                session_id=request.caller.session_id,
                task_id=task_id,
                steps=sum(1 for _ in flat_steps(request.spec)),
            )
        )
        self.flush()

    def run_resumed(self, resumes: str, step: int, element: int | None) -> None:
        """Write that the run goes on where an earlier one stopped."""
        self._write(RunResumed(run_id=self._run_id, resumes=resumes, step=step, element=element))

    def intent(self, place: Place, args: JsonObject, attempt: int, *, synced: bool) -> tuple[int, bool]:
        """Write which call is about to be made; return its index, and whether that was written."""
        index = next(self._indexes)
        event = StepStarted(
            run_id=self._run_id,
            index=index,
            step=place.step,
            tool=place.tool,
            effect=place.effect,
            args=self._masked(args),
            attempt=attempt,
            element=place.element,
        )
        return index, self._write(event, synced=synced)

    def finished(
        self,
        place: Place,
        outcome: StepOutcome,
        reason: str = "",
        *,
        index: int | None = None,
        exit_code: int | None = None,
        duration_ms: int = 0,
        result: JsonValue = None,
    ) -> None:
        """Write how a call ended; without an index, that a step ended without one."""
        self._write(
            StepFinished(
                run_id=self._run_id,
                index=next(self._indexes) if index is None else index,
                step=place.step,
                outcome=outcome,
                reason=self._masked(reason),
                exit_code=exit_code,
                duration_ms=duration_ms,
                result=self._masked(result),
                element=place.element,
            )
        )

    def answered_late(self, index: int, outcome: StepOutcome, result: JsonValue, after_ms: int) -> None:
        """Write that a call answered after nobody waited for it any more."""
        self._write(
            StepAnsweredLate(
                run_id=self._run_id,
                index=index,
                outcome=outcome,
                result=self._masked(result),
                after_ms=after_ms,
            )
        )
        self.flush()

    def run_finished(self, ending: Ending, duration_ms: int) -> None:
        """Write how the run ended."""
        self._write(
            RunFinished(
                run_id=self._run_id,
                kata=self._request.kata,
                version=self._request.version,
                outcome=ending.outcome,
                code=ending.code,
                reason=self._masked(ending.reason),
                failed_step=ending.step,
                duration_ms=duration_ms,
            )
        )
        self.flush()

    def flush(self) -> None:
        """Append what waits."""
        try:
            self._recorder.flush()
        except Exception:
            log.warning("kata: run events could not be written", exc_info=True)

    def _masked(self, value: Any) -> Any:
        if not value:
            return value
        try:
            return self._keeper.keep(value).value
        except Exception:
            log.warning("kata: a value could not be masked and is left out", exc_info=True)
            return "" if isinstance(value, str) else None

    def _write(self, event: Any, *, synced: bool = False) -> bool:
        try:
            self._recorder.record(event, synced=synced)
        except Exception:
            log.warning("kata: a run event could not be written", exc_info=True)
            return False
        return True


def fingerprint_of(keeper: Keeper, arguments: JsonObject) -> str:
    """Return the keyed fingerprint by which a repeat with the same arguments is found (case B025)."""
    try:
        text = canonical(dict(arguments))
    except JsonError:
        text = repr(sorted(arguments.items(), key=repr))
    return keeper.fingerprint(text)
