"""What a projection is: a name, a version, its tables and one handler per event type (design 5)."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import attrs

from ..events import Event
from ..json import dumps

Handler: TypeAlias = Callable[[Any, Event], None]
"""Applies one event; the first argument is the projection's `Batch`."""

ERASING = ("history.expired", "history.forgotten")
"""Events that say which payloads are gone."""


def erased_positions(event: Event) -> list[int]:
    """Return every position whose payload an erasing event names."""
    return [position for first, last in event.payload.positions for position in range(first, last + 1)]


class Batch:
    """One page of events on its way into a projection's tables, inside one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def write(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Execute one statement; text that SQLite cannot hold is written with marks (case B050)."""
        try:
            self.connection.execute(sql, values)
        except UnicodeEncodeError:
            self.connection.execute(sql, storable(values))

    def write_all(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Execute one statement for many rows, as `write` does; none of them is written where it raises."""
        try:
            self.connection.executemany(sql, rows)
        except UnicodeEncodeError:
            self.connection.executemany(sql, map(storable, rows))

    def put(self, table: str, **columns: Any) -> None:
        """Write one row, in place of one with the same key."""
        names = ", ".join(columns)
        marks = ", ".join("?" * len(columns))
        self.write(f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({marks})", tuple(columns.values()))

    def change(self, table: str, key: Mapping[str, Any], **columns: Any) -> None:
        """Change the row with this key, if it is there."""
        setting = ", ".join(f"{name} = ?" for name in columns)
        where = " AND ".join(f"{name} = ?" for name in key)
        self.write(f"UPDATE {table} SET {setting} WHERE {where}", (*columns.values(), *key.values()))

    def drop(self, event: Event, *tables: str) -> None:
        """Delete from these tables the rows of the positions that an erasing event names."""
        positions = dumps(erased_positions(event))
        for table in tables:
            self.write(
                f"DELETE FROM {table} WHERE position IN (SELECT value FROM json_each(?))", (positions,)
            )

    def flush(self) -> None:
        """Write what was held back until the end of the page."""


@attrs.frozen
class Table:
    """One table: its column definitions, the columns that order its rows, and its indexes."""

    columns: str
    key: tuple[str, ...]
    indexes: tuple[str, ...] = ()


@attrs.frozen(kw_only=True, eq=False)
class Projection:
    """A read model.

    Attributes:
        name: Stable; the checkpoint goes by it.
        version: Another number than the stored one rebuilds the tables by itself.
        tables: By name; no two projections share one.
        handlers: By event type, for events whose payload is there.
        batch: Makes the object that the handlers work on.
        header: Sees every event, whatever its type and whether or not its payload is there.
        unreadable: Sees events whose payload is erased or not known here.
        rests_on: Types whose payloads are in the tables though no handler is named for them.
        erase: Takes what an erasing event names out of the tables, in place. Without it the projection is rebuilt when an event that it
            handles or rests on was erased.
    """

    name: str
    version: int
    tables: Mapping[str, Table]
    handlers: Mapping[str, Handler] = attrs.field(factory=dict)
    batch: Callable[[sqlite3.Connection], Batch] = Batch
    header: Handler | None = None
    unreadable: Handler | None = None
    rests_on: frozenset[str] = frozenset()
    erase: Handler | None = None

    def suffers(self, erased: set[str]) -> bool:
        """Tell whether it has to be rebuilt once payloads of these types are gone."""
        return self.erase is None and not erased.isdisjoint(self.rests_on | self.handlers.keys())

    @property
    def types(self) -> frozenset[str] | None:
        """The event types that it needs to see; None for all of them."""
        if self.header is not None or self.unreadable is not None:
            return None
        return frozenset((*self.handlers, *(ERASING if self.erase else ())))


def storable(values: Sequence[Any]) -> list[Any]:
    """Put marks in place of lone surrogates."""
    return [
        value.encode("utf-8", "backslashreplace").decode("utf-8") if isinstance(value, str) else value
        for value in values
    ]
