"""Observations on their way to the spool from a process that has none of Kata's dependencies (design 3).

A twin of the events' own encoding for the few types that are told from outside; tests hold that both write the same
bytes. Framing, lock and segment are the spool's own code.
"""

from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from ..clock import SystemIds
from ..json import JsonValue, dumps
from ..store.framing import SPOOL_NAME, SUFFIX, framed
from ..store.owned import begin_segment

HERMES = ("agent", "hermes", "hook")
CLAUDE = ("agent", "claude-code", "hook")
KATA = ("system", "kata", "hook")


class Told(NamedTuple):
    """One event: its type, its payload's fields in the order of its class, and what its header needs.

    Attributes:
        actor: Kind, id and surface.
        stream: ``session/<id>`` or ``log``.
        turn: The turn that it belongs to; empty for none.
        event_id: A derived id where the same firing could be told twice; empty for a fresh one.
    """

    type: str
    payload: dict[str, JsonValue]
    actor: tuple[str, str, str]
    stream: str = "log"
    turn: str = ""
    event_id: str = ""


def stream_of(session: str) -> str:
    """Return the stream of a session; what belongs to none is in the log's own."""
    return f"session/{session}" if session else "log"


def line(told: Told, occurred_at: datetime, fresh_id: str) -> bytes:
    """Write one event as a line of the spool; the schema is 1, as of every type that is told from here."""
    event_id = told.event_id or fresh_id
    moment = occurred_at.astimezone(UTC).isoformat(timespec="microseconds")[:-6] + "Z"
    header = [told.stream, event_id, told.type, 1, moment, *told.actor, told.turn or event_id, None]
    return framed(dumps(header), dumps(told.payload).encode("ascii"))


def append(data: Path, events: Iterable[Told]) -> None:
    """Write events to the spool of a data folder, in a segment of their own that is finished at once.

    Raises:
        OSError: it cannot be written.
        StoreError: no segment can be had, or the disk is full.
        JsonError: a payload is no JSON.
    """
    ids, now = SystemIds(), datetime.now(UTC)
    lines = [line(told, now, ids.new()) for told in events]
    if not lines:
        return
    with closing(begin_segment(data / SPOOL_NAME, _segment_name)) as segment:
        for each in lines:
            segment.write(each)


def lost(reason: str) -> Told:
    """Tell that one observation could not be stored, and why."""
    return Told("observations.lost", {"count": 1, "reason": reason, "set_aside": ""}, KATA)


def _segment_name() -> str:
    return SystemIds().new() + SUFFIX
