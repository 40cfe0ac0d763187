"""From imported calls to the observations that a live Hermes would have made of them: derived ids, masked values.

The same source gives the same events, so that a second import adds nothing.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from ..clock import derived_id
from ..events import Actor, ActorKind, NewEvent, Surface
from ..events import catalogue as told
from ..executor import judge_recorded
from ..redact import Keeper, Kept
from .calls import ImportedCall, ImportedLink
from .masks import Masks
from .names import Names

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
        self._masks, self._prefix = Masks(keeper), prefix
        self._names = Names(self._masks)
        self._seen: dict[bytes, int] = {}

    def session(self, name: str) -> str:
        """Return a source's session under the name that the log has it by."""
        return self._session(self._names.one(name))

    def _session(self, kept: str) -> str:
        return _storable(f"{self._prefix}{kept}")

    def link(self, link: ImportedLink) -> NewEvent:
        """Return the event of a session that belongs to another, or to a job."""
        session = self.session(link.session)
        payload = told.SessionLinked(
            session_id=session,
            parent_session_id=None if link.parent is None else self.session(link.parent),
            relation=link.relation,
            job=None if link.job is None else self._names.one(link.job),
        )
        return _event(session, f"{session}:linked", None, payload, session)

    def turns(self, turns: Iterable[Sequence[ImportedCall]]) -> Iterator[NewEvent]:
        """Yield the events of some turns, each the calls that follow each other in it: its start, the calls, its end.

        All values are masked before the first event is made: the same work on many is quicker than work by turns. Calls
        that were announced and never seen are told by the request that announced them, which ends a run there.
        """
        turns = self._names.in_calls(tuple(turns))
        answered = [call for turn in turns for call in turn if call.answered]
        args = self._masks.keep_all([call.args for call in answered])
        results = self._masks.keep_all([call.result for call in answered])
        kept = iter([*zip(args, results, strict=True)])
        for turn in turns:
            yield from self._turn(turn, kept)

    def _turn(self, calls: Sequence[ImportedCall], kept: Iterator[tuple[Kept, Kept]]) -> Iterator[NewEvent]:
        first, last = calls[0], calls[-1]
        session = self._session(first.session)
        turn = _storable(f"{session}:{first.turn}")
        before = self._count(turn, len(calls))
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
                returned = _returned(session, turn, request, call, *next(kept))
                yield _event(turn, key, call.at, returned, session)
        yield _event(turn, f"{turn}:ended:{before + len(calls)}", last.at, _ended(session, turn), session)

    def _count(self, turn: str, more: int) -> int:
        """Return how many calls of a turn came before; by a short key, since a source may have a million turns."""
        key = hashlib.blake2b(turn.encode(), digest_size=8).digest()
        before = self._seen.get(key, 0)
        self._seen[key] = before + more
        return before


def _returned(
    session: str, turn: str, request: str, call: ImportedCall, args: Kept, result: Kept
) -> told.ToolReturned:
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
