"""The one projector: it alone writes views, brings them up to date, rebuilds and checks them (design 5)."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TypeAlias

from ..events import Event
from ..store.protocol import Log
from .drift import Drift, differences
from .feed import PAGE, Beyond, Feed, nothing_beyond
from .projection import Projection
from .store import ViewStore

Progress: TypeAlias = Callable[[int, int], None]
"""Is told how many positions are done, and of how many."""

ATTEMPTS = 5
"""How often a rebuild follows a log that grows meanwhile before it takes over what it has."""


def _quiet(done: int, total: int) -> None:
    del done, total


def _never() -> bool:
    return False


class Projector:
    """Feeds views from the log.

    Args:
        log: The event log.
        store: Where the views live.
        projections: All of them, as a rule `kata.projections.PROJECTIONS`.
        page: Events a transaction.
    """

    def __init__(
        self, log: Log, store: ViewStore, projections: Sequence[Projection], *, page: int = PAGE
    ) -> None:
        self._log, self._store, self._page = log, store, page
        self.projections = tuple(projections)
        self._warned: set[str] = set()

    def catch_up(
        self,
        *,
        progress: Progress = _quiet,
        enough: Callable[[], bool] = _never,
        at_hand: Sequence[Event] = (),
    ) -> int:
        """Apply what is new and return the position that every view has reached.

        Views of another version, ahead of the log, or robbed of an event by erasure are rebuilt. ``enough`` is asked
        between pages, for callers that may not wait. ``at_hand`` are events that were just appended, as they stand in the
        log: they are not read again.

        Raises:
            StoreBusyError: another process held the database too long.
            ProjectionError: a projection cannot apply an event.
        """
        self._store.prepare(self.projections)
        self._replace(self._outdated(), progress)
        feed = Feed(
            self._log, self._store, self.projections, page=self._page, warned=self._warned, at_hand=at_hand
        )
        while not enough() and feed.step():
            progress(feed.position, self._log.head().position)
        self._replace(self._outdated(), progress)
        return feed.position

    def rebuild(self, *, progress: Progress = _quiet) -> int:
        """Make all views anew beside the old ones, swap them in one transaction, and return the position reached."""
        self._store.prepare(self.projections)
        self._replace(self.projections, progress)
        return self.catch_up(progress=progress)

    def check(self, *, progress: Progress = _quiet) -> tuple[Drift, ...]:
        """Rebuild into a scratch database and name every row in which the live tables differ."""
        drift = tuple(self._misfits())
        for _ in range(ATTEMPTS if not drift else 0):
            position = self.catch_up()
            with self._scratch(self.projections) as scratch:
                self._run(scratch, self.projections, progress, _after(position))
                drift = tuple(self._drift(scratch))
            if not drift or self.catch_up() == position:
                break
        return drift

    @contextmanager
    def state_at(self, until: int | datetime, *, progress: Progress = _quiet) -> Iterator[ViewStore]:
        """Rebuild the views as they were after a position, or at a moment by the time of recording, in a scratch store."""
        beyond = _after(until) if isinstance(until, int) else _later(until)
        with self._scratch(self.projections) as scratch:
            self._run(scratch, self.projections, progress, beyond)
            yield scratch

    def _outdated(self) -> tuple[Projection, ...]:
        marks = self._store.checkpoints()
        misfits = {found.projection for found in self._misfits()}
        return tuple(
            one for one in self.projections if marks[one.name].version != one.version or one.name in misfits
        )

    def _misfits(self) -> Iterator[Drift]:
        """Yield what no rebuilt row can be compared with: tables that are gone, views ahead of the log."""
        marks, head = self._store.checkpoints(), self._log.head().position
        for one in self.projections:
            mark = marks.get(one.name)
            if mark is not None and mark.position > head:
                yield Drift(one.name, "view_checkpoints", (one.name,), "different")
            for name in mark.tables if mark is not None else ():
                if not self._store.has_table(name):
                    yield Drift(one.name, name, (), "no_table")

    def _replace(self, projections: Sequence[Projection], progress: Progress) -> None:
        if not projections:
            return
        with self._scratch(projections) as scratch:
            known = self._log.head().position
            for attempt in range(1, ATTEMPTS + 1):
                reached = self._run(scratch, projections, progress, nothing_beyond, known)
                with self._store.transaction():
                    if reached == self._log.head().position or attempt == ATTEMPTS:
                        self._take_over(projections, scratch)
                        return

    def _take_over(self, projections: Sequence[Projection], scratch: ViewStore) -> None:
        marks = scratch.checkpoints()
        for one in projections:
            self._store.replace(one, scratch)
        self._store.outdate(one.name for one in projections if marks[one.name].version != one.version)

    def _run(
        self,
        scratch: ViewStore,
        projections: Sequence[Projection],
        progress: Progress,
        beyond: Beyond,
        erasures_known: int | None = None,
    ) -> int:
        total = self._log.head().position
        known = total if erasures_known is None else erasures_known
        feed = Feed(
            self._log, scratch, projections, page=self._page, erasures_known=known, warned=self._warned
        )
        while not feed.ended and feed.step(beyond):
            progress(feed.position, total)
        return feed.position

    @contextmanager
    def _scratch(self, projections: Sequence[Projection]) -> Iterator[ViewStore]:
        """Lend a store of its own: a private temporary database that spills to disk when it grows."""
        scratch = ViewStore(sqlite3.connect(""))
        try:
            scratch.prepare(projections)
            yield scratch
        finally:
            scratch.close()

    def _drift(self, scratch: ViewStore) -> Iterator[Drift]:
        for one in self.projections:
            yield from differences(self._store, scratch, one)


def _after(position: int) -> Beyond:
    def beyond(event: Event) -> bool:
        return event.position > position

    return beyond


def _later(moment: datetime) -> Beyond:
    def beyond(event: Event) -> bool:
        return event.recorded_at > moment

    return beyond


__all__ = ["Drift", "Progress", "Projector"]
