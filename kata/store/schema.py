"""The tables of the log in SQLite, and the triggers that refuse to change what happened (design 3)."""

import sqlite3

from ..errors import NewerKataError
from .rows import Row

SCHEMA = 1
"""Kept in ``user_version``; a database with a higher one is only read (case B063)."""

_COLUMNS = ", ".join(Row._fields)
SELECT = f"SELECT {_COLUMNS} FROM events WHERE"  # noqa: S608 - the column names are constants
INSERT = f"INSERT INTO events ({_COLUMNS}) VALUES ({', '.join('?' * len(Row._fields))})"  # noqa: S608 - as above

_KEPT = " AND ".join(f"NEW.{name} IS OLD.{name}" for name in Row._fields if name != "payload")

# A payload may only go, and only while `erasing` holds the position of the newest event, which tells of the erasure.
# The guard row lives inside one transaction; `verify` then finds every missing payload named by such an event.
STATEMENTS = (
    """
    CREATE TABLE events (
      position INTEGER PRIMARY KEY,
      stream TEXT NOT NULL,
      version INTEGER NOT NULL,
      event_id TEXT NOT NULL,
      type TEXT NOT NULL,
      schema INTEGER NOT NULL,
      occurred_at TEXT NOT NULL,
      recorded_at TEXT NOT NULL,
      actor_kind TEXT NOT NULL,
      actor_id TEXT NOT NULL,
      actor_surface TEXT NOT NULL,
      correlation_id TEXT NOT NULL,
      causation_id TEXT,
      payload BLOB,
      payload_hash TEXT NOT NULL,
      hash TEXT NOT NULL
    )
    """,
    "CREATE UNIQUE INDEX events_by_stream ON events (stream, version)",
    "CREATE UNIQUE INDEX events_by_id ON events (event_id)",
    "CREATE TABLE erasing (position INTEGER PRIMARY KEY)",
    "CREATE TABLE spool_offsets (segment TEXT PRIMARY KEY, bytes INTEGER NOT NULL) WITHOUT ROWID",
    """
    CREATE TRIGGER events_only_at_the_end BEFORE INSERT ON events
    WHEN NEW.position <> (SELECT coalesce(max(position), 0) + 1 FROM events)
    BEGIN SELECT raise(ABORT, 'events are only added at the end'); END
    """,
    """
    CREATE TRIGGER events_never_deleted BEFORE DELETE ON events
    BEGIN SELECT raise(ABORT, 'events are never deleted'); END
    """,
    f"""
    CREATE TRIGGER events_never_changed BEFORE UPDATE ON events
    WHEN NOT (
      NEW.payload IS NULL AND {_KEPT}
      AND OLD.type NOT IN ('history.expired', 'history.forgotten')
      AND EXISTS (
        SELECT 1 FROM erasing JOIN events AS covering ON covering.position = erasing.position
        WHERE covering.type IN ('history.expired', 'history.forgotten')
        AND covering.position = (SELECT max(position) FROM events)
      )
    )
    BEGIN SELECT raise(ABORT, 'events are never changed'); END
    """,  # noqa: S608 - the column names are constants
)


def user_version(connection: sqlite3.Connection) -> int:
    """Return the schema number of a database; 0 for a new one."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def create(connection: sqlite3.Connection) -> None:
    """Make the tables, unless another process was faster; call it inside a write transaction."""
    if user_version(connection) == 0:
        for statement in STATEMENTS:
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version={SCHEMA}")


def check_writable(connection: sqlite3.Connection) -> None:
    """See that this Kata may write here.

    Raises:
        NewerKataError: a newer Kata made the tables.
    """
    version = user_version(connection)
    if version > SCHEMA:
        raise NewerKataError(f"the log has schema {version}, this Kata writes {SCHEMA}; it is only read")
