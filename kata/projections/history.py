"""The recorded calls as mining reads them: rows in order, values on demand, and what changed since (design 5, 6.1)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

import attrs

from ..events.catalogue import ToolReturned
from ..json import dumps
from ..miner.segments import Run, segment
from ..miner.types import CallRow, CallValues, Occurrence
from ..store.protocol import Log
from .lineage import Link, roots
from .order import BREAKS, OK, ROW, UNSEEN
from .store import ViewStore

LATEST = 2**63 - 1
"""A position after every other."""

UNREAD = -1
"""The number of a signature that no row has."""

_TURNS = """
    SELECT turn.name, session.name, turn.rows FROM view_history_turns AS turn
    JOIN view_history_sessions AS session USING (session)
    WHERE turn.started AND turn.calls AND {where} AND (
        turn.ended OR turn.first < (
            SELECT max(later.first) FROM view_history_turns AS later
            WHERE later.session = turn.session AND later.started
        )
    ) ORDER BY turn.first
"""
"""Turns that are over: of one under way the beginning alone would be taken for a routine."""


@attrs.frozen
class Changes:
    """What happened to the history after a position.

    Attributes:
        position: How far the history is now; ask with it the next time.
        conversations: Those that have new or reordered calls.
        reset: Calls vanished or moved to another conversation: what was counted before no longer holds.
    """

    position: int
    conversations: tuple[str, ...]
    reset: bool


class History:
    """Reads the history; implements `kata.miner.types.History`.

    Signature numbers are given in the order of the rows, and stay for the life of this object; number 0 stands for calls
    that were announced and never seen.
    """

    def __init__(self, store: ViewStore, log: Log) -> None:
        self._store, self._log = store, log
        self._numbers: dict[int, int] = {UNSEEN: 0}
        self._texts: list[str] = [""]
        self._tools: list[str] = [""]
        self._known: dict[int, tuple[str, str]] = {}

    def rows(self) -> Iterator[CallRow]:
        """Yield every row: conversations as they began, in them turns as they began, in them calls as announced."""
        return self._of(self._turns("1"))

    def rows_of(self, conversations: Iterable[str]) -> Iterator[CallRow]:
        """Yield the rows of some conversations, in the same order."""
        wanted = set(conversations)
        links = self._links()
        root = roots(links)
        sessions = sorted(wanted | {session for session in links if root(session) in wanted})
        return self._of(self._turns("session.name IN (SELECT value FROM json_each(?))", dumps(sessions)))

    def signatures(self) -> Sequence[str]:
        """Return the signature table as far as rows were read."""
        return self._texts

    def values(self, refs: Iterable[int]) -> Mapping[int, CallValues]:
        """Load the values of some calls from the log; erased ones are left out."""
        found = self._log.get(sorted(set(refs)))
        return {
            position: _values(event.payload)
            for position, event in found.items()
            if isinstance(event.payload, ToolReturned)
        }

    def changes(self, after: int) -> Changes:
        """Return what happened after a position; the work is in proportion to what is new."""
        root = self._roots()
        sessions = self._sessions("turn.last > ? AND turn.started", after)
        position = max(after, *(self._last(table) for table in ("facts", "links", "erasures")))
        return Changes(position, tuple(sorted(set(map(root, sessions)))), self._is_reset(after))

    def conversations(self) -> int:
        """Count the conversations in which anything was done."""
        return len(set(map(self._roots(), self._sessions("turn.started AND turn.calls"))))

    def calls(self) -> int:
        """Count the calls that mining can use."""
        return self._sum("calls")

    def newest_session(self) -> str:
        """Return the session in which something was done last; empty where nothing was."""
        rows = self._store.query(
            "SELECT session.name FROM view_history_turns AS turn JOIN view_history_sessions AS session USING (session)"
            " WHERE turn.started ORDER BY turn.ended_at DESC, turn.last DESC LIMIT 1"
        )
        return str(rows[0][0]) if rows else ""

    def kin(self, session: str) -> tuple[str, ...]:
        """Return every session of one conversation: what it was split into, delegated or branched.

        Other sessions of the same scheduled job are conversations of their own.
        """
        links = {name: Link(link.parent, None) for name, link in self._links().items()}
        root = roots(links)
        whole = root(session)
        return tuple(sorted({session, whole, *(name for name in links if root(name) == whole)}))

    def without_lineage(self, conversations: Iterable[str]) -> int:
        """Count those conversations of which the host never said whether they go on from another (case B005)."""
        links = self._links()
        return sum(links.get(one) == Link(None, None) for one in set(conversations))

    def hidden_calls(self) -> int:
        """Count the calls that were announced and never seen (case B001)."""
        return self._sum("hidden")

    def occurrences(self, signatures: Sequence[str], since: datetime) -> tuple[Occurrence, ...]:
        """Find where a sequence of calls was done by hand from a moment on, the oldest first (design 4: manual runs).

        An occurrence is contiguous, successful and without a pause; two of one turn do not overlap.
        """
        start = since.timestamp()
        runs = list(segment(self._of(self._turns("turn.ended_at >= ?", start))))
        numbers = {text: number for number, text in enumerate(self._texts)}
        wanted = tuple(numbers.get(text, UNREAD) for text in signatures)
        places = (found for run in runs for found in _places(run, wanted, start))
        return tuple(sorted(places, key=lambda found: found.refs))

    def _turns(self, where: str, *parameters: float | str) -> list[tuple[str, str, bytes]]:
        return self._store.query(_TURNS.format(where=where), parameters)

    def _of(self, turns: Sequence[tuple[str, str, bytes]]) -> Iterator[CallRow]:
        self._learn()
        root = self._roots()
        by_conversation: dict[str, list[tuple[str, bytes]]] = {}
        for turn, session, rows in turns:
            by_conversation.setdefault(root(session), []).append((turn, rows))
        for conversation, parts in by_conversation.items():
            for turn, rows in parts:
                yield from self._unpacked(conversation, turn, rows)

    def _unpacked(self, conversation: str, turn: str, rows: bytes) -> Iterator[CallRow]:
        numbers, tools = self._numbers, self._tools
        group, name = -1, ""
        for position, key, at, request, flags in ROW.iter_unpack(rows):
            if request != group:
                group, name = request, f"{turn}#{request}"
            number = numbers[key] if key in numbers else self._number(key)
            yield CallRow(
                position,
                conversation,
                turn,
                number,
                tools[number],
                name,
                bool(flags & OK),
                bool(flags & BREAKS),
                at,
            )

    def _number(self, key: int) -> int:
        number = self._numbers[key] = len(self._texts)
        text, tool = self._known[key]
        self._texts.append(text)
        self._tools.append(tool)
        return number

    def _learn(self) -> None:
        rows = self._store.query("SELECT signature, text, tool FROM view_history_signatures")
        self._known = {key: (text, tool) for key, text, tool in rows}

    def _roots(self) -> Callable[[str], str]:
        return roots(self._links())

    def _links(self, until: int = LATEST) -> dict[str, Link]:
        links: dict[str, Link] = {}
        for session, parent, job in self._store.query(
            "SELECT session, parent, job FROM view_history_links WHERE position <= ? ORDER BY position",
            (until,),
        ):
            before = links.get(session, Link(None, None))
            links[session] = Link(parent or before.parent, job or before.job)
        return links

    def _is_reset(self, after: int) -> bool:
        if self._last("erasures") > after:
            return True
        if self._last("links") <= after:
            return False
        before, now = roots(self._links(after)), self._roots()
        moved = [session for session in self._links() if before(session) != now(session)]
        return bool(
            self._sessions(
                "session.name IN (SELECT value FROM json_each(?)) AND turn.first <= ?", dumps(moved), after
            )
        )

    def _sessions(self, where: str, *parameters: float | str) -> list[str]:
        rows = self._store.query(
            "SELECT DISTINCT session.name FROM view_history_turns AS turn"
            f" JOIN view_history_sessions AS session USING (session) WHERE {where}",
            parameters,
        )
        return [name for (name,) in rows]

    def _last(self, table: str) -> int:
        ((position,),) = self._store.query(f"SELECT max(position) FROM view_history_{table}")
        return position or 0

    def _sum(self, column: str) -> int:
        ((total,),) = self._store.query(
            f"SELECT coalesce(sum({column}), 0) FROM view_history_turns WHERE started"
        )
        return int(total)


def _values(told: ToolReturned) -> CallValues:
    return CallValues(
        args=told.args,
        result=told.result,
        textual=told.textual,
        exit_code=told.exit_code,
        duration_ms=told.duration_ms,
        truncated=told.truncated,
    )


def _places(run: Run, wanted: tuple[int, ...], start: float) -> Iterator[Occurrence]:
    """Yield where a run holds the wanted signatures and begins late enough, from left to right without overlap."""
    width, index = len(wanted), 0
    while width and index + width <= len(run.refs):
        if run.signatures[index : index + width] == wanted and (run.at[index] or 0.0) >= start:
            yield Occurrence(run.conversation, run.turn, run.refs[index : index + width])
            index += width
        else:
            index += 1
