"""The log in SQLite: one file, shared by every process of a profile."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import attrs

from ..clock import Clock, SystemClock
from ..events import Event, NewEvent
from ..events.codec import CODEC, Codec
from ..events.fields import write_time
from .anchor import Anchor, NoAnchor, Noted
from .errors import StoreBusyError, StoreDamagedError
from .faults import persist, translated
from .inspect import inspect_pages, inspect_tables
from .patience import Patience, WriterLock
from .pool import Connect, Pool
from .protocol import Head, Receipt
from .rows import Row, event_of, without_payload
from .schema import INSERT_HEADER, INSERT_PAYLOAD, SELECT, SELECT_EVENTS, check_writable, create
from .transaction import COVERING, WriteTransaction

PAGE = 500
"""Rows a read takes at once: a read lock is never held longer, least of all across a ``yield`` (case B045)."""

_IDS_A_QUERY = 500


class SqliteLog:
    """The event log in one SQLite file; may be used from any thread, and after a fork.

    Args:
        connect: Opens a connection of its own at each call (``plugin_db("kata")`` inside Hermes, else `connect`).
        clock: Tells when an event is recorded.
        anchor: Where the head is noted after each commit.
        patience: How long a writer waits for the lock.
        read_wait: Seconds a read waits for a writer to finish (not in WAL mode).
    """

    def __init__(
        self,
        connect: Connect,
        clock: Clock | None = None,
        *,
        anchor: Anchor | None = None,
        patience: Patience | None = None,
        read_wait: float = 2.0,
        codec: Codec = CODEC,
    ) -> None:
        self._pool = Pool(connect)
        self._clock = clock or SystemClock()
        self._anchor = anchor or NoAnchor()
        self._patience = patience or Patience()
        self._reading = attrs.evolve(self._patience, seconds=read_wait)
        self._codec = codec
        self._writer = WriterLock()

    @contextmanager
    def transaction(self, *, wait: float | None = None) -> Iterator["SqliteTransaction"]:
        patience = self._patience if wait is None else attrs.evolve(self._patience, seconds=wait)
        with self._writer.hold(patience.seconds), translated(), self._pool.lend() as lent:
            with (
                _begun(lent.connection, patience),
                SqliteTransaction(lent.connection, self._now, self._codec) as transaction,
            ):
                yield transaction
                noted = self._noting(transaction) if transaction.grew else None
            lent.is_made = True
            if noted is not None:
                self._anchor.write(noted)
            if transaction.erased:
                with suppress(StoreBusyError):  # where a reader stays for too long, the next erasure does it
                    _empty_wal(lent.connection, patience)

    def append(self, stream: str, expected_version: int, events: Sequence[NewEvent]) -> Receipt:
        with self.transaction() as transaction:
            return transaction.append(stream, expected_version, events)

    def read(self, after: int = 0, *, limit: int | None = None, types: Sequence[str] = ()) -> Iterator[Event]:
        among = f" AND type IN ({_marks(types)})" if types else ""
        left = limit
        while left is None or left > 0:
            size = PAGE if left is None else min(PAGE, left)
            sql = f"{SELECT_EVENTS} position > ?{among} ORDER BY position LIMIT ?"
            page = self._query(sql, (after, *types, size))
            yield from self._events(page)
            if len(page) < size:
                return
            after = Row._make(page[-1]).position
            left = None if left is None else left - size

    def read_stream(self, stream: str, after_version: int = 0) -> Iterator[Event]:
        sql = f"{SELECT_EVENTS} stream = ? AND version > ? ORDER BY version LIMIT ?"
        while page := self._query(sql, (stream, after_version, PAGE)):
            yield from self._events(page)
            after_version = Row._make(page[-1]).version

    def get(self, positions: Sequence[int]) -> dict[int, Event]:
        events: dict[int, Event] = {}
        for chunk in _chunks(positions):
            sql = f"{SELECT_EVENTS} position IN ({_marks(chunk)})"
            events |= {event.position: event for event in self._events(self._query(sql, chunk))}
        return events

    def head(self) -> Head:
        rows = self._query("SELECT position, hash FROM events ORDER BY position DESC LIMIT 1", (), _readable)
        return Head(*rows[0]) if rows else Head(0, "")

    def spool_offsets(self) -> dict[str, int]:
        return dict(self._query("SELECT segment, bytes FROM spool_offsets"))

    def rows(self, after: int = 0) -> Iterator[Row]:
        sql = f"{SELECT} position > ? ORDER BY position LIMIT ?"
        while page := self._query(sql, (after, PAGE), _readable):
            rows = list(map(Row._make, page))
            yield from rows
            after = rows[-1].position

    def inspect(self) -> None:
        """Check the file around the events: pages, indexes, tables and triggers.

        Raises:
            StoreDamagedError: something is not what Kata made of it.
        """
        with translated(), self._pool.lend() as lent:
            persist(self._reading, lambda: inspect_pages(lent.connection))
            if lent.has_tables():
                persist(self._reading, lambda: inspect_tables(lent.connection))

    def check_writable(self) -> None:
        """See that this Kata may write here.

        Raises:
            NewerKataError: a newer Kata made the tables.
        """
        with translated(), self._pool.lend() as lent:
            persist(self._reading, lambda: check_writable(lent.connection))

    def compact(self) -> None:
        """Write the file anew and empty the write-ahead log: no gap in a page keeps what was erased.

        Raises:
            StoreError: others kept it locked, or there is no room for a second file.
        """
        with self._writer.hold(self._patience.seconds), translated(), self._pool.lend() as lent:
            persist(self._patience, lambda: lent.connection.execute("VACUUM"))
            _empty_wal(lent.connection, self._patience)

    def is_readable(self) -> bool:
        """Tell whether the file's pages can be read; somebody else's lock says nothing against it."""
        try:
            with translated(), self._pool.lend() as lent:
                persist(self._reading, lambda: inspect_pages(lent.connection))
        except StoreDamagedError:
            return False
        return True

    def close(self) -> None:
        self._pool.close()

    def _noting(self, transaction: "SqliteTransaction") -> Noted | None:
        try:
            noted = self._anchor.read()
        except OSError:  # it cannot be read just now: the next commit notes the end
            return None
        if noted is None and transaction.is_first:
            noted = Noted(Head(0, ""))
            self._anchor.write(noted)  # before anybody sees the first event, and finds nothing noted
        return transaction.noting(noted)

    def _now(self) -> str:
        return write_time(self._clock.now())

    def _events(self, rows: Iterable[tuple[Any, ...]]) -> Iterator[Event]:
        for row in map(Row._make, rows):
            yield event_of(row, self._codec)

    def _query(self, sql: str, values: Sequence[Any] = (), text: Any = str) -> list[Any]:
        with translated(), self._pool.lend() as lent:
            lent.connection.text_factory = text
            return persist(self._reading, lambda: lent.query(sql, values))


class SqliteTransaction(WriteTransaction):
    """A ``BEGIN IMMEDIATE`` under way."""

    def __init__(self, connection: sqlite3.Connection, now: Callable[[], str], codec: Codec) -> None:
        self._connection: sqlite3.Connection | None = connection
        self.erased = False
        last = self._execute("SELECT position, hash FROM events ORDER BY position DESC LIMIT 1").fetchone()
        super().__init__(Head(*last) if last else Head(0, ""), now, codec)

    def __enter__(self) -> "SqliteTransaction":
        return self

    def __exit__(self, *_: object) -> None:
        """End: nothing more can be written through this object."""
        self._connection = None

    def count_streams(self, prefix: str) -> int:
        sql = "SELECT count(*) FROM events WHERE version = 1 AND stream >= ? AND substr(stream, 1, ?) = ?"
        (count,) = self._execute(sql, (prefix, len(prefix), prefix)).fetchone()
        return int(count)

    def spool_offset(self, segment: str) -> int:
        row = self._execute("SELECT bytes FROM spool_offsets WHERE segment = ?", (segment,)).fetchone()
        return int(row[0]) if row else 0

    def move_spool_offset(self, segment: str, offset: int) -> None:
        self._execute("INSERT OR REPLACE INTO spool_offsets VALUES (?, ?)", (segment, offset))

    def forget_spool_offsets(self, segments: Sequence[str]) -> None:
        for segment in segments:
            self._execute("DELETE FROM spool_offsets WHERE segment = ?", (segment,))

    def _stored_version(self, stream: str) -> int:
        (version,) = self._execute("SELECT max(version) FROM events WHERE stream = ?", (stream,)).fetchone()
        return version or 0

    def _find(self, event_ids: Sequence[str]) -> Mapping[str, Row]:
        found: dict[str, Row] = {}
        for chunk in _chunks(event_ids):
            sql = f"{SELECT} event_id IN ({_marks(chunk)})"
            found |= {row.event_id: row for row in map(Row._make, self._execute(sql, chunk))}
        return found

    def _insert(self, rows: Sequence[Row]) -> None:
        self._open().executemany(INSERT_HEADER, map(without_payload, rows))
        self._open().executemany(INSERT_PAYLOAD, ((row.position, row.payload) for row in rows))

    def _hash_at(self, position: int) -> str | None:
        row = self._execute("SELECT hash FROM events WHERE position = ?", (position,)).fetchone()
        return str(row[0]) if row else None if position else ""

    def _covers_an_erasure(self, first: int, last: int) -> bool:
        sql = f"{SELECT} position BETWEEN ? AND ? AND type IN ({_marks(COVERING)}) LIMIT 1"
        return self._execute(sql, (first, last, *COVERING)).fetchone() is not None

    def _erase(self, covering: int, ranges: Sequence[tuple[int, int]]) -> None:
        self._execute("INSERT INTO erasing VALUES (?)", (covering,))
        self._open().executemany("DELETE FROM payloads WHERE position BETWEEN ? AND ?", ranges)
        self._execute("DELETE FROM erasing")
        self.erased = True

    def _execute(self, sql: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        return self._open().execute(sql, values)

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            raise RuntimeError("the transaction is over")
        return self._connection


@contextmanager
def _begun(connection: sqlite3.Connection, patience: Patience) -> Iterator[None]:
    """Begin, and commit or roll back whatever happens inside (case B044)."""
    persist(patience, lambda: connection.execute("BEGIN IMMEDIATE"))
    try:
        check_writable(connection)
        create(connection)
        yield
        persist(patience, lambda: connection.execute("COMMIT"))
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _empty_wal(connection: sqlite3.Connection, patience: Patience) -> None:
    """Leave no erased byte in a write-ahead log.

    Raises:
        StoreBusyError: a reader stays for too long.
    """

    def attempt() -> bool:
        (busy, *_), *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return not busy

    patience.retry(attempt)


def _readable(text: bytes) -> str:
    """Decode what may have been tampered with: a wrong byte must show in the chain, not stop the reader."""
    return text.decode("utf-8", "surrogateescape")


def _marks(values: Sequence[Any]) -> str:
    return ", ".join("?" * len(values))


def _chunks(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(values), _IDS_A_QUERY):
        yield values[start : start + _IDS_A_QUERY]
