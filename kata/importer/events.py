"""From imported calls to the observations that a live Hermes would have made of them: derived ids, masked values.

The same source gives the same events, so that a second import adds nothing.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from ..clock import derived_id
from ..events import Actor, ActorKind, NewEvent, Surface
from ..events import catalogue as told
from ..executor import judge_recorded
from ..redact import Keeper
from .calls import ImportedCall

IMPORTER = Actor(kind=ActorKind.SYSTEM, id="kata", surface=Surface.IMPORT)
UNKNOWN_TIME = datetime(1970, 1, 1, tzinfo=UTC)
"""Stands where a source does not know when something happened; never shown as a date."""


def turn_records(form: str, calls: Sequence[ImportedCall], keeper: Keeper) -> Iterator[NewEvent]:
    """Yield the events of one turn: its start, its calls in order, its end."""
    first, last = calls[0], calls[-1]
    session, turn = f"{form}:{first.session}", f"{form}:{first.session}:{first.turn}"
    yield _event(turn, "started", session, first.at, _started(session, turn))
    for place, call in enumerate(calls):
        yield _event(turn, f"call:{place}", session, call.at, _returned(session, turn, place, call, keeper))
    yield _event(turn, "ended", session, last.at, _ended(session, turn))


def _event(turn: str, what: str, session: str, at: datetime | None, payload: Any) -> NewEvent:
    return NewEvent(
        stream=f"session/{session}",
        event_id=derived_id("import", turn, what),
        payload=payload,
        occurred_at=at or UNKNOWN_TIME,
        actor=IMPORTER,
        correlation_id=turn,
    )


def _started(session: str, turn: str) -> told.TurnStarted:
    return told.TurnStarted(
        session_id=session,
        turn_id=turn,
        platform="import",
        model="",
        first=False,
        text_length=0,
        text_fingerprint="",
    )


def _ended(session: str, turn: str) -> told.TurnEnded:
    return told.TurnEnded(
        session_id=session,
        turn_id=turn,
        completed=True,
        failed=None,
        interrupted=False,
        exit_reason="imported",
    )


def _returned(session: str, turn: str, place: int, call: ImportedCall, keeper: Keeper) -> told.ToolReturned:
    args, result = keeper.keep(call.args), keeper.keep(call.result)
    judged = judge_recorded(call.result, {True: "ok", False: "error", None: ""}[call.ok])
    outcome = (
        told.Outcome.FAILED if call.ok is False and judged.outcome is told.Outcome.OK else judged.outcome
    )
    return told.ToolReturned(
        session_id=session,
        turn_id=turn,
        request_id=call.group or f"{turn}:{place}",
        call_id=call.call_id,
        task_id="",
        tool=call.tool,
        args=args.value,
        result=result.value,
        textual=isinstance(call.result, str),
        status={True: "ok", False: "error", None: ""}[call.ok],
        error_type=None,
        outcome=outcome,
        exit_code=judged.exit_code,
        duration_ms=call.duration_ms,
        truncated=args.truncated or result.truncated,
        masked=len(args.masked) + len(result.masked),
    )
