"""Put many events into the log: whole turns at a time, each event once, and into the views without reading them back."""

from collections.abc import Iterable
from typing import Any

import attrs

from ..events import NewEvent
from ..events.record import Record, encode_new
from ..store.rows import event_with
from .ports import World

EVENTS = 5000
"""Events a transaction, at least: turns are not split."""

BYTES = 8 * 1024 * 1024
"""Bytes of payloads a transaction, at least, so that large results do not fill the memory."""


@attrs.frozen
class Written:
    """What became of a batch: events that are new, and calls whose id the log has with other content."""

    new: int = 0
    repeated: int = 0


class Intake:
    """Collects events and writes them."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._records: list[Record] = []
        self._payloads: dict[str, Any] = {}
        self._bytes = 0

    def add(self, events: Iterable[NewEvent]) -> None:
        """Collect the events of one turn."""
        for event in events:
            record = encode_new(event)
            self._records.append(record)
            self._payloads.setdefault(record.event_id, event.payload)
            self._bytes += len(record.payload)

    @property
    def is_full(self) -> bool:
        """Tell whether it is time to write."""
        return len(self._records) >= EVENTS or self._bytes >= BYTES

    def write(self) -> Written:
        """Write what was collected; an id that the log has with other content is a repeat of what it knows already."""
        if not self._records:
            return Written()
        with self._world.log.transaction() as transaction:
            taken = transaction.take(self._records)
        self._world.show([event_with(row, self._payloads[row.event_id]) for row in taken.rows])
        self.drop()
        repeated = sum(record.type == "tool.returned" for record in taken.conflicts)
        return Written(taken.added, repeated)

    def drop(self) -> None:
        """Forget what was collected."""
        self._records.clear()
        self._payloads.clear()
        self._bytes = 0
