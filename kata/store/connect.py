"""Opening SQLite outside Hermes by the host's own rule; inside Hermes the host opens it (design 3).

SQLite builds before 3.51.3 can lose commits when one connection checkpoints a write-ahead log while another writes;
the fix was carried back to the 3.50 and 3.44 series. On other builds the rollback journal is used.
"""

import logging
import sqlite3
from pathlib import Path

from .faults import is_busy

log = logging.getLogger(__name__)

WAL_FIXED = (3, 51, 3)
WAL_FIXED_IN_SERIES = {(3, 50): 7, (3, 44): 6}


def wal_is_safe(version: tuple[int, int, int] = sqlite3.sqlite_version_info) -> bool:
    """Tell whether this SQLite build is free of the write-ahead log's reset fault."""
    backport = WAL_FIXED_IN_SERIES.get(version[:2])
    return version >= WAL_FIXED or (backport is not None and version[2] >= backport)


def connect(path: str | Path) -> sqlite3.Connection:
    """Open a database, made private to the user and with its journal mode chosen when it is new; never changed later.

    Raises:
        sqlite3.Error: it cannot be opened.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=5.0, check_same_thread=False, isolation_level=None)
    try:
        if wal_is_safe() and _is_new(connection):
            _choose_wal(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _choose_wal(connection: sqlite3.Connection, path: Path) -> None:
    """Ask for a write-ahead log; where the file system cannot have one, the rollback journal stays (case B047).

    Raises:
        sqlite3.OperationalError: another process is making the database just now.
    """
    try:
        (mode,) = connection.execute("PRAGMA journal_mode=WAL").fetchone()
    except sqlite3.OperationalError as error:
        if is_busy(error) and error.sqlite_errorcode != sqlite3.SQLITE_PROTOCOL:
            raise
        mode = str(error)
    if mode != "wal":
        log.warning("kata: %s takes no write-ahead log (%s); is it on a network file system?", path, mode)


def _is_new(connection: sqlite3.Connection) -> bool:
    """Tell whether nothing was ever written: an unreadable answer means no, so that a live mode is left alone."""
    try:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
    except sqlite3.Error:
        return False
    return bool(pages == 0)
