"""Hermes' own history, ``state.db``: read only, a few rows at a time, so that Hermes can write meanwhile."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from ..errors import KataError
from .calls import Found
from .hermes import session_calls

T = TypeVar("T")

MAGIC = b"SQLite format 3\x00"
KNOWN_SCHEMA = 31
"""The newest ``schema_version`` that this reader was made for; a newer one is read as long as the columns are there."""

PAGE = 200
PATIENCE_S = 5.0

_NEEDED = {
    "sessions": ("id", "source"),
    "messages": ("id", "session_id", "role", "content", "tool_call_id", "tool_calls", "timestamp"),
}
_OPTIONAL = {
    "sessions": ("parent_session_id", "started_at"),
    "messages": (
        *("tool_name", "active", "compacted", "observed", "display_kind"),
        *("_compressed_summary", "tool_call_uids", "tool_call_uid"),
    ),
}


class SourceBusyError(KataError):
    """Say that another program holds a source."""

    code = "source_busy"
    hint = "Try again in a moment; what was read before is kept."

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is in use by another program")
        self.path = str(path)


class SourceDamagedError(KataError):
    """Say that a source ends too early or cannot be read to its end."""

    code = "source_damaged"
    hint = "What came before it is imported; import the whole file and the rest is added."

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} cannot be read to its end: {why}")
        self.path, self.why = str(path), why


class SchemaError(KataError):
    """Say that a database of Hermes is of another make than this reader knows."""

    code = "unknown_schema"

    def __init__(self, path: Path, version: int | None, missing: str) -> None:
        known = f"schema {version}" if version is not None else "an unknown schema"
        super().__init__(f"{path} has {known}, without {missing}")
        newer = version is not None and version > KNOWN_SCHEMA
        self.hint = (
            "Update Kata, or import `hermes sessions export`." if newer else "This is no state.db of Hermes."
        )
        self.path, self.version, self.missing = str(path), version, missing


class StateDb:
    """One ``state.db``, open for reading.

    Raises:
        SchemaError: what this reader needs is not there.
        SourceBusyError: another program holds it for longer than five seconds.
        SourceDamagedError: it is no database, or a damaged one.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection = self._tried(lambda: _connect(path))
        self.version = self._version()
        self._columns = {table: self._known(table) for table in _NEEDED}

    def close(self) -> None:
        """Give the connection back."""
        self._connection.close()

    def count(self) -> int:
        """Count the sessions."""
        ((count,),) = self._query("SELECT count(*) FROM sessions")
        return int(count)

    def sessions(self) -> Iterator[Iterator[Found]]:
        """Yield each session's calls, the oldest session first."""
        order = "started_at, id" if "started_at" in self._columns["sessions"] else "id"
        wanted = ", ".join(self._columns["sessions"])
        sql = f"SELECT {wanted} FROM sessions ORDER BY {order}"  # noqa: S608 - names of columns, all constants
        for row in self._rows(sql):
            yield session_calls(row, self._messages(row["id"]))

    def _messages(self, session: str) -> Iterator[dict[str, Any]]:
        """Yield the rows that tell of calls; what people and models said stays unread."""
        wanted = ", ".join(
            "CASE WHEN role = 'tool' THEN content END AS content" if name == "content" else name
            for name in self._columns["messages"]
        )
        sql = f"SELECT {wanted} FROM messages WHERE session_id = ? AND id > ? ORDER BY id LIMIT {PAGE}"  # noqa: S608 - see above
        after = -1
        while rows := self._rows(sql, session, after):
            yield from rows
            after = rows[-1]["id"]

    def _version(self) -> int | None:
        if not self._query("SELECT 1 FROM sqlite_master WHERE name = 'schema_version'"):
            return None
        found = self._query("SELECT max(version) FROM schema_version")
        return found[0][0] if found and isinstance(found[0][0], int) else None

    def _known(self, table: str) -> tuple[str, ...]:
        here = {row["name"] for row in self._rows(f"PRAGMA table_info({table})")}
        for name in _NEEDED[table]:
            if name not in here:
                raise SchemaError(self._path, self.version, f"{table}.{name}")
        return (*_NEEDED[table], *(name for name in _OPTIONAL[table] if name in here))

    def _query(self, sql: str, *values: Any) -> list[Any]:
        return self._tried(lambda: self._connection.execute(sql, values).fetchall())

    def _rows(self, sql: str, *values: Any) -> list[dict[str, Any]]:
        """Return rows by the names of their columns."""
        cursor = self._tried(lambda: self._connection.execute(sql, values))
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in self._tried(cursor.fetchall)]

    def _tried(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise SourceBusyError(self._path) from error
            raise SourceDamagedError(self._path, str(error)) from error
        except sqlite3.DatabaseError as error:
            raise SourceDamagedError(self._path, str(error)) from error


def _connect(path: Path) -> sqlite3.Connection:
    """Open for reading; where no program has it open and its folder cannot be written, as a file that never changes."""
    name = f"file:{quote(str(path.resolve()))}?mode=ro"
    if not path.with_name(f"{path.name}-wal").exists() and not _is_readable(name):
        name += "&immutable=1"
    connection = sqlite3.connect(name, uri=True, timeout=PATIENCE_S, isolation_level=None)
    connection.execute("PRAGMA query_only = ON")
    return connection


def _is_readable(name: str) -> bool:
    with closing(sqlite3.connect(name, uri=True, timeout=PATIENCE_S)) as connection:
        try:
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        except sqlite3.OperationalError as error:
            return error.sqlite_errorcode != sqlite3.SQLITE_CANTOPEN
        return True
