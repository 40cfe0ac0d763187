"""What every store of the event log promises; the contract tests in ``tests/store/contract`` hold each of them to it."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

import attrs

from ..errors import StoreError
from ..events import Event, NewEvent


class WrongVersionError(StoreError):
    """Say that somebody else wrote to the stream first."""

    code = "wrong_version"
    hint = "Look again at what is there now, then decide anew."

    def __init__(self, stream: str, expected: int, actual: int) -> None:
        super().__init__(f"{stream} is at version {actual}, not {expected}")
        self.stream, self.expected, self.actual = stream, expected, actual


class IdConflictError(StoreError):
    """Say that an event id is taken by an event with other content (case B052)."""

    code = "id_conflict"

    def __init__(self, event_id: str) -> None:
        super().__init__(f"event id {event_id} is taken by another event")
        self.event_id = event_id


class StoreBusyError(StoreError):
    """Say that another process held the log for longer than one may wait."""

    code = "store_busy"
    hint = "Try again in a moment."


class StoreDamagedError(StoreError):
    """Say that the log's file cannot be read; it is never deleted."""

    code = "store_damaged"
    hint = "Run `hermes kata verify`."


class ChainBrokenError(StoreError):
    """Say that stored bytes do not match the chain, and where first (design 3)."""

    code = "chain_broken"

    def __init__(self, position: int, why: str) -> None:
        super().__init__(f"position {position}: {why}")
        self.position, self.why = position, why


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

    def append(self, stream: str, expected_version: int, events: Sequence[NewEvent]) -> tuple[Event, ...]:
        """Append to one stream, if it is at the expected version.

        The same id with the same content again is a no-op that returns the stored event.

        Raises:
            WrongVersionError: the stream is elsewhere.
            IdConflictError: an id is taken by other content.
        """
        ...

    def add(self, events: Sequence[NewEvent]) -> tuple[Event, ...]:
        """Append observations and run events, each to its stream's end, without an expectation; twins are skipped."""
        ...


class Log(Protocol):
    """The event log: append, and read in order."""

    def transaction(self) -> AbstractContextManager[Transaction]:
        """Open the one write transaction (``BEGIN IMMEDIATE``, ``synchronous=FULL``); rolls back when the block raises.

        Raises:
            StoreBusyError: the lock was not to be had in time.
        """
        ...

    def append(self, stream: str, expected_version: int, events: Sequence[NewEvent]) -> tuple[Event, ...]:
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

    def close(self) -> None:
        """Give back what is held."""
        ...
