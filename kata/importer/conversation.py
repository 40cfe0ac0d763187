"""Puts one conversation's calls together: announced in order, answered in any, given out a turn at a time."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from ..json import JsonValue
from .calls import ImportedCall, LeftOut, identity
from .lines import moment_or_none


class Answer(NamedTuple):
    """What a source has of a call's end; ``written`` is the result as it stands there, where that is text."""

    result: JsonValue
    at: datetime | None
    ok: bool | None = None
    duration_ms: int | None = None
    truncated: bool = False
    written: str | None = None


class _Open:
    """A call that the model asked for, and its answer once that comes; `at` is a moment as the source has it."""

    __slots__ = ("answer", "args", "at", "group", "ids", "tool", "uid", "written")

    def __init__(
        self, tool: str, args: JsonValue, group: str, ids: list[str], uid: str, at: Any, written: str | None
    ) -> None:
        self.tool, self.args, self.group, self.ids = tool, args, group, ids
        self.uid, self.at, self.written = uid, at, written
        self.answer: Answer | None = None


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
        self._waiting: list[_Open] = []
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
        at: Any = None,
        written: str | None = None,
    ) -> None:
        """Add a call that the model asked for; the first one of a turn names it.

        ``at`` is when, as the source has it; ``written`` are its arguments as they stand in the source, where that is text.
        """
        named = [one for one in ids if isinstance(one, str) and one]
        self._name = self._name or turn
        call = _Open(tool, args, group, named, uid, at, written)
        self._open.append(call)
        self._waiting.append(call)

    def has(self, call_id: str) -> bool:
        """Tell whether this turn has a call of that id already."""
        return any(call_id in one.ids for one in self._open)

    def answer(self, call_id: Any, answer: Answer) -> None:
        """Add a result: to the open call of that id, or where it has none to the first open call."""
        for place, one in enumerate(self._waiting):
            if not call_id or call_id in one.ids:
                one.answer = answer
                del self._waiting[place]
                return
        self._stray += 1

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
        self._name, self._open, self._waiting, self._stray = "", [], [], 0

    def _call(self, seq: int, one: _Open) -> ImportedCall:
        seen = one.answer or Answer(None, moment_or_none(one.at))
        call_id = one.ids[0] if one.ids else ""
        return ImportedCall(
            self.session,
            self._name,
            seq,
            one.tool,
            one.args,
            seen.result,
            seen.at,
            one.group,
            call_id,
            one.uid or self._identity(call_id, one, seen),
            seen.ok,
            seen.duration_ms,
            seen.truncated,
            one.answer is not None,
        )

    def _identity(self, call_id: str, one: _Open, seen: Answer) -> str:
        """Return what tells a call from others: what the source wrote of it, which is quicker to hash than what it means."""
        args = one.args if one.written is None else one.written
        result = seen.result if seen.written is None else seen.written
        return identity(call_id, self._scope, one.tool, args, result)
