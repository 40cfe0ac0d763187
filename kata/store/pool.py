"""Connections, lent to one thread at a time: made when needed, kept for the next, left alone after a fork."""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import attrs

from ..errors import StoreError
from .faults import persist, translated
from .files import PRIVATE
from .patience import Patience
from .schema import user_version

Connect = Callable[[], sqlite3.Connection]

_KEPT = 4
_PRAGMAS = (
    "secure_delete=ON",
    "synchronous=FULL",
    "journal_size_limit=4194304",
    "cache_size=-8192",
    "busy_timeout=0",
)
"""From the last one on, waiting is `Patience`'s affair: SQLite's own handler naps in the same steps everywhere."""

_OPENING = Patience(seconds=1.0)

_abandoned: list[object] = []
"""Connections that came through a fork: closing them here would drop the parent's locks, or its journal."""


@attrs.define(eq=False)
class Lent:
    """A connection, and which file it was opened on."""

    connection: sqlite3.Connection
    path: str
    file: tuple[int, int] | None
    is_made: bool = False

    def query(self, sql: str, values: Sequence[Any]) -> list[Any]:
        """Read every row at once; none where there are no tables yet."""
        if not self.has_tables():
            return []
        try:
            return self.connection.execute(sql, values).fetchall()
        except sqlite3.OperationalError as error:
            if not self._is_outdated(error):
                raise
            return self.connection.execute(sql, values).fetchall()

    def _is_outdated(self, error: sqlite3.OperationalError) -> bool:
        """Tell whether a table is missed only since this connection knew the file before it had any.

        SQLite looks whether its picture of the tables is the present one, but not while a writer holds the file; asking for
        the tables' names then says so: it is locked.
        """
        named = "SELECT 1 FROM sqlite_master WHERE name = 'events'"
        return "no such table" in str(error) and self.connection.execute(named).fetchone() is not None

    def has_tables(self) -> bool:
        """Tell whether the log's tables are there: a reader makes none."""
        if not self.is_made:
            self.is_made = user_version(self.connection) > 0
        return self.is_made


class Pool:
    """Lends connections; each is ready for Kata: no implicit transactions, deleted bytes overwritten, commits synced."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect
        self._start()

    def _start(self) -> None:
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._idle: list[Lent] = []

    @contextmanager
    def lend(self) -> Iterator[Lent]:
        """Lend a connection for the length of a block; one that failed is closed, not kept.

        Raises:
            StoreError: there is none to be had.
        """
        lent = self._take()
        try:
            yield lent
        except sqlite3.Error:
            lent.connection.close()
            raise
        except BaseException:
            self._give_back(lent)
            raise
        self._give_back(lent)

    def close(self) -> None:
        """Close what is idle; what is lent comes back and serves the next one."""
        self._heed_fork()
        with self._lock:
            idle, self._idle = self._idle, []
        for lent in idle:
            lent.connection.close()

    def _take(self) -> Lent:
        self._heed_fork()
        while True:
            with self._lock:
                lent = self._idle.pop() if self._idle else None
            if lent is None:
                return self._open()
            if lent.file == _file_at(lent.path):
                return lent
            lent.connection.close()

    def _give_back(self, lent: Lent) -> None:
        if self._pid != os.getpid():
            return
        with self._lock:
            keep = len(self._idle) < _KEPT and not lent.connection.in_transaction
            if keep:
                self._idle.append(lent)
        if not keep:
            lent.connection.close()

    def _open(self) -> Lent:
        """Open one more; of those that open a new database at once all but one are told that it is locked, at once."""
        with translated():
            return persist(_OPENING, self._made)

    def _made(self) -> Lent:
        connection = self._connected()
        try:
            self._prepare(connection)
            path = _path_of(connection)
            _make_private(path)
            return Lent(connection, path, _file_at(path))
        except BaseException:
            with suppress(sqlite3.Error):
                connection.close()
            raise

    def _connected(self) -> sqlite3.Connection:
        try:
            return self._connect()
        except (sqlite3.Error, StoreError):
            raise
        except Exception as error:
            raise StoreError(f"the log cannot be opened: {error}") from error

    def _prepare(self, connection: sqlite3.Connection) -> None:
        connection.isolation_level = None
        connection.row_factory = None
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}").fetchall()

    def _heed_fork(self) -> None:
        if self._pid != os.getpid():
            _abandoned.append(self._idle)
            self._start()


def _path_of(connection: sqlite3.Connection) -> str:
    return next(
        (str(path) for _, name, path in connection.execute("PRAGMA database_list") if name == "main"), ""
    )


def _make_private(path: str) -> None:
    """Let nobody else read the log: a journal gets the permissions of its database."""
    with suppress(OSError):
        if os.name == "posix" and os.stat(path).st_mode & 0o077:  # noqa: PTH116 - as below
            os.chmod(path, PRIVATE)  # noqa: PTH101 - as below


def _file_at(path: str) -> tuple[int, int] | None:
    """Return which file stands at a path (a stat, never an open: case B046)."""
    try:
        found = os.stat(path)  # noqa: PTH116 - a plain stat is the quickest
    except OSError:
        return None
    return found.st_dev, found.st_ino
