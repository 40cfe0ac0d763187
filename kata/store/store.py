"""Everything that lies in one data folder: the log, the spool before it, and the small files beside it."""

import sqlite3
from collections.abc import Callable, Iterable
from datetime import datetime
from functools import cached_property
from pathlib import Path

from ..clock import Clock, Ids, SystemClock, SystemIds
from .anchor import ANCHOR_NAME, FileAnchor
from .connect import connect as connect_outside
from .drain import Drained, drain
from .framing import SPOOL_NAME
from .generation import generation, touch_generation
from .inspect import inspect_offsets
from .keyfile import Key, load_key
from .leftovers import drop_set_aside, list_set_aside, set_aside_before, wipe_drained
from .ongoing import ONGOING_NAME, Ongoing
from .patience import Patience
from .spool import Spool
from .sqlite import SqliteLog
from .verify import Progress, Verified, verify

DATABASE_NAME = "data.db"


class Store:
    """One profile's store. Making it touches no file; the first use of each part does.

    Attributes:
        folder: The data folder.
        log: The event log.
        spool: This process's own way in.
        anchor: Where the log's end is noted.
        ongoing: The runs that go on.
    """

    def __init__(
        self,
        folder: Path,
        connect: Callable[[], sqlite3.Connection],
        clock: Clock,
        ids: Ids,
        patience: Patience | None = None,
    ) -> None:
        self.folder = folder
        self.connect = connect
        self.clock, self.ids = clock, ids
        self.anchor = FileAnchor(folder / ANCHOR_NAME)
        self.log = SqliteLog(connect, clock, anchor=self.anchor, patience=patience)
        self.spool = Spool(folder / SPOOL_NAME, clock, ids)
        self.ongoing = Ongoing(folder / ONGOING_NAME, clock)

    @cached_property
    def key(self) -> Key:
        """Return the fingerprint key; see `load_key`."""
        return load_key(self.folder)

    def drain(self, seconds: float = 1.0) -> Drained:
        """Take in what the spool holds; see `kata.store.drain.drain`."""
        return drain(self.log, self.spool.folder, self.clock, seconds=seconds)

    def verify(self, progress: Progress | None = None) -> Verified:
        """Inspect the database and the notes on the spool, then follow the chain; see `kata.store.verify.verify`.

        Raises:
            StoreDamagedError: something around the events is not what Kata made of it.
            ChainBrokenError: an event is not.
        """
        self.log.inspect()
        verified = verify(self.log, self.anchor, progress)
        inspect_offsets(self.spool.folder, self.log.spool_offsets())
        return verified

    def set_aside(self, before: datetime | None = None) -> tuple[str, ...]:
        """Return the files of records that could not be taken in; with ``before`` those whose segment is older."""
        folder = self.spool.folder
        return list_set_aside(folder) if before is None else set_aside_before(folder, before)

    def drop_set_aside(self, names: Iterable[str]) -> None:
        """Delete files of records that could not be taken in."""
        drop_set_aside(self.spool.folder, names)

    def wipe(self) -> None:
        """Leave no byte of what the log has erased: in the spool's files, in gaps of pages, in the write-ahead log.

        Raises:
            StoreError: a file is locked, or cannot be written; what is left goes with the next call.
        """
        self.spool.rotate()
        self.drain()
        wipe_drained(self.spool.folder, self.log.spool_offsets())
        self.log.compact()

    def generation(self) -> tuple[int, int]:
        """Return what changes with every decision of any process."""
        return generation(self.folder)

    def touch_generation(self) -> None:
        """Tell other processes that something was decided."""
        touch_generation(self.folder)

    def close(self) -> None:
        """Finish the spool's segment and close every connection; both begin anew when used again."""
        self.spool.close()
        self.log.close()


def open_store(
    folder: Path,
    connect: Callable[[], sqlite3.Connection] | None = None,
    clock: Clock | None = None,
    ids: Ids | None = None,
    *,
    patience: Patience | None = None,
) -> Store:
    """Bundle what lies in a data folder.

    Args:
        folder: The data folder (``plugin-data/kata`` of a profile).
        connect: Opens the database; inside Hermes ``lambda: plugin_db("kata")``.
        clock: Tells the time.
        ids: Makes ids.
        patience: How long a writer waits for the lock.
    """
    return Store(
        folder,
        connect or (lambda: connect_outside(folder / DATABASE_NAME)),
        clock or SystemClock(),
        ids or SystemIds(),
        patience,
    )
