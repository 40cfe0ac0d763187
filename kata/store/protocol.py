"""What every store of the event log promises; the contract tests in ``tests/store/contract`` hold each of them to it."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

import attrs

from ..events import Event, NewEvent
from ..events.record import Record
from .errors import (
    ChainBrokenError,
    IdConflictError,
    StoreBusyError,
    StoreDamagedError,
    StoreFullError,
    StoreReadOnlyError,
    WrongVersionError,
)
from .rows import Row


class Receipt(tuple[Event, ...]):  # noqa: SLOT001 - a tuple cannot have slots with values
    """The events that an append put into the log; ``repeated`` says that they stood there already (case B052)."""

    repeated: bool

    def __new__(cls, events: Iterable[Event] = (), *, repeated: bool = False) -> "Receipt":
        receipt = super().__new__(cls, events)
        receipt.repeated = repeated
        return receipt


__all__ = [
    "ChainBrokenError",
    "Head",
    "IdConflictError",
    "Log",
    "Receipt",
    "StoreBusyError",
    "StoreDamagedError",
    "StoreFullError",
    "StoreReadOnlyError",
    "Taken",
    "Transaction",
    "WrongVersionError",
]


@attrs.frozen
class Taken:
    """What became of a batch of records: those that are new, and those that carry the id of an event with other content."""

    rows: tuple[Row, ...]
    conflicts: tuple[Record, ...] = ()

    @property
    def added(self) -> int:
        """How many are new."""
        return len(self.rows)


@attrs.frozen
class Head:
    """The end of the log: how many events, and the chain's last hash (empty for none)."""

    position: int
    hash: str


class Transaction(Protocol):
    """One write to the log: all of it or nothing. Only valid inside its ``with`` block."""

    def version(self, stream: str) -> int:
        """Return how many events the stream has."""
        ...

    def count_streams(self, prefix: str) -> int:
        """Return how many streams begin with ``prefix`` (a kata's number is one more, design 3)."""
        ...

    def append(self, stream: str, expected_version: int, events: Sequence[NewEvent]) -> Receipt:
        """Append to one stream, if it is at the expected version.

        The same ids with the same content again are a no-op that returns the stored events and says so.

        Raises:
            WrongVersionError: the stream is elsewhere.
            IdConflictError: an id is taken by other content, or only some of the events are stored already.
        """
        ...

    def add(self, events: Sequence[NewEvent]) -> tuple[Event, ...]:
        """Append observations and run events, each to its stream's end, without an expectation; twins are skipped.

        Raises:
            IdConflictError: an id is taken by other content.
        """
        ...

    def take(self, records: Sequence[Record]) -> Taken:
        """Append encoded events as `add` does, whatever their type; conflicts are left out and returned."""
        ...

    def erase(self, event: NewEvent) -> Event:
        """Append a ``history.expired`` or ``history.forgotten`` and erase the payloads at the positions it names.

        The bytes are gone from the store's files once the transaction is over; the chain still verifies. The same event
        again is a no-op that returns the stored one.

        Raises:
            RefusedError: a range reaches beyond the log, or over an event that itself tells of erasures.
            IdConflictError: its id is taken by other content.
        """
        ...

    def spool_offset(self, segment: str) -> int:
        """Return how many bytes of a spool segment are in the log."""
        ...

    def move_spool_offset(self, segment: str, offset: int) -> None:
        """Note how far a spool segment is drained."""
        ...

    def forget_spool_offsets(self, segments: Sequence[str]) -> None:
        """Drop the notes on segments that are gone."""
        ...


class Log(Protocol):
    """The event log: append, and read in order."""

    def transaction(self, *, wait: float | None = None) -> AbstractContextManager[Transaction]:
        """Open the one write transaction (``BEGIN IMMEDIATE``, ``synchronous=FULL``); rolls back when the block raises.

        Args:
            wait: Seconds to wait for the lock, where not the store's own patience.

        Raises:
            StoreBusyError: the lock was not to be had in time.
        """
        ...

    def append(self, stream: str, expected_version: int, events: Sequence[NewEvent]) -> Receipt:
        """Append in a transaction of its own; see `Transaction.append`."""
        ...

    def read(self, after: int = 0, *, limit: int | None = None, types: Sequence[str] = ()) -> Iterator[Event]:
        """Yield events by position, from the one after ``after``; in pages, so that no read lock is held between."""
        ...

    def read_stream(self, stream: str, after_version: int = 0) -> Iterator[Event]:
        """Yield one stream's events by version."""
        ...

    def get(self, positions: Sequence[int]) -> dict[int, Event]:
        """Return the events at these positions."""
        ...

    def head(self) -> Head:
        """Return the log's end."""
        ...

    def spool_offsets(self) -> dict[str, int]:
        """Return how far each known spool segment is drained, in bytes."""
        ...

    def rows(self, after: int = 0) -> Iterator[Row]:
        """Yield what is stored, undecoded, by position, from the one after ``after``: for `verify`."""
        ...

    def close(self) -> None:
        """Give back what is held."""
        ...
