"""Where the views live: tables beside the log, with a checkpoint for each projection."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import attrs

from ..json import dumps, loads
from ..store.faults import is_busy, translated
from ..store.patience import Patience
from ..store.schema import check_writable
from .projection import Projection, Table

_CHECKPOINTS = """CREATE TABLE IF NOT EXISTS view_checkpoints (
    name TEXT PRIMARY KEY, version INTEGER NOT NULL, position INTEGER NOT NULL, tables TEXT NOT NULL
) WITHOUT ROWID"""
_NEVER = 0
_PRAGMAS = ("secure_delete=ON", "journal_size_limit=4194304", "cache_size=-8192")

LONGEST_WAIT = 2.0
"""Seconds that SQLite itself waits for a lock: to read, or to commit behind readers."""


@attrs.frozen
class Checkpoint:
    """How far a projection is, and which version of it wrote the tables."""

    version: int
    position: int
    tables: tuple[str, ...]

    def fits(self, projection: Projection) -> bool:
        """Tell whether the tables have this projection's form, though they may wait for a rebuild."""
        return self.version in (projection.version, _NEVER)


class ViewStore:
    """The tables of the views in one SQLite database; one thread at a time.

    Args:
        connection: From the log's own connection factory, so that both live in one file; for a log in memory any
            ``:memory:`` connection. It belongs to this object from now on.
        patience: How long a writer waits for the lock.
    """

    def __init__(self, connection: sqlite3.Connection, patience: Patience | None = None) -> None:
        self.connection = connection
        self._patience = patience or Patience()
        connection.isolation_level = None
        wait = min(LONGEST_WAIT, self._patience.seconds)
        for pragma in (*_PRAGMAS, f"busy_timeout={int(wait * 1000)}"):
            connection.execute(f"PRAGMA {pragma}").fetchall()

    def close(self) -> None:
        """Give the connection back."""
        self.connection.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Hold the write lock for a block; roll back when it raises.

        Raises:
            StoreBusyError: the lock was not to be had in time.
            NewerKataError: a newer Kata made the log beside the views; they are only read.
        """
        with translated():
            self._patience.retry(self._begin)
            try:
                check_writable(self.connection)
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    def query(self, sql: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> list[tuple[Any, ...]]:
        """Return all rows at once: no read lock outlives the call.

        Raises:
            StoreError: the database cannot be read.
        """
        with translated():
            return self.connection.execute(sql, parameters).fetchall()

    def checkpoints(self) -> dict[str, Checkpoint]:
        """Return every projection's checkpoint by name; empty for a new database."""
        if not self.has_table("view_checkpoints"):
            return {}
        rows = self.query("SELECT name, version, position, tables FROM view_checkpoints ORDER BY name")
        return {
            name: Checkpoint(version, position, tuple(loads(tables)))
            for name, version, position, tables in rows
        }

    def is_current(self, projection: Projection) -> bool:
        """Tell whether this version of a projection wrote its tables, so that they can be read."""
        found = self.checkpoints().get(projection.name)
        return found is not None and found.version == projection.version

    def prepare(self, projections: Sequence[Projection]) -> None:
        """Make the tables of projections that this database has never seen; others are left alone."""
        if not self._missing(projections):
            return
        with self.transaction() as connection:
            connection.execute(_CHECKPOINTS)
            for projection in self._missing(projections):
                self._create(projection)

    def mark(self, names: Iterable[str], position: int) -> None:
        """Move checkpoints on, inside a transaction."""
        self.connection.executemany(
            "UPDATE view_checkpoints SET position = ? WHERE name = ?", [(position, name) for name in names]
        )

    def outdate(self, names: Iterable[str]) -> None:
        """Have projections rebuilt by whoever comes next, inside a transaction."""
        self.connection.executemany(
            "UPDATE view_checkpoints SET version = ? WHERE name = ?", [(_NEVER, name) for name in names]
        )

    def replace(self, projection: Projection, source: "ViewStore") -> None:
        """Take a projection's tables and checkpoint over from another store, inside a transaction."""
        found = self.checkpoints().get(projection.name)
        for name in {*projection.tables, *(found.tables if found else ())}:
            self.connection.execute(f"DROP TABLE IF EXISTS {name}")
        self._create(projection)
        for name, table in projection.tables.items():
            self._fill(name, source.rows(name, table))
        self.mark((projection.name,), source.checkpoints()[projection.name].position)

    def rows(self, name: str, table: Table) -> Iterator[tuple[Any, ...]]:
        """Yield a table's rows in the order of its key."""
        yield from self.connection.execute(f"SELECT * FROM {name} ORDER BY {', '.join(table.key)}")

    def has_table(self, name: str) -> bool:
        """Tell whether a table is there."""
        return bool(self.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)))

    def dump(self, projection: Projection) -> bytes:
        """Write a projection's tables as canonical text: equal content, equal bytes."""
        lines = []
        for name, table in sorted(projection.tables.items()):
            lines.append(name)
            lines.extend(dumps([_plain(value) for value in row]) for row in self.rows(name, table))
        return "\n".join(lines).encode("ascii")

    def _missing(self, projections: Sequence[Projection]) -> list[Projection]:
        known = self.checkpoints()
        return [one for one in projections if one.name not in known]

    def _create(self, projection: Projection) -> None:
        for name, table in projection.tables.items():
            self.connection.execute(f"CREATE TABLE IF NOT EXISTS {name} ({table.columns})")
            for index in table.indexes:
                self.connection.execute(index)
        self.connection.execute(
            "INSERT OR REPLACE INTO view_checkpoints VALUES (?, ?, 0, ?)",
            (projection.name, projection.version, dumps(sorted(projection.tables))),
        )

    def _fill(self, name: str, rows: Iterator[tuple[Any, ...]]) -> None:
        first = next(rows, None)
        if first is None:
            return
        insert = f"INSERT INTO {name} VALUES ({', '.join('?' * len(first))})"
        self.connection.execute(insert, first)
        self.connection.executemany(insert, rows)

    def _begin(self) -> bool:
        try:
            self.connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if is_busy(error):
                return False
            raise
        return True


def _plain(value: Any) -> Any:
    return {"hex": value.hex()} if isinstance(value, bytes) else value
