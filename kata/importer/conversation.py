"""Puts one conversation's calls together: announced in order, answered in any, given out a turn at a time."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import attrs

from ..json import JsonValue
from .calls import ImportedCall, LeftOut, identity


class Answer(NamedTuple):
    """What a source has of a call's end; ``written`` is the result as it stands there, where that is text."""

    result: JsonValue
    at: datetime | None
    ok: bool | None = None
    duration_ms: int | None = None
    truncated: bool = False
    written: str | None = None


@attrs.define
class _Open:
    tool: str
    args: JsonValue
    group: str
    ids: frozenset[str]
    call_id: str
    uid: str
    at: datetime | None
    written: str | None
    answer: Answer | None = None


class Conversation:
    """Collects one turn; `turn` closes it.

    Args:
        session: The source's id of the conversation.
        scope: What ids of calls are unique in: the session where its provider may count anew in each, else nothing.
    """

    def __init__(self, session: str, scope: str = "") -> None:
        self.session, self._scope = session, scope
        self._name = ""
        self._open: list[_Open] = []
        self._stray = 0
        self.turns = 0

    def announce(
        self,
        turn: str,
        group: str,
        tool: str,
        args: JsonValue,
        *,
        ids: Sequence[Any] = (),
        uid: str = "",
        at: datetime | None = None,
        written: str | None = None,
    ) -> None:
        """Add a call that the model asked for; the first one of a turn names it.

        ``written`` are its arguments as they stand in the source, where that is text.
        """
        named = [one for one in ids if isinstance(one, str) and one]
        self._name = self._name or turn
        self._open.append(
            _Open(tool, args, group, frozenset(named), named[0] if named else "", uid, at, written)
        )

    def has(self, call_id: str) -> bool:
        """Tell whether this turn has a call of that id already."""
        return any(call_id in one.ids for one in self._open)

    def answer(self, call_id: Any, answer: Answer) -> None:
        """Add a result: to the open call of that id, or where it has none to the first open call."""
        waiting = (one for one in self._open if one.answer is None)
        found = next((one for one in waiting if not call_id or call_id in one.ids), None)
        if found is None:
            self._stray += 1
        else:
            found.answer = answer

    @property
    def is_open(self) -> bool:
        """Tell whether the turn has calls."""
        return bool(self._open)

    def turn(self) -> Iterator[ImportedCall | LeftOut]:
        """Yield the turn's calls as announced, and begin the next one."""
        if self._stray:
            yield LeftOut("no_call", self._stray)
        for seq, one in enumerate(self._open):
            yield self._call(seq, one)
        self.turns += bool(self._open)
        self._name, self._open, self._stray = "", [], 0

    def _call(self, seq: int, one: _Open) -> ImportedCall:
        seen = one.answer or Answer(result=None, at=one.at)
        return ImportedCall(
            session=self.session,
            turn=self._name,
            seq=seq,
            tool=one.tool,
            args=one.args,
            result=seen.result,
            at=seen.at,
            group=one.group,
            call_id=one.call_id,
            key=one.uid or self._identity(one, seen),
            ok=seen.ok,
            duration_ms=seen.duration_ms,
            truncated=seen.truncated,
            answered=one.answer is not None,
        )

    def _identity(self, one: _Open, seen: Answer) -> str:
        """Return what tells a call from others: what the source wrote of it, which is quicker to hash than what it means."""
        args = one.args if one.written is None else one.written
        result = seen.result if seen.written is None else seen.written
        return identity(one.call_id, self._scope, one.tool, args, result)
