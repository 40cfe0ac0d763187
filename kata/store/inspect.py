"""Is the file around the events what Kata made of it? Tables, triggers, indexes, and the notes on the spool."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from .errors import StoreDamagedError
from .schema import STATEMENTS
from .segment import ends_a_line, list_segments

_ORPHAN = "SELECT position FROM payloads WHERE position NOT IN (SELECT position FROM events) LIMIT 1"


def inspect_pages(connection: sqlite3.Connection) -> None:
    """Check that every page can be read and every index fits its table.

    Raises:
        StoreDamagedError: one cannot, or does not.
    """
    (answer,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if answer != "ok":
        raise StoreDamagedError(str(answer))


def inspect_tables(connection: sqlite3.Connection) -> None:
    """Check that every table, index and trigger is as it was made, and no erasure left open.

    Raises:
        StoreDamagedError: one is not.
    """
    found = _definitions(connection)
    for name, sql in _expected().items():
        if found.get(name) != sql:
            raise StoreDamagedError(f"{name} is {'changed' if name in found else 'gone'}")
    if connection.execute("SELECT 1 FROM erasing").fetchone():
        raise StoreDamagedError("an erasure was left open")
    orphan = connection.execute(_ORPHAN).fetchone()
    if orphan:
        raise StoreDamagedError(f"position {orphan[0]} has a payload and no event")


def inspect_offsets(folder: Path, offsets: Mapping[str, int]) -> None:
    """Check that every note on a spool segment that is still there points to the end of a line.

    Raises:
        StoreDamagedError: one does not: records may be skipped.
    """
    for name, size in list_segments(folder).items():
        offset = offsets.get(name, 0)
        if not 0 <= offset <= size or not ends_a_line(folder / name, offset):
            raise StoreDamagedError(f"the note on spool segment {name} is not what it was")


def _expected() -> dict[str, str]:
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in STATEMENTS:
            connection.execute(statement)
        return _definitions(connection)


def _definitions(connection: sqlite3.Connection) -> dict[str, str]:
    return dict(connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"))
