"""Events to store and places to store them in."""

import sqlite3

from kata.clock import CountingIds, ManualClock
from kata.events import Actor, ActorKind, NewEvent, Surface
from kata.events.catalogue import HistoryForgotten, KataRejected, Outcome, SessionReset, ToolReturned
from kata.store.connect import connect

PERSON = Actor(kind=ActorKind.HUMAN, id="ann", surface=Surface.CLI)
KATA = Actor(kind=ActorKind.SYSTEM, id="kata", surface=Surface.HOOK)


class Maker:
    """Makes events whose ids and times count up."""

    def __init__(self, prefix=0):
        self.ids = CountingIds(prefix)
        self.clock = ManualClock()

    def event(self, stream, payload, actor=KATA, event_id=None):
        return NewEvent(
            stream=stream,
            event_id=event_id or self.ids.new(),
            payload=payload,
            occurred_at=self.clock.now(),
            actor=actor,
            correlation_id="because",
        )

    def decided(self, stream, note=""):
        return self.event(stream, KataRejected(note=note), PERSON)

    def noted(self, stream="session/1", note=""):
        return self.event(stream, SessionReset(session_id="s", old_session_id=None, reason=note))

    def forgotten(self, *ranges):
        count = sum(last - first + 1 for first, last in ranges)
        return self.event("log", HistoryForgotten(positions=ranges, count=count, what="a session"), PERSON)

    def called(self, stream="session/1", text="x" * 500):
        payload = ToolReturned(
            session_id="s",
            turn_id="t",
            request_id="r",
            call_id="c",
            task_id="k",
            tool="read_file",
            args={"path": "a/b.txt"},
            result={"content": text},
            textual=False,
            status="ok",
            error_type=None,
            outcome=Outcome.OK,
            exit_code=None,
            duration_ms=3,
            truncated=False,
            masked=0,
        )
        return self.event(stream, payload)


def connect_wal(path):
    """Open a database with a write-ahead log, whatever SQLite is here: tests only."""
    connection = connect(path)
    connection.execute("PRAGMA journal_mode=WAL").fetchall()
    return connection


def tamper(path, *statements):
    """Change the file behind Kata's back."""
    with sqlite3.connect(path) as connection:
        triggers = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for (name,) in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(*statement) if isinstance(statement, tuple) else connection.execute(statement)
    connection.close()


def tamper_unseen(path, *statements):
    """Change the file behind Kata's back, and leave everything around the events as it was."""
    with sqlite3.connect(path) as connection:
        guards = connection.execute("SELECT sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    connection.close()
    tamper(path, *statements, *(sql for (sql,) in guards))


def update(column, value, position):
    """The statement that changes one column of one event, wherever it stands."""
    table, column = ("payloads", "body") if column == "payload" else ("events", column)
    return f"UPDATE {table} SET {column} = ? WHERE position = ?", (value, position)
