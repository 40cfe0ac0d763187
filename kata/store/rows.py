"""One stored event as every store holds it, and the way from records to rows to events."""

from functools import lru_cache
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, NamedTuple

from ..events import Event
from ..events.codec import CODEC, Codec
from ..events.fields import read_time
from ..events.record import Record, actor_of
from ..json import dumps
from .chain import link, payload_digest
from .errors import StoreDamagedError


class Row(NamedTuple):
    """One event in the log, column by column; ``payload`` is None once it is erased."""

    position: int
    stream: str
    version: int
    event_id: str
    type: str
    schema: int
    occurred_at: str
    recorded_at: str
    actor_kind: str
    actor_id: str
    actor_surface: str
    correlation_id: str
    causation_id: str | None
    payload: bytes | None
    payload_hash: str
    hash: str


_PAYLOAD = Row._fields.index("payload")
_recorded_time = lru_cache(maxsize=16)(read_time)  # all that came in together has the same


def header_of(row: Row) -> str:
    """Write a row's header as the chain sees it."""
    return dumps(row[:_PAYLOAD])


def without_payload(row: Row) -> tuple[object, ...]:
    """Return every column but the payload."""
    return row[:_PAYLOAD] + row[_PAYLOAD + 1 :]


def build_row(record: Record, position: int, version: int, recorded_at: str, previous: str) -> Row:
    """Give a record its place in the log and in the chain; the header is written as `header_of` would, in half the time."""
    stream, event_id, type_, schema, at, kind, actor, surface, correlation, causation, payload = record
    digest = payload_digest(payload)
    cause = "null" if causation is None else quoted(causation)
    header = (
        f"[{position},{quoted(stream)},{version},{quoted(event_id)},{quoted(type_)},{schema},{quoted(at)},"
        f"{quoted(recorded_at)},{quoted(kind)},{quoted(actor)},{quoted(surface)},{quoted(correlation)},{cause}]"
    )
    return Row(
        position,
        stream,
        version,
        event_id,
        type_,
        schema,
        at,
        recorded_at,
        kind,
        actor,
        surface,
        correlation,
        causation,
        payload,
        digest,
        link(previous, header, digest),
    )


def same_content(row: Row, record: Record) -> bool:
    """Tell whether a stored row and a record with its id are the same event (case B052)."""
    return (
        row.payload_hash == payload_digest(record.payload)
        and (row.stream, row.type, row.schema, row.occurred_at)
        == (record.stream, record.type, record.schema, record.occurred_at)
        and row[8:13] == record[5:10]
    )


def event_of(row: Row, codec: Codec = CODEC) -> Event:
    """Decode a row.

    Raises:
        StoreDamagedError: header or payload are not what was once written; nobody may guess what they said.
    """
    try:
        return _decoded(row, codec)
    except (ValueError, TypeError, AttributeError) as error:
        raise StoreDamagedError(f"position {row.position}: {error}") from error


def _decoded(row: Row, codec: Codec) -> Event:
    return event_with(row, codec.decode_payload(row.type, row.schema, row.payload))


def event_with(row: Row, payload: Any) -> Event:
    """Put a row's header and its payload, which is known, together: the event that `event_of` would decode."""
    return Event(
        row.position,
        row.stream,
        row.version,
        row.event_id,
        row.type,
        row.schema,
        read_time(row.occurred_at),
        _recorded_time(row.recorded_at),
        actor_of(row.actor_kind, row.actor_id, row.actor_surface),
        row.correlation_id,
        row.causation_id,
        payload,
    )
