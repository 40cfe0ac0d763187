"""Where the executor's events go: the spool, on the disk itself before a step with an effect (design 3)."""

from typing import Any

from ..clock import Clock, Ids
from ..events import Actor, ActorKind, NewEvent, Surface
from ..store.spool import Spool

AGENT = Actor(kind=ActorKind.AGENT, id="hermes", surface=Surface.TOOL)


class RunRecorder:
    """Writes one run's events; all of them belong to the turn that called the tool."""

    def __init__(self, spool: Spool, clock: Clock, ids: Ids, correlation: str) -> None:
        self._spool, self._clock, self._ids, self._correlation = spool, clock, ids, correlation

    def record(self, payload: Any, *, synced: bool = False) -> None:
        event_id = self._ids.new()
        self._spool.write(
            NewEvent(
                stream=f"run/{payload.run_id}",
                event_id=event_id,
                payload=payload,
                occurred_at=self._clock.now(),
                actor=AGENT,
                correlation_id=self._correlation or payload.run_id,
            )
        )
        if synced:
            self._spool.sync()
