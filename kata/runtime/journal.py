"""Where the executor's events go: the spool, on the disk itself before a step with an effect (design 3)."""

import logging
import threading
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from ..clock import Clock, Ids
from ..events import Actor, ActorKind, NewEvent, Surface
from ..events.catalogue import RunFinished, StepFinished, StepPerformed, StepStarted
from ..events.codec import BadEventError
from ..store.sealed import run_id_for
from ..store.spool import Spool

log = logging.getLogger(__name__)

AGENT = Actor(kind=ActorKind.AGENT, id="hermes", surface=Surface.TOOL)

MOST = 32
"""Events that wait for a `flush`, at most."""


Waiting = tuple[Any, datetime]


def joined(waiting: Sequence[Waiting]) -> Iterator[Waiting]:
    """Yield what is to be written: the start and finish of a step that both wait as the one event that says both."""
    begun: Waiting | None = None
    for payload, at in waiting:
        if begun is not None:
            whole = _performed(*begun, payload)
            if whole is not None:
                yield whole, at
                begun = None
                continue
            yield begun
        begun = (payload, at) if isinstance(payload, StepStarted) else None
        if begun is None:
            yield payload, at
    if begun is not None:
        yield begun


def _performed(start: StepStarted, at: datetime, end: Any) -> StepPerformed | None:
    if not isinstance(end, StepFinished) or (end.run_id, end.index) != (start.run_id, start.index):
        return None
    return StepPerformed(
        run_id=start.run_id,
        index=start.index,
        step=start.step,
        tool=start.tool,
        effect=start.effect,
        args=start.args,
        attempt=start.attempt,
        element=start.element,
        started_at=at,
        outcome=end.outcome,
        reason=end.reason,
        exit_code=end.exit_code,
        duration_ms=end.duration_ms,
        result=end.result,
    )


class RunIds:
    """Makes the ids of runs, and keeps to itself those of the events that may end them (`kata.store.sealed`)."""

    def __init__(self, ids: Ids) -> None:
        self._ids = ids
        self._ends: dict[str, str] = {}

    def new(self) -> str:
        """Return a fresh run id."""
        end = self._ids.new()
        run_id = run_id_for(end)
        self._ends[run_id] = end
        return run_id

    def event_id(self, payload: Any) -> str:
        """Return the id of a run's event: the one that was kept where the event is the run's end."""
        kept = self._ends.get(payload.run_id) if isinstance(payload, RunFinished) else None
        return kept or self._ids.new()


class RunRecorder:
    """Writes one run's events, several in one append; all of them belong to the turn that called the tool.

    Attributes:
        run_ids: Makes the run's own id; an end of a run that has another cannot be told from anybody's.
    """

    def __init__(self, spool: Spool, clock: Clock, ids: Ids, correlation: str) -> None:
        self._spool, self._clock, self._correlation = spool, clock, correlation
        self.run_ids = RunIds(ids)
        self._lock = threading.Lock()
        self._waiting: list[Waiting] = []

    def record(self, payload: Any, *, synced: bool = False) -> None:
        """Take an event; with all before it on the disk where it is ``synced``.

        Raises:
            KataError: it could not be written.
        """
        with self._lock:
            self._waiting.append((payload, self._clock.now()))
        if synced or len(self._waiting) >= MOST:
            self.flush()
        if synced:
            self._spool.sync()

    def flush(self) -> None:
        """Append what waits; one after the other, so that nothing overtakes what was taken before it.

        Raises:
            KataError: it could not be written.
        """
        with self._lock:
            waiting, self._waiting = self._waiting, []
            if waiting:
                self._write([self._event(payload, at) for payload, at in joined(waiting)])

    def _write(self, events: Sequence[NewEvent]) -> None:
        """Write all in one append; where one of them is no event, the others, and raise if that one is the newest."""
        try:
            self._spool.write(*events)
        except BadEventError:
            *before, last = events
            for event in before:
                try:
                    self._spool.write(event)
                except BadEventError:
                    log.warning("kata: a run event could not be written", exc_info=True)
            self._spool.write(last)

    def _event(self, payload: Any, at: datetime) -> NewEvent:
        return NewEvent(
            stream=f"run/{payload.run_id}",
            event_id=self.run_ids.event_id(payload),
            payload=payload,
            occurred_at=at,
            actor=AGENT,
            correlation_id=self._correlation or payload.run_id,
        )
