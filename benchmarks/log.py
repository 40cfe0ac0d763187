"""What the log costs: recording one event, draining the spool, deciding, and replaying one stream into state."""

import gc
import itertools
import json
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import attrs

from kata.clock import SystemClock, SystemIds
from kata.events import Actor, ActorKind, NewEvent, Surface
from kata.events.catalogue import KataEnabled, Outcome, ToolReturned
from kata.events.codec import decode_payload
from kata.events.record import encode_new
from kata.redact import Keeper
from kata.store import Spool, SqliteLog, connect, drain
from kata.store.rows import Row, build_row, without_payload
from kata.store.schema import INSERT_HEADER, INSERT_PAYLOAD, STATEMENTS

ACTOR = Actor(kind=ActorKind.SYSTEM, id="kata", surface=Surface.HOOK)
IDS, CLOCK = SystemIds(), SystemClock()
ARGS = {"path": "src/app/main.py", "offset": 120, "limit": 80, "encoding": "utf-8"}
RESULT = {
    "content": "\n".join(
        f"{number}: value_{number} = compute({number}, scale=0.5)" for number in range(120, 128)
    ),
    "matches": [{"path": f"src/app/part_{number}.py", "line": number} for number in range(4)],
    "total_lines": 842,
    "truncated": False,
}


def returned(args: Any = None, result: Any = None) -> ToolReturned:
    """A tool's answer whose payload is about 1 KB."""
    return ToolReturned(
        session_id="20261001_090000_a1b2c3",
        turn_id="01a22d35-e0c6-7d4b-a8e2-f025e9b236d1",
        request_id="20261001_090000_a1b2c3:api:7",
        call_id="call_0123456789abcdef",
        task_id="default",
        tool="read_file",
        args=ARGS if args is None else args,
        result=RESULT if result is None else result,
        textual=False,
        status="ok",
        error_type=None,
        outcome=Outcome.OK,
        exit_code=None,
        duration_ms=12,
        truncated=False,
        masked=0,
    )


def event(stream: str = "session/20261001_090000_a1b2c3", payload: Any = None) -> NewEvent:
    return NewEvent(
        stream=stream,
        event_id=IDS.new(),
        payload=payload or returned(),
        occurred_at=CLOCK.now(),
        actor=ACTOR,
        correlation_id="turn",
    )


def ready_rows(count: int) -> list[Row]:
    """Rows that need nothing but to be inserted."""
    rows, previous = [], ""
    for position in range(1, count + 1):
        rows.append(
            build_row(encode_new(event()), position, position, "2026-10-01T09:00:00.000000Z", previous)
        )
        previous = rows[-1].hash
    return rows


def table(path: Path, mode: str, synchronous: str) -> sqlite3.Connection:
    """The log's own tables without its triggers."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA journal_mode={mode}").fetchall()
    connection.execute(f"PRAGMA synchronous={synchronous}")
    for statement in STATEMENTS:
        if "TRIGGER" not in statement:
            connection.execute(statement)
    return connection


def insert(connection: sqlite3.Connection, rows: list[Row]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    connection.executemany(INSERT_HEADER, map(without_payload, rows))
    connection.executemany(INSERT_PAYLOAD, ((row.position, row.payload) for row in rows))
    connection.execute("COMMIT")


@attrs.frozen
class Contender:
    """Something that is done ``size`` times a call."""

    run: Callable[[], object]
    size: int = 1


def take_turns(
    contenders: list[Contender], rounds: int, clock: Callable[[], float] = time.perf_counter
) -> list[list[float]]:
    """Return each contender's microseconds a piece, round by round; they take turns, in rotated order."""
    times: list[list[float]] = [[] for _ in contenders]
    gc.collect()
    gc.freeze()  # what one contender keeps ready is no work for another's collector
    for turn in range(rounds):
        for offset in range(len(contenders)):
            index = (turn + offset) % len(contenders)
            began = clock()
            contenders[index].run()
            times[index].append((clock() - began) / contenders[index].size * 1e6)
    gc.unfreeze()
    return times


def compare(ours: list[float], other: list[float]) -> float:
    """Return the median of the rounds' ratios."""
    return statistics.median(mine / theirs for mine, theirs in zip(ours, other, strict=True))


def row(
    name: str, ours: list[float], reference: str, other: list[float], bar: float | None
) -> dict[str, Any]:
    ratio = compare(ours, other)
    return {
        "name": f"{name}: {statistics.median(ours):.1f} us",
        "reference": f"{reference}: {statistics.median(other):.1f} us",
        "ratio": round(ratio, 3),
        "bar": bar,
        "ok": None if bar is None else ratio <= bar,
    }


def recording(folder: Path, rounds: int) -> list[dict[str, Any]]:
    """One event from the hook's hand to the spool, beside one row into the same tables.

    So many are taken at a time that what each does now and then (a checkpoint of the WAL, a new segment) is in every figure.
    """
    many, few = 500, 25  # a row in DELETE mode takes so long that few will do
    spool, keeper = Spool(folder / "spool"), Keeper(b"k" * 32)
    rows = iter(ready_rows(rounds * (many + few)))
    delete, wal = table(folder / "d.db", "DELETE", "NORMAL"), table(folder / "w.db", "WAL", "NORMAL")

    def plain() -> None:
        for _ in range(many):
            spool.append(event())

    def masked() -> None:
        for _ in range(few):
            spool.append(event(payload=returned(keeper.keep(ARGS).value, keeper.keep(RESULT).value)))

    def inserting(connection: sqlite3.Connection, count: int) -> Callable[[], None]:
        numbers = itertools.count(1)

        def run() -> None:
            for _ in range(count):
                insert(connection, [next(rows)._replace(position=next(numbers))])

        return run

    contenders = [
        Contender(plain, many),
        Contender(masked, few),
        Contender(inserting(delete, few), few),
        Contender(inserting(wal, many), many),
    ]
    off, on, in_delete, in_wal = take_turns(contenders, rounds)
    spool.close()
    return [
        row("recording 1 KB, masking off", off, "the same row, DELETE", in_delete, 1 / 8),
        row("recording 1 KB, masking off", off, "the same row, WAL", in_wal, 1.0),
        row("recording 1 KB, masking on", on, "the same row, DELETE", in_delete, 1 / 4),
    ]


def draining(folder: Path, rounds: int) -> list[dict[str, Any]]:
    """Spooled events into the log, beside the same tables filled with ready rows, 100 a transaction."""
    size = 500
    spool = Spool(folder / "drained")
    log = SqliteLog(lambda: connect(folder / "log.db"))
    plain = table(folder / "rows.db", "DELETE", "FULL")
    rows = ready_rows(rounds * size)
    places = iter(range(0, len(rows), size))
    times: list[list[float]] = [[], []]
    for _ in range(rounds):
        for _ in range(size):
            spool.append(event())
        start = next(places)
        began = time.perf_counter()
        drain(log, spool.folder, seconds=600)
        middle = time.perf_counter()
        for first in range(start, start + size, 100):
            insert(plain, rows[first : first + 100])
        times[0].append((middle - began) / size * 1e6)
        times[1].append((time.perf_counter() - middle) / size * 1e6)
        spool.rotate()
    log.close()
    spool.close()
    return [row("drain, an event", times[0], "the same tables, 100 ready rows a transaction", times[1], 4.0)]


def deciding(folder: Path, rounds: int) -> list[dict[str, Any]]:
    """One decision, checked, chained and synced, beside the bare row in the same journal mode."""
    block = 10
    log = SqliteLog(lambda: connect(folder / "decisions.db"))
    plain = table(folder / "bare.db", "DELETE", "FULL")
    rows = iter(ready_rows(rounds * block))
    version = itertools.count()

    def decide() -> None:
        for _ in range(block):
            log.append("kata/a", next(version), [event("kata/a", KataEnabled(version=1, digest="d" * 64))])

    def bare() -> None:
        for _ in range(block):
            insert(plain, [next(rows)])

    ours, other = take_turns([Contender(decide, block), Contender(bare, block)], rounds)
    log.close()
    return [row("a decision", ours, "the bare row, DELETE and FULL", other, None)]


def replaying(folder: Path, rounds: int, count: int) -> list[dict[str, Any]]:
    """One stream of events into a small state, beside ``eventsourcing`` on SQLite with the same events."""
    log = SqliteLog(lambda: connect(folder / "stream.db"))
    with log.transaction() as transaction:
        transaction.take([encode_new(event()) for _ in range(count)])
    stored = [(one.type, one.schema, one.payload) for one in log.rows()]

    def fold() -> dict[str, int]:
        calls: dict[str, int] = {}
        for one in log.read_stream("session/20261001_090000_a1b2c3"):
            calls[one.payload.tool] = calls.get(one.payload.tool, 0) + 1
        return calls

    def decode() -> None:
        for one in stored:
            decode_payload(*one)

    assert fold() == {"read_file": count}
    contenders = [Contender(fold, count), Contender(decode, count)]
    other = eventsourcing_fold(folder, count)
    if other is not None:
        contenders.append(Contender(other, count))
    ours, decoding, *theirs = take_turns(contenders, rounds, time.process_time)  # both read what is cached
    log.close()
    name = f"replay of one stream, an event ({compare(decoding, ours):.0%} of it decoding)"
    if not theirs:
        return [row(name, ours, "its decoding alone", decoding, None)]
    return [row(name, ours, f"eventsourcing {version('eventsourcing')} on SQLite", theirs[0], 0.5)]


def eventsourcing_fold(folder: Path, count: int) -> Callable[[], object] | None:
    """Return the same replay done by ``eventsourcing``; None where it is not installed."""
    try:
        from eventsourcing.application import Application
        from eventsourcing.domain import Aggregate
        from eventsourcing.domain import event as happens
    except ImportError:
        return None

    class Session(Aggregate):
        def __init__(self) -> None:
            self.calls: dict[str, int] = {}

        @happens("Returned")
        def returned(self, call: dict[str, Any]) -> None:
            self.calls[call["tool"]] = self.calls.get(call["tool"], 0) + 1

    settings = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(folder / "peer.db")}
    application: Any = Application(env=settings)
    session = Session()
    for _ in range(count):
        session.returned(json.loads(encode_new(event()).payload))
    application.save(session)
    return lambda: application.repository.get(session.id)


def rows(*, smoke: bool = False) -> list[dict[str, Any]]:
    """Measure and return one row a comparison: name, reference, ratio, bar, ok (None where there is no bar)."""
    rounds = 3 if smoke else 21
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return [
            *recording(folder, rounds),
            *draining(folder, rounds),
            *deciding(folder, rounds),
            *replaying(folder, 3 if smoke else 7, 300 if smoke else 5000),
        ]


if __name__ == "__main__":
    for one in rows(smoke="--smoke" in sys.argv):
        print(json.dumps(one))
