"""The log in memory: the same promises as on disk, for tests, the demo and other plugins."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice

import attrs

from ..clock import Clock, SystemClock
from ..events import Event, NewEvent
from ..events.codec import CODEC, Codec
from ..events.fields import write_time
from .patience import WriterLock
from .protocol import Head, Receipt
from .rows import Row, event_of
from .transaction import COVERING, WriteTransaction


@attrs.define
class Shelf:
    """What a memory log holds: rows by position, and two indexes of positions."""

    rows: list[Row] = attrs.field(factory=list)
    by_id: dict[str, int] = attrs.field(factory=dict)
    by_stream: dict[str, list[int]] = attrs.field(factory=dict)
    offsets: dict[str, int] = attrs.field(factory=dict)

    def head(self) -> Head:
        last = self.rows[-1] if self.rows else None
        return Head(last.position, last.hash) if last else Head(0, "")

    def add(self, row: Row) -> None:
        self.rows.append(row)
        self.by_id[row.event_id] = row.position
        self.by_stream.setdefault(row.stream, []).append(row.position)

    def erase(self, first: int, last: int) -> None:
        self.rows[first - 1 : last] = [row._replace(payload=None) for row in self.rows[first - 1 : last]]


class MemoryLog:
    """A log that ends with its process; one lock stands for the write transaction."""

    def __init__(self, clock: Clock | None = None, *, codec: Codec = CODEC, wait: float = 5.0) -> None:
        self._clock = clock or SystemClock()
        self._codec = codec
        self._wait = wait
        self._writer = WriterLock()
        self._shelf = Shelf()

    @contextmanager
    def transaction(self, *, wait: float | None = None) -> Iterator["MemoryTransaction"]:
        with self._writer.hold(self._wait if wait is None else wait):
            transaction = MemoryTransaction(self._shelf, self._clock, self._codec)
            yield transaction
            transaction.commit()

    def append(self, stream: str, expected_version: int, events: Sequence[NewEvent]) -> Receipt:
        with self.transaction() as transaction:
            return transaction.append(stream, expected_version, events)

    def read(self, after: int = 0, *, limit: int | None = None, types: Sequence[str] = ()) -> Iterator[Event]:
        wanted = (row for row in self.rows(after) if not types or row.type in types)
        for row in islice(wanted, limit):
            yield event_of(row, self._codec)

    def read_stream(self, stream: str, after_version: int = 0) -> Iterator[Event]:
        for position in tuple(self._shelf.by_stream.get(stream, ())[after_version:]):
            yield event_of(self._shelf.rows[position - 1], self._codec)

    def get(self, positions: Sequence[int]) -> dict[int, Event]:
        rows = self._shelf.rows
        inside = (one for one in positions if 0 < one <= len(rows))
        return {one: event_of(rows[one - 1], self._codec) for one in inside}

    def head(self) -> Head:
        return self._shelf.head()

    def spool_offsets(self) -> dict[str, int]:
        return dict(self._shelf.offsets)

    def rows(self, after: int = 0) -> Iterator[Row]:
        position = max(after, 0)
        while position < len(self._shelf.rows):
            yield self._shelf.rows[position]
            position += 1

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""


class MemoryTransaction(WriteTransaction):
    """Changes are laid up, and only put on the shelf at its end."""

    def __init__(self, shelf: Shelf, clock: Clock, codec: Codec) -> None:
        super().__init__(shelf.head(), lambda: write_time(clock.now()), codec)
        self._shelf = shelf
        self._new: list[Row] = []
        self._erased: list[tuple[int, int]] = []
        self._offsets = dict(shelf.offsets)

    def count_streams(self, prefix: str) -> int:
        streams = {*self._shelf.by_stream, *(row.stream for row in self._new)}
        return sum(stream.startswith(prefix) for stream in streams)

    def spool_offset(self, segment: str) -> int:
        return self._offsets.get(segment, 0)

    def move_spool_offset(self, segment: str, offset: int) -> None:
        self._offsets[segment] = offset

    def forget_spool_offsets(self, segments: Sequence[str]) -> None:
        for segment in segments:
            self._offsets.pop(segment, None)

    def commit(self) -> None:
        """Put everything on the shelf."""
        for row in self._new:
            self._shelf.add(row)
        for first, last in self._erased:
            self._shelf.erase(first, last)
        self._shelf.offsets = self._offsets

    def _stored_version(self, stream: str) -> int:
        return len(self._shelf.by_stream.get(stream, ()))

    def _find(self, event_ids: Sequence[str]) -> Mapping[str, Row]:
        wanted = set(event_ids)
        found = {row.event_id: row for row in self._new if row.event_id in wanted}
        by_id, rows = self._shelf.by_id, self._shelf.rows
        return found | {one: rows[by_id[one] - 1] for one in event_ids if one in by_id}

    def _insert(self, rows: Sequence[Row]) -> None:
        self._new.extend(rows)

    def _hash_at(self, position: int) -> str | None:
        return next((row.hash for row in [*self._shelf.rows, *self._new] if row.position == position), None)

    def _covers_an_erasure(self, first: int, last: int) -> bool:
        return any(row.type in COVERING for row in [*self._shelf.rows, *self._new][first - 1 : last])

    def _erase(self, covering: int, ranges: Sequence[tuple[int, int]]) -> None:
        assert covering > max((last for _, last in ranges), default=0)
        self._erased.extend(ranges)
