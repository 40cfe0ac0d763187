"""What the history is made of: facts of turns by position, and each turn's rows packed for mining (design 5)."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ..events import Event, Surface
from ..events.catalogue import AnnouncedCall, Outcome, SessionLinked, SubagentStarted, ToolReturned
from ..json import dumps
from ..miner.signature import signature
from .codec import text_key
from .order import BREAKS, NESTED, NO_CALL_ID, OK, PAIR, Fact, Kind, ordered
from .projection import Batch, Projection, Table, erased_positions, storable

TRANSPARENT = frozenset({"tool_search", "tool_describe", "todo_list", "todo"})
"""Tools that a routine looks through: they are no calls of it and break nothing (design 6.1)."""

CONVERSATIONAL = frozenset({"clarify", "memory", "session_search", "delegate_task"})
"""Tools that end a run of calls; so does every compiled tool (design 6.1, case B013)."""

COMPILED = "kata_"

_key = lru_cache(maxsize=8192)(text_key)

_TURN = "INSERT OR REPLACE INTO view_history_turns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


class _Turns(Batch):
    """Stores facts, and arranges each touched turn, once a page.

    Of a turn that the tables do not have yet every fact is at hand; of others they are read back.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self._facts: dict[int, list[Fact]] = {}
        self._names: dict[int, str] = {}
        self._touched: set[int] = set()
        self._sessions: set[int] = set()
        self._signatures: set[int] = set()
        self._erased = False

    def started(self, event: Event) -> None:
        self._fact(event, Kind.STARTED)

    def ended(self, event: Event) -> None:
        self._fact(event, Kind.ENDED)

    def answered(self, event: Event) -> None:
        announced = b"".join(map(_pair, event.payload.announced))
        self._fact(event, Kind.ANSWERED, event.payload.request_id, announced)

    def returned(self, event: Event) -> None:
        told: ToolReturned = event.payload
        if told.tool in TRANSPARENT or not told.turn_id:
            return
        flags = _flags(told) | (NESTED if _is_nested(event) else 0)
        call = (_call_key(told.call_id), _key(told.tool), self._signature(told), flags, _key(told.task_id))
        self._fact(event, Kind.RETURNED, told.request_id, b"", *call)

    def linked(self, event: Event) -> None:
        told: SessionLinked = event.payload
        self._link(event.position, told.session_id, told.parent_session_id, told.job)

    def delegated(self, event: Event) -> None:
        told: SubagentStarted = event.payload
        self._link(event.position, told.child_session_id, told.session_id, None)

    def replayed(self, event: Event) -> None:
        """Remember a replay's task: calls under it are no history, whichever hooks fire for them (case B013)."""
        if not event.payload.task_id:
            return
        self.write(
            "INSERT OR REPLACE INTO view_history_replays VALUES (?, ?)",
            (_key(event.payload.task_id), event.position),
        )

    def erase(self, event: Event) -> None:
        self._erased = True
        self._settle()
        self.write("INSERT OR REPLACE INTO view_history_erasures VALUES (?)", (event.position,))
        positions = dumps(erased_positions(event))
        self._touch("position IN (SELECT value FROM json_each(?))", positions)
        if self._replays_among(positions):
            self._touch("task IN (SELECT task FROM view_history_replays)")
        self.drop(event, "view_history_facts", "view_history_links", "view_history_replays")

    def flush(self) -> None:
        self._settle()
        for turn in sorted(self._touched):
            self._arrange(turn)
        if self._erased:
            self._sweep()

    def _fact(self, event: Event, kind: Kind, request: str = "", announced: bytes = b"", *call: int) -> None:
        told = event.payload
        if not told.turn_id:
            return
        turn = _key(told.turn_id)
        within = request.removeprefix(told.turn_id)
        fact = Fact(
            event.position,
            turn,
            kind.value,
            self._session(told.session_id),
            within if within.isascii() else storable([within])[0],
            announced,
            event.occurred_at.timestamp(),
            *call,
        )
        self._facts.setdefault(turn, []).append(fact)
        self._names[turn] = told.turn_id

    def _settle(self) -> None:
        """Write the facts at hand; arrange the turns that are new, and note the others."""
        known = self._known(self._facts)
        self._touched |= known
        facts = [fact for turn in self._facts.values() for fact in turn]
        self.write_all(
            "INSERT OR REPLACE INTO view_history_facts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", facts
        )
        fresh = {turn: found for turn, found in self._facts.items() if turn not in known}
        replays = self._replays(fact.task for fact in facts)
        self.write_all(
            _TURN, [_row(self._names[turn], _nested(found, replays)) for turn, found in fresh.items()]
        )
        self._facts.clear()
        self._names.clear()

    def _known(self, turns: Iterable[int]) -> set[int]:
        """Return those of some turns that the table has."""
        sql = "SELECT turn FROM view_history_turns WHERE turn IN (SELECT value FROM json_each(?))"
        return {turn for (turn,) in self.connection.execute(sql, (dumps(list(turns)),))}

    def _replays(self, tasks: Iterable[int]) -> dict[int, int]:
        """Return where the first replay under each of some tasks began."""
        sql = (
            "SELECT task, min(position) FROM view_history_replays"
            " WHERE task IN (SELECT value FROM json_each(?)) GROUP BY task"
        )
        return dict(self.connection.execute(sql, (dumps(sorted(set(tasks))),)))

    def _session(self, session: str) -> int:
        key = _key(session)
        if key not in self._sessions:
            self._sessions.add(key)
            self.write("INSERT OR IGNORE INTO view_history_sessions VALUES (?, ?)", (key, session))
        return key

    def _signature(self, told: ToolReturned) -> int:
        text = signature(told.tool, told.args)
        key = _key(text)
        if key not in self._signatures:
            self._signatures.add(key)
            self.write(
                "INSERT OR IGNORE INTO view_history_signatures VALUES (?, ?, ?)", (key, text, told.tool)
            )
        return key

    def _link(self, position: int, session: str, parent: str | None, job: str | None) -> None:
        self.write(
            "INSERT OR REPLACE INTO view_history_links VALUES (?, ?, ?, ?)", (position, session, parent, job)
        )

    def _replays_among(self, positions: str) -> bool:
        sql = "SELECT 1 FROM view_history_replays WHERE position IN (SELECT value FROM json_each(?)) LIMIT 1"
        return self.connection.execute(sql, (positions,)).fetchone() is not None

    def _touch(self, where: str, *values: str) -> None:
        """Have the turns of some facts arranged anew."""
        sql = f"SELECT DISTINCT turn FROM view_history_facts WHERE {where}"
        self._touched.update(turn for (turn,) in self.connection.execute(sql, values))

    def _arrange(self, turn: int) -> None:
        sql = "SELECT * FROM view_history_facts WHERE turn = ? ORDER BY position"
        facts = list(map(Fact._make, self.connection.execute(sql, (turn,))))
        if not facts:
            self.write("DELETE FROM view_history_turns WHERE turn = ?", (turn,))
            return
        sql = "SELECT name FROM view_history_turns WHERE turn = ?"
        ((name,),) = self.connection.execute(sql, (turn,))
        replays = self._replays(fact.task for fact in facts)
        self.write(_TURN, _row(name, _nested(facts, replays)))

    def _sweep(self) -> None:
        """Forget the texts that nothing points to any more."""
        for table, column in (("signatures", "signature"), ("sessions", "session")):
            self.write(
                f"DELETE FROM view_history_{table} WHERE {column} NOT IN"
                f" (SELECT {column} FROM view_history_facts)"
            )


def _nested(facts: Sequence[Fact], replays: Mapping[int, int]) -> Sequence[Fact]:
    """Mark the calls that ran under the task of a replay that had begun."""
    if not replays:
        return facts
    return [
        fact._replace(flags=fact.flags | NESTED)
        if replays.get(fact.task, fact.position) < fact.position
        else fact
        for fact in facts
    ]


def _row(name: str, facts: Sequence[Fact]) -> tuple[Any, ...]:
    """Return the row of a turn."""
    found = ordered(facts)
    started = next((fact for fact in facts if fact.kind == Kind.STARTED), None)
    return (
        facts[0].turn,
        name,
        (started or facts[0]).session,
        started is not None,
        any(fact.kind == Kind.ENDED for fact in facts),
        facts[0].position,
        facts[-1].position,
        found.calls,
        found.hidden,
        max(fact.at for fact in facts),
        found.rows,
    )


def _pair(call: AnnouncedCall) -> bytes:
    return b"" if call.tool in TRANSPARENT else PAIR.pack(_call_key(call.call_id), _key(call.tool))


def _call_key(call_id: str) -> int:
    return text_key(call_id) if call_id else NO_CALL_ID


def _flags(told: ToolReturned) -> int:
    ok = OK if told.outcome is Outcome.OK else 0
    breaks = BREAKS if told.tool in CONVERSATIONAL or told.tool.startswith(COMPILED) else 0
    return ok | breaks


def _is_nested(event: Event) -> bool:
    """Tell a call that ran inside another: the model gave it no id; a source of old history may have none to give."""
    return not event.payload.call_id and event.actor.surface is not Surface.IMPORT


HISTORY = Projection(
    name="history",
    version=2,
    tables={
        "view_history_facts": Table(
            "position INTEGER PRIMARY KEY, turn INTEGER NOT NULL, kind INTEGER NOT NULL, session INTEGER NOT NULL,"
            " request TEXT NOT NULL, announced BLOB NOT NULL, at REAL NOT NULL, call INTEGER NOT NULL,"
            " tool INTEGER NOT NULL, signature INTEGER NOT NULL, flags INTEGER NOT NULL, task INTEGER NOT NULL",
            ("position",),
            ("CREATE INDEX IF NOT EXISTS view_history_facts_turn ON view_history_facts (turn)",),
        ),
        "view_history_turns": Table(
            "turn INTEGER PRIMARY KEY, name TEXT NOT NULL, session INTEGER NOT NULL, started INTEGER NOT NULL,"
            " ended INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, calls INTEGER NOT NULL, hidden INTEGER NOT NULL,"
            " ended_at REAL NOT NULL, rows BLOB NOT NULL",
            ("turn",),
            (
                "CREATE INDEX IF NOT EXISTS view_history_turns_last ON view_history_turns (last)",
                "CREATE INDEX IF NOT EXISTS view_history_turns_session ON view_history_turns (session)",
            ),
        ),
        "view_history_signatures": Table(
            "signature INTEGER PRIMARY KEY, text TEXT NOT NULL, tool TEXT NOT NULL", ("signature",)
        ),
        "view_history_sessions": Table("session INTEGER PRIMARY KEY, name TEXT NOT NULL", ("session",)),
        "view_history_links": Table(
            "position INTEGER PRIMARY KEY, session TEXT NOT NULL, parent TEXT, job TEXT", ("position",)
        ),
        "view_history_replays": Table(
            "task INTEGER NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (task, position)",
            ("task", "position"),
        ),
        "view_history_erasures": Table("position INTEGER PRIMARY KEY", ("position",)),
    },
    batch=_Turns,
    handlers={
        "turn.started": _Turns.started,
        "turn.ended": _Turns.ended,
        "model.answered": _Turns.answered,
        "tool.returned": _Turns.returned,
        "session.linked": _Turns.linked,
        "subagent.started": _Turns.delegated,
        "run.started": _Turns.replayed,
    },
    erase=_Turns.erase,
)
