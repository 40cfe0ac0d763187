"""From imported calls to the observations that a live Hermes would have made of them: derived ids, masked values.

The same source gives the same events, so that a second import adds nothing.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from ..clock import derived_id
from ..events import Actor, ActorKind, NewEvent, Surface
from ..events import catalogue as told
from ..executor import judge_recorded
from ..redact import Keeper
from .calls import ImportedCall, ImportedLink

IMPORTER = Actor(kind=ActorKind.SYSTEM, id="kata", surface=Surface.IMPORT)
UNKNOWN_TIME = datetime(1970, 1, 1, tzinfo=UTC)
"""Stands where a source does not know when something happened; never shown as a date."""

STATUS = {True: "ok", False: "error", None: ""}


class Recorder:
    """Makes the events of one source's calls.

    Args:
        keeper: Masks and cuts values as it does for live calls.
        prefix: Goes before the source's session ids, so that two programs' ids never meet; empty for those of this Hermes.
    """

    def __init__(self, keeper: Keeper, prefix: str) -> None:
        self._keeper, self._prefix = keeper, prefix
        self._seen: Counter[tuple[str, str]] = Counter()

    def session(self, name: str) -> str:
        """Return a source's session under the name that the log has it by."""
        return _storable(f"{self._prefix}{name}")

    def link(self, link: ImportedLink) -> NewEvent:
        """Return the event of a session that belongs to another, or to a job."""
        session = self.session(link.session)
        payload = told.SessionLinked(
            session_id=session,
            parent_session_id=None if link.parent is None else self.session(link.parent),
            relation=link.relation,
            job=link.job,
        )
        return _event(session, f"{session}:linked", None, payload, session)

    def turn(self, calls: Sequence[ImportedCall]) -> Iterator[NewEvent]:
        """Yield the events of calls that follow each other in one turn: its start, the calls in order, its end.

        Calls that were announced and never seen are told by the request that announced them, which ends a run there.
        """
        first, last = calls[0], calls[-1]
        session = self.session(first.session)
        turn = _storable(f"{session}:{first.turn}")
        before = self._seen[first.session, first.turn]
        self._seen[first.session, first.turn] = before + len(calls)
        if not before:
            yield _event(turn, f"{turn}:started", first.at, _started(session, turn), session)
        unseen = {call.group for call in calls if not call.answered}
        for place, call in enumerate(calls, before):
            request = _storable(f"{turn}:{call.group or place}")
            if call.group in unseen:
                unseen.discard(call.group)
                group = [one for one in calls if one.group == call.group]
                answered = _answered(session, turn, request, group)
                yield _event(turn, f"{request}:answered", call.at, answered, session)
            if call.answered:
                key = _storable(f"{self._prefix}{call.key}") if call.key else f"{turn}:call:{place}"
                yield _event(turn, key, call.at, self._returned(session, turn, request, call), session)
        yield _event(turn, f"{turn}:ended:{before + len(calls)}", last.at, _ended(session, turn), session)

    def _returned(self, session: str, turn: str, request: str, call: ImportedCall) -> told.ToolReturned:
        args, result = self._keeper.keep(call.args), self._keeper.keep(call.result)
        status = STATUS[call.ok]
        judged = judge_recorded(call.result, status)
        failed = call.ok is False and judged.outcome is told.Outcome.OK
        return told.ToolReturned(
            session_id=session,
            turn_id=turn,
            request_id=request,
            call_id=call.call_id,
            task_id="",
            tool=call.tool,
            args=args.value,
            result=result.value,
            textual=isinstance(call.result, str),
            status=status,
            error_type=None,
            outcome=told.Outcome.FAILED if failed else judged.outcome,
            exit_code=judged.exit_code,
            duration_ms=call.duration_ms,
            truncated=call.truncated or args.truncated or result.truncated,
            masked=len(args.masked) + len(result.masked),
        )


def _storable(name: str) -> str:
    """Return a name without lone surrogates, which no database takes."""
    return name if name.isascii() else name.encode("utf-8", "replace").decode()


def _event(turn: str, what: str, at: datetime | None, payload: Any, session: str) -> NewEvent:
    return NewEvent(
        stream=f"session/{session}",
        event_id=derived_id("import", what),
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


def _answered(session: str, turn: str, request: str, calls: Sequence[ImportedCall]) -> told.ModelAnswered:
    return told.ModelAnswered(
        session_id=session,
        turn_id=turn,
        request_id=request,
        model="",
        usage=None,
        seconds=None,
        finish_reason="",
        announced=tuple(told.AnnouncedCall(call_id=one.call_id, tool=one.tool) for one in calls),
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
