"""Make events of many calls at a time, whole turns together."""

from collections.abc import Sequence
from typing import Any

from ..events import NewEvent
from ..events.record import Record, encode_new
from .calls import ImportedCall, ImportedLink
from .events import Recorder

AT_ONCE = 200
"""Calls that are made into events together: the same work on many is quicker than all work on each."""

EVENTS = 8000
"""Events that are handed on together, at least: turns are not split."""

FIRST = 1000
"""Events that are handed on first, then twice as many each time: so that nobody waits long for the first ones."""

BYTES = 4 * 1024 * 1024
"""Bytes of payloads that are handed on together, at least, so that large results do not fill the memory."""


class Intake:
    """Collects the turns of one source after the other, and their events until they are taken."""

    def __init__(self) -> None:
        self._recorder: Recorder | None = None
        self._turns: list[Sequence[ImportedCall]] = []
        self._waiting = 0
        self._enough = min(FIRST, EVENTS)
        self._empty()

    def begin(self, recorder: Recorder) -> None:
        """Go on with another source."""
        self._make()
        self._recorder = recorder

    def add(self, found: Sequence[ImportedCall | ImportedLink]) -> None:
        """Collect a turn's calls, or links of sessions."""
        calls = [one for one in found if isinstance(one, ImportedCall)]
        if calls:
            self._turns.append(calls)
            self._waiting += len(calls)
        if len(calls) < len(found) or self._waiting >= AT_ONCE:
            self._make()
        if self._recorder is not None and len(calls) < len(found):
            self._encode([self._recorder.link(one) for one in found if isinstance(one, ImportedLink)])

    @property
    def is_full(self) -> bool:
        """Tell whether it is time to take what there is."""
        return len(self._records) >= self._enough or self._bytes >= BYTES

    def taken(self) -> tuple[list[Record], dict[str, Any]]:
        """Return the events that were made, and their payloads by id; begin anew."""
        self._make()
        records, payloads = self._records, self._payloads
        self._enough = min(2 * self._enough, EVENTS)
        self._empty()
        return records, payloads

    def _empty(self) -> None:
        self._records: list[Record] = []
        self._payloads: dict[str, Any] = {}
        self._bytes = 0

    def _make(self) -> None:
        """Make events of the turns that wait."""
        turns, self._turns, self._waiting = self._turns, [], 0
        if self._recorder is not None and turns:
            self._encode(list(self._recorder.turns(turns)))

    def _encode(self, events: Sequence[NewEvent]) -> None:
        records = list(map(encode_new, events))
        for event, record in zip(events, records, strict=True):
            self._payloads.setdefault(record.event_id, event.payload)
            self._bytes += len(record.payload)
        self._records += records
