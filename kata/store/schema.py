"""The tables of the log in SQLite, and the triggers that refuse to change what happened (design 3).

Payloads stand apart from their headers: where a stretch of history is forgotten, whole pages become free for what
comes next, while the headers keep the chain.
"""

import sqlite3

from ..errors import NewerKataError
from .rows import Row

SCHEMA = 1
"""Kept in ``user_version``; a database with a higher one is only read (case B063)."""

_HEADER = [name for name in Row._fields if name != "payload"]
_SELECTED = ", ".join("body" if name == "payload" else name for name in Row._fields)
_FROM = "FROM events LEFT JOIN payloads USING (position) WHERE"
SELECT = f"SELECT {_SELECTED} {_FROM}"
SELECT_EVENTS = SELECT.replace("payload_hash, hash", "'', ''")
"""Rows without their hashes: an event has none."""

INSERT_HEADER = f"INSERT INTO events ({', '.join(_HEADER)}) VALUES ({', '.join('?' * len(_HEADER))})"  # noqa: S608 - constants
INSERT_PAYLOAD = "INSERT INTO payloads (position, body) VALUES (?, ?)"

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
      payload_hash TEXT NOT NULL,
      hash TEXT NOT NULL
    )
    """,
    "CREATE UNIQUE INDEX events_by_stream ON events (stream, version)",
    "CREATE UNIQUE INDEX events_by_id ON events (event_id)",
    "CREATE TABLE payloads (position INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    "CREATE TABLE erasing (position INTEGER PRIMARY KEY)",
    "CREATE TABLE spool_offsets (segment TEXT PRIMARY KEY, bytes INTEGER NOT NULL) WITHOUT ROWID",
    """
    CREATE TRIGGER events_only_at_the_end BEFORE INSERT ON events
    WHEN NEW.position <> (SELECT coalesce(max(position), 0) + 1 FROM events)
    BEGIN SELECT raise(ABORT, 'events are only added at the end'); END
    """,
    """
    CREATE TRIGGER events_never_changed BEFORE UPDATE ON events
    BEGIN SELECT raise(ABORT, 'events are never changed'); END
    """,
    """
    CREATE TRIGGER events_never_deleted BEFORE DELETE ON events
    BEGIN SELECT raise(ABORT, 'events are never deleted'); END
    """,
    """
    CREATE TRIGGER payloads_only_at_the_end BEFORE INSERT ON payloads
    WHEN NEW.position <= (SELECT coalesce(max(position), 0) FROM payloads)
    BEGIN SELECT raise(ABORT, 'payloads are only added at the end'); END
    """,
    """
    CREATE TRIGGER payloads_never_changed BEFORE UPDATE ON payloads
    BEGIN SELECT raise(ABORT, 'payloads are never changed'); END
    """,
    # `erasing` holds a row inside one transaction only: the position of the newest event, which tells of the erasure.
    # `verify` then finds every missing payload named by such an event.
    """
    CREATE TRIGGER payloads_only_erased BEFORE DELETE ON payloads
    WHEN NOT EXISTS (
      SELECT 1 FROM erasing JOIN events AS covering ON covering.position = erasing.position
      WHERE covering.type IN ('history.expired', 'history.forgotten')
      AND covering.position = (SELECT max(position) FROM events)
      AND OLD.position < covering.position
    ) OR (SELECT type FROM events WHERE position = OLD.position) IN ('history.expired', 'history.forgotten')
    BEGIN SELECT raise(ABORT, 'payloads are only erased by an event that says so'); END
    """,
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
