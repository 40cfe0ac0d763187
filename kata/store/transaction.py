"""What a write transaction decides, the same for every store; a store adds seven small moves of its own."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence

import attrs

from ..errors import RefusedError
from ..events import Event, NewEvent
from ..events.catalogue import HistoryExpired, HistoryForgotten
from ..events.codec import CODEC, Codec
from ..events.record import Record, encode_new
from .anchor import Noted
from .errors import IdConflictError, WrongVersionError
from .protocol import Head, Receipt, Taken
from .rows import Row, build_row, event_of, same_content

COVERING = ("history.expired", "history.forgotten")
"""The types of the events that name what they erased; they are never erased themselves."""

RESTORED = "log.restored"


class WriteTransaction(ABC):
    """One write to the log; positions, versions and the chain are given here.

    Args:
        head: The log's end when the transaction began.
        recorded_at: The text of the present moment, called once for the events that come together.
    """

    def __init__(self, head: Head, recorded_at: Callable[[], str], codec: Codec = CODEC) -> None:
        self._head = self._began_at = head
        self._recorded_at = recorded_at
        self._codec = codec
        self._versions: dict[str, int] = {}
        self._is_restored = False

    @property
    def head(self) -> Head:
        """Return the log's end as this transaction sees it."""
        return self._head

    @property
    def grew(self) -> bool:
        """Tell whether anything was appended."""
        return self._head != self._began_at

    @property
    def is_first(self) -> bool:
        """Tell whether the log was empty when this transaction began."""
        return not self._began_at.position

    def noting(self, noted: Noted | None) -> Noted | None:
        """Return what is to stand beside the log in place of what was noted last; None to leave that as it is.

        Where the log no longer reaches what was noted, its end was cut. Where nothing is noted beside a log that is not
        new, an end may have been cut. Only a ``log.restored`` settles either.
        """
        if self._is_restored:
            return Noted(self._head)
        if noted is None:
            return Noted(self._head, unproven=self._began_at.position)
        reaches = self._hash_at(noted.head.position) == noted.head.hash
        return attrs.evolve(noted, head=self._head) if reaches else None

    def version(self, stream: str) -> int:
        version = self._versions.get(stream)
        if version is None:
            version = self._versions[stream] = self._stored_version(stream)
        return version

    def append(self, stream: str, expected_version: int, events: Sequence[NewEvent]) -> Receipt:
        records = self._encode(events)
        if any(record.stream != stream for record in records):
            raise ValueError(f"every event must belong to {stream}")
        stored = self._twins(records)
        if records and len(stored) == len(records):
            return Receipt((event_of(stored[one.event_id], self._codec) for one in records), repeated=True)
        if stored:
            raise IdConflictError(next(iter(stored)))
        if self.version(stream) != expected_version:
            raise WrongVersionError(stream, expected_version, self.version(stream))
        return Receipt(self._insert_events(records))

    def add(self, events: Sequence[NewEvent]) -> tuple[Event, ...]:
        records = self._encode(events)
        stored = self._twins(records)
        return self._insert_events([record for record in records if record.event_id not in stored])

    def take(self, records: Sequence[Record]) -> Taken:
        known = self._find([record.event_id for record in records])
        fresh: dict[str, Record] = {}
        conflicts = []
        for record in records:
            if record.event_id in known:
                if not same_content(known[record.event_id], record):
                    conflicts.append(record)
            elif fresh.setdefault(record.event_id, record) != record:
                conflicts.append(record)
        rows = self._place(fresh.values())
        self._insert(rows)
        return Taken(tuple(rows), tuple(conflicts))

    def erase(self, event: NewEvent) -> Event:
        if not isinstance(event.payload, HistoryExpired | HistoryForgotten):
            raise RefusedError("only an event that names the positions may erase them")
        records = self._encode([event])
        stored = self._twins(records)
        if stored:
            return event_of(stored[event.event_id], self._codec)
        self._check_erasable(event.payload.positions)
        (covering,) = self._insert_events(records)
        self._erase(covering.position, event.payload.positions)
        return covering

    def _encode(self, events: Iterable[NewEvent]) -> list[Record]:
        return [encode_new(event, self._codec) for event in events]

    def _twins(self, records: Sequence[Record]) -> Mapping[str, Row]:
        """Return the stored rows with the ids of these records, all of the same content."""
        stored = self._find([record.event_id for record in records])
        for record in records:
            if record.event_id in stored and not same_content(stored[record.event_id], record):
                raise IdConflictError(record.event_id)
        return stored

    def _insert_events(self, records: Sequence[Record]) -> tuple[Event, ...]:
        if len({record.event_id for record in records}) != len(records):
            raise IdConflictError(_first_twin(records))
        rows = self._place(records)
        self._insert(rows)
        return tuple(event_of(row, self._codec) for row in rows)

    def _place(self, records: Iterable[Record]) -> list[Row]:
        rows = []
        position, previous = self._head.position, self._head.hash
        recorded_at = self._recorded_at()
        for record in records:
            position += 1
            version = self._versions[record.stream] = self.version(record.stream) + 1
            row = build_row(record, position, version, recorded_at, previous)
            previous = row.hash
            self._is_restored = self._is_restored or record.type == RESTORED
            rows.append(row)
        self._head = Head(position, previous)
        return rows

    def _check_erasable(self, ranges: Sequence[tuple[int, int]]) -> None:
        for first, last in ranges:
            if not 0 < first <= last <= self._head.position:
                raise RefusedError(f"positions {first} to {last} do not lie in the log")
            if self._covers_an_erasure(first, last):
                raise RefusedError(f"positions {first} to {last} hold the record of an erasure")

    @abstractmethod
    def count_streams(self, prefix: str) -> int:
        """Return how many streams begin with ``prefix``."""

    @abstractmethod
    def spool_offset(self, segment: str) -> int:
        """Return how many bytes of a spool segment are in the log."""

    @abstractmethod
    def move_spool_offset(self, segment: str, offset: int) -> None:
        """Note how far a spool segment is drained."""

    @abstractmethod
    def forget_spool_offsets(self, segments: Sequence[str]) -> None:
        """Drop the notes on segments that are gone."""

    @abstractmethod
    def _stored_version(self, stream: str) -> int:
        """Return how many events the stream has in the store."""

    @abstractmethod
    def _find(self, event_ids: Sequence[str]) -> Mapping[str, Row]:
        """Return the stored rows with these ids."""

    @abstractmethod
    def _insert(self, rows: Sequence[Row]) -> None:
        """Put rows at the end."""

    @abstractmethod
    def _hash_at(self, position: int) -> str | None:
        """Return the chain's hash at a position, empty at 0; None where nothing stands."""

    @abstractmethod
    def _covers_an_erasure(self, first: int, last: int) -> bool:
        """Tell whether one of the `COVERING` types stands in this range."""

    @abstractmethod
    def _erase(self, covering: int, ranges: Sequence[tuple[int, int]]) -> None:
        """Put nothing in place of the payloads; the event at position ``covering`` names them."""


def _first_twin(records: Sequence[Record]) -> str:
    seen: set[str] = set()
    for record in records:
        if record.event_id in seen:
            return record.event_id
        seen.add(record.event_id)
    raise AssertionError("no twin")
