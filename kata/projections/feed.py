"""Bring projections on, a page of events at a time: apply and checkpoint in one transaction (design 5)."""

import logging
import sqlite3
from collections.abc import Callable, Sequence
from typing import TypeAlias

import attrs

from ..events import Event, Unreadable, known_types
from ..store.protocol import Log
from .errors import ProjectionError
from .projection import ERASING, Batch, Handler, Projection, erased_positions
from .store import ViewStore

log_ = logging.getLogger(__name__)

PAGE = 1000
Beyond: TypeAlias = Callable[[Event], bool]
"""Tells that an event lies past the point where the feed should stop."""


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
            if event.type in ERASING and event.position > self._erasures_known:
                gone |= self._types_erased(event)
        return tuple(one.name for one in behind if one.suffers(gone))

    def _types_erased(self, event: Event) -> set[str]:
        positions = erased_positions(event) if _is_erasing(event) else []
        found: set[str] = set()
        for start in range(0, len(positions), PAGE):
            found.update(one.type for one in self._log.get(positions[start : start + PAGE]).values())
        return found

    def _apply(self, connection: sqlite3.Connection, page: _Page) -> None:
        self._warn(page.events)
        types = {event.type for event in page.events}
        for projection in page.behind:
            if projection.types is not None and types.isdisjoint(projection.types):
                continue
            batch = projection.batch(connection)
            _apply(projection, batch, page.events)
            batch.flush()

    def _warn(self, events: Sequence[Event]) -> None:
        unknown = {event.type for event in events} - known_types().keys() - self._warned
        self._warned |= unknown
        for name in sorted(unknown):
            log_.warning("kata: event type %s is not known here; it is kept and skipped", name)


def _apply(projection: Projection, batch: Batch, events: Sequence[Event]) -> None:
    """Hand a page's events to one projection: projections share no table, and one after the other they are quicker."""
    wanted, route = projection.types, _Route(projection)
    for event in events:
        if wanted is not None and event.type not in wanted:
            continue
        try:
            for handler in route.handlers(event):
                handler(batch, event)
        except sqlite3.Error:
            raise
        except Exception as error:
            raise ProjectionError(projection.name, event.position, event.type, repr(error)) from error


class _Route:
    """Who of a projection is to see which event."""

    def __init__(self, projection: Projection) -> None:
        self._projection = projection
        self._readable: dict[str, tuple[Handler, ...]] = {}
        self._unreadable = _given(projection.header, projection.unreadable)

    def handlers(self, event: Event) -> tuple[Handler, ...]:
        if isinstance(event.payload, Unreadable):
            return self._unreadable
        found = self._readable.get(event.type)
        if found is None:
            found = self._readable[event.type] = self._of(event.type)
        return found

    def _of(self, event_type: str) -> tuple[Handler, ...]:
        one = self._projection
        return _given(one.header, one.handlers.get(event_type), one.erase if event_type in ERASING else None)


def _given(*handlers: Handler | None) -> tuple[Handler, ...]:
    return tuple(handler for handler in handlers if handler is not None)


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
