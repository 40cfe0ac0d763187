"""Put many calls into the log: whole turns at a time, each event once, and into the views without reading them back."""

from collections.abc import Sequence
from typing import Any

import attrs

from ..events import NewEvent
from ..events.record import Record, encode_new
from ..importer import ImportedCall, ImportedLink, Recorder
from ..store.rows import event_with
from .ports import World

AT_ONCE = 200
"""Calls that are made into events together: the same work on many is quicker than all work on each."""

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
    """Collects the turns of one source and writes them."""

    def __init__(self, world: World, recorder: Recorder) -> None:
        self._world, self._recorder = world, recorder
        self.drop()

    def add(self, found: Sequence[ImportedCall | ImportedLink]) -> None:
        """Collect a turn's calls, or links of sessions."""
        calls = [one for one in found if isinstance(one, ImportedCall)]
        if calls:
            self._turns.append(calls)
            self._waiting += len(calls)
        if len(calls) < len(found) or self._waiting >= AT_ONCE:
            self._make()
            self._encode([self._recorder.link(one) for one in found if isinstance(one, ImportedLink)])

    @property
    def is_full(self) -> bool:
        """Tell whether it is time to write."""
        return len(self._records) >= EVENTS or self._bytes >= BYTES

    def write(self) -> Written:
        """Write what was collected; an id that the log has with other content is a repeat of what it knows already."""
        self._make()
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
        self._turns: list[Sequence[ImportedCall]] = []
        self._waiting = 0
        self._records: list[Record] = []
        self._payloads: dict[str, Any] = {}
        self._bytes = 0

    def _make(self) -> None:
        """Make events of the turns that wait."""
        turns, self._turns, self._waiting = self._turns, [], 0
        self._encode(list(self._recorder.turns(turns)))

    def _encode(self, events: Sequence[NewEvent]) -> None:
        records = list(map(encode_new, events))
        for event, record in zip(events, records, strict=True):
            self._payloads.setdefault(record.event_id, event.payload)
            self._bytes += len(record.payload)
        self._records += records
