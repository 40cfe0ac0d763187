"""Rebuilding and re-reading: what the log says against what is shown, and against its own bytes (design 3, 5)."""

import hashlib
from collections.abc import Callable, Iterator
from datetime import datetime

from ..projections import ViewStore
from ..store import ChainBrokenError, Store, last_noted
from .errors import UnknownPositionError
from .reads import Reads
from .views import ReplayReport, VerifyReport

Progress = Callable[[int, int], None]


def _quiet(done: int, whole: int) -> None:
    del done, whole


class Keeping:
    """Replays and verifies."""

    def __init__(self, store: Store, reads: Reads) -> None:
        self._store, self._reads = store, reads

    def replay(self, *, check: bool, until: int | datetime | None, progress: Progress | None) -> ReplayReport:
        """Rebuild all views; with ``check`` only compare; with ``until`` show the state at that position or moment.

        Raises:
            UnknownPositionError: the log has not come so far.
        """
        show = progress or _quiet
        last = self._reads.log.head().position
        if isinstance(until, int) and until > last:
            raise UnknownPositionError(until, last)
        if until is not None:
            with self._reads.projector.state_at(until, progress=show) as scratch:
                return self._report(scratch, checked=False, drift=())
        if check:
            drift = tuple(str(one) for one in self._reads.projector.check(progress=show))
            return self._report(self._reads.store, checked=True, drift=drift)
        self._reads.projector.rebuild(progress=show)
        return self._report(self._reads.store, checked=False, drift=())

    def _report(self, views: ViewStore, *, checked: bool, drift: tuple[str, ...]) -> ReplayReport:
        marks = views.checkpoints()
        reached = min((mark.position for mark in marks.values()), default=0)
        until = reached if views is not self._reads.store else None
        return ReplayReport(
            events=reached, until=until, tables=tuple(self._tables(views)), drift=drift, checked=checked
        )

    def _tables(self, views: ViewStore) -> Iterator[tuple[str, int, str]]:
        """Yield each projection with its number of rows and the hash of its tables' canonical text."""
        for projection in self._reads.projector.projections:
            text = views.dump(projection)
            rows = sum(len(views.query(f"SELECT 1 FROM {table}")) for table in projection.tables)  # noqa: S608 - our names
            yield projection.name, rows, hashlib.sha256(text).hexdigest()

    def verify(self, progress: Progress | None) -> VerifyReport:
        """Re-read every stored byte and follow the chain."""
        head, noted = self._reads.log.head(), last_noted(self._store.anchor)
        try:
            found = self._store.verify(progress)
        except ChainBrokenError as broken:
            return VerifyReport(
                events=head.position,
                ok=False,
                bad_position=broken.position,
                why=broken.why,
                head=head.hash,
                anchored=noted is not None,
                unproven=noted.unproven if noted else 0,
            )
        return VerifyReport(
            events=found.count,
            ok=True,
            bad_position=None,
            why="",
            head=found.hash,
            anchored=found.anchored or not found.count,
            unproven=found.unproven,
        )
