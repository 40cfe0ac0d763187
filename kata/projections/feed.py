"""Bring projections on, a page of events at a time: apply and checkpoint in one transaction (design 5)."""

import logging
import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

import attrs

from ..events import Event, Unreadable, known_types
from ..store.protocol import Log
from .errors import ProjectionError
from .projection import ERASING, Batch, Projection, erased_positions
from .store import ViewStore

log_ = logging.getLogger(__name__)

PAGE = 1000
Beyond: TypeAlias = Callable[[Event], bool]
"""Tells that an event lies past the point where the feed should stop."""

Bound: TypeAlias = tuple[str, Callable[[Event], None]]
_NOBODY: tuple[Bound, ...] = ()


def nothing_beyond(event: Event) -> bool:
    """Never stop before the log's end."""
    del event
    return False


@attrs.frozen
class _Page:
    """What one step applies: events, to whom, from which checkpoint to which; ``outdated`` lost an event by erasure."""

    behind: tuple[Projection, ...]
    start: int
    reached: int
    events: tuple[Event, ...]
    outdated: tuple[str, ...]


class Feed:
    """Feeds some projections of one store from the log.

    ``erasures_known`` is the position up to which erasures were done before the first read: what they name was never
    applied here, so nothing has to be rebuilt for them. ``warned`` are the unknown event types that were spoken of already.
    ``at_hand`` are events of the log that follow each other, by position: they are not read again.
    """

    def __init__(
        self,
        log: Log,
        store: ViewStore,
        projections: Sequence[Projection],
        *,
        page: int = PAGE,
        erasures_known: int = 0,
        warned: set[str] | None = None,
        at_hand: Sequence[Event] = (),
    ) -> None:
        self._log, self._store, self._projections, self._page = log, store, tuple(projections), page
        self._erasures_known = erasures_known
        self._warned = set() if warned is None else warned
        self._at_hand = at_hand
        self.ended = False

    @property
    def position(self) -> int:
        """How far the last of the projections is."""
        marks = self._store.checkpoints()
        return min(marks[one.name].position for one in self._projections)

    def step(self, beyond: Beyond = nothing_beyond) -> bool:
        """Apply one page; return False when there was nothing left to do, or the tables are another version's now."""
        page = self._read(beyond)
        if page.reached == page.start:
            return False
        with self._store.transaction() as connection:
            marks = self._store.checkpoints()
            if not all(marks[one.name].fits(one) for one in page.behind):
                return False
            if any(marks[one.name].position != page.start for one in page.behind):
                return True
            self._apply(connection, page)
            self._store.mark((one.name for one in page.behind), page.reached)
            self._store.outdate(page.outdated)
        return True

    def _read(self, beyond: Beyond) -> _Page:
        stored = self._store.checkpoints()
        marks = {one: stored[one.name].position for one in self._projections}
        start = min(marks.values())
        behind = tuple(one for one, position in marks.items() if position == start)
        ceiling = min((position for position in marks.values() if position > start), default=None)
        head = self._log.head().position
        at_hand = [event for event in self._at_hand if event.position > start]
        is_next = bool(at_hand) and at_hand[0].position == start + 1
        events = at_hand if is_next else list(self._log.read(start, limit=self._page, types=_types(behind)))
        full = is_next or len(events) == self._page
        reached = (
            events[-1].position if full else max(head, start, *(event.position for event in events[-1:]))
        )
        if ceiling is not None:
            reached = min(reached, ceiling)
        reached = self._cut(events, reached, beyond)
        kept = tuple(event for event in events if event.position <= reached)
        return _Page(behind, start, reached, kept, self._outdated(behind, kept))

    def _cut(self, events: list[Event], reached: int, beyond: Beyond) -> int:
        stop = next((event for event in events if beyond(event)), None)
        if stop is None or stop.position > reached:
            return reached
        self.ended = True
        return stop.position - 1

    def _outdated(self, behind: Sequence[Projection], events: Sequence[Event]) -> tuple[str, ...]:
        gone: set[str] = set()
        for event in events:
            if event.position > self._erasures_known:
                gone |= self._types_erased(event)
        return tuple(one.name for one in behind if one.suffers(gone))

    def _types_erased(self, event: Event) -> set[str]:
        positions = erased_positions(event) if _is_erasing(event) else []
        found: set[str] = set()
        for start in range(0, len(positions), PAGE):
            found.update(one.type for one in self._log.get(positions[start : start + PAGE]).values())
        return found

    def _apply(self, connection: sqlite3.Connection, page: _Page) -> None:
        batches = [(one, one.batch(connection)) for one in page.behind]
        routes = _Routes(batches)
        for event in page.events:
            if event.type not in routes.known and event.type not in self._warned:
                self._warned.add(event.type)
                log_.warning("kata: event type %s is not known here; it is kept and skipped", event.type)
            routes.apply(event)
        for _, batch in batches:
            batch.flush()


class _Routes:
    """The handlers of one page's batches, by event type."""

    def __init__(self, batches: Sequence[tuple[Projection, Batch]]) -> None:
        self.known = known_types().keys()
        self._typed: dict[str, list[Bound]] = {}
        self._every: list[Bound] = []
        self._unreadable: list[Bound] = []
        self._erase: list[Bound] = []
        for projection, batch in batches:
            self._add(projection, batch)

    def _add(self, projection: Projection, batch: Batch) -> None:
        for event_type, handler in projection.handlers.items():
            self._typed.setdefault(event_type, []).append((projection.name, partial(handler, batch)))
        if projection.header:
            self._every.append((projection.name, partial(projection.header, batch)))
        if projection.unreadable:
            self._unreadable.append((projection.name, partial(projection.unreadable, batch)))
        if projection.erase:
            self._erase.append((projection.name, partial(projection.erase, batch)))

    def apply(self, event: Event) -> None:
        """Hand one event to everybody whom it concerns."""
        unreadable = isinstance(event.payload, Unreadable)
        chosen = self._unreadable if unreadable else self._typed.get(event.type, _NOBODY)
        name = ""
        try:
            for name, handler in self._every:  # noqa: B007 - named in the error
                handler(event)
            for name, handler in chosen:  # noqa: B007 - as above
                handler(event)
            for name, handler in self._erase if _is_erasing(event) else _NOBODY:  # noqa: B007 - as above
                handler(event)
        except sqlite3.Error:
            raise
        except Exception as error:
            raise ProjectionError(name, event.position, event.type, repr(error)) from error


def _is_erasing(event: Event) -> bool:
    return event.type in ERASING and not isinstance(event.payload, Unreadable)


def _types(projections: Sequence[Projection]) -> tuple[str, ...]:
    """Return the event types that these need, sorted; empty for all."""
    wanted: set[str] = set(ERASING)
    for one in projections:
        if one.types is None:
            return ()
        wanted |= one.types
    return tuple(sorted(wanted))
