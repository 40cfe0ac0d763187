"""An event on its way to the log as plain text and bytes: what the spool carries and the stores take in.

The payload stays the bytes that were first written, so that what a newer Kata spooled passes through unharmed, and the
chain hashes stored bytes, never a re-encoding.
"""

from enum import StrEnum
from functools import lru_cache
from json.encoder import encode_basestring_ascii as _quoted
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar, cast

from ..json import JsonValue
from .codec import CODEC, BadEventError, Codec
from .envelope import Actor, ActorKind, NewEvent, Surface
from .fields import FieldError, read_time, write_time

OpenEnum = TypeVar("OpenEnum", bound=StrEnum)


class Record(NamedTuple):
    """One encoded event: its header as text, its payload as ASCII JSON bytes."""

    stream: str
    event_id: str
    type: str
    schema: int
    occurred_at: str
    actor_kind: str
    actor_id: str
    actor_surface: str
    correlation_id: str
    causation_id: str | None
    payload: bytes


_HEADER = Record._fields[:-1]
_TEXTS = tuple(name for name in _HEADER if name not in ("schema", "causation_id"))
_texts_of = itemgetter(*map(_HEADER.index, _TEXTS))


def encode_new(event: NewEvent, codec: Codec = CODEC) -> Record:
    """Encode an event.

    Raises:
        BadEventError: a field of header or payload cannot be written.
    """
    entry = codec.type_of(event.payload)
    actor = event.actor
    try:
        occurred_at = write_time(event.occurred_at)
    except FieldError as error:
        raise BadEventError("occurred_at", str(error)) from error
    record = Record(
        event.stream,
        event.event_id,
        entry.name,
        entry.schema,
        occurred_at,
        _written_member(ActorKind, actor.kind),
        actor.id,
        _written_member(Surface, actor.surface),
        event.correlation_id,
        event.causation_id,
        codec.encode_as(entry, event.payload),
    )
    _check_texts(record)
    return record


def check_header(record: Record) -> None:
    """See that a header is what its fields declare and that a store can hold it (no lone surrogates in ids).

    Raises:
        BadEventError: it is not.
    """
    _check_texts(record)
    _check_schema(record.schema)
    _check_time(record.occurred_at)


def header_text(record: Record) -> str:
    """Write a header as one JSON array: what `dumps` would write, in half the time."""
    stream, event_id, type_, schema, at, kind, actor, surface, correlation, causation, _ = record
    cause = "null" if causation is None else _quoted(causation)
    return (
        f"[{_quoted(stream)},{_quoted(event_id)},{_quoted(type_)},{schema},{_quoted(at)},{_quoted(kind)},"
        f"{_quoted(actor)},{_quoted(surface)},{_quoted(correlation)},{cause}]"
    )


def read_header(value: JsonValue, payload: bytes) -> Record:
    """Put a parsed header and its payload together again.

    Raises:
        BadEventError: this is no header.
    """
    if not isinstance(value, list) or len(value) != len(_HEADER):
        raise BadEventError("header", f"expected a list of {len(_HEADER)}")
    record = Record._make([*value, payload])
    check_header(record)
    return record


def check_payload(record: Record, codec: Codec = CODEC) -> None:
    """See that a payload can be read back, so that no reader ever stumbles over it.

    Raises:
        BadEventError: it cannot.
    """
    codec.decode_payload(record.type, record.schema, record.payload)


@lru_cache(maxsize=256)
def actor_of(kind: str, actor_id: str, surface: str) -> Actor:
    """Rebuild an actor; a kind or surface from a newer Kata is kept as it is written (case B063)."""
    return Actor(kind=_member(ActorKind, kind), id=actor_id, surface=_member(Surface, surface))


def _member(kind: type[OpenEnum], value: str) -> OpenEnum:
    member = kind._value2member_map_.get(value)
    if member is not None:
        return cast("OpenEnum", member)
    newer = str.__new__(kind, value)
    newer._name_, newer._value_ = value.upper(), value
    return newer


def _written_member(kind: type[StrEnum], member: StrEnum) -> str:
    if type(member) is not kind:
        raise BadEventError("actor", f"{member!r} is no {kind.__name__}")
    return member._value_  # ``value`` is a property, and slow


def _check_texts(record: Record) -> None:
    texts = _texts_of(record)
    if not _are_plain(texts):
        for name, value in zip(_TEXTS, texts, strict=True):
            _check_text(name, value)
    if record.causation_id is not None:
        _check_text("causation_id", record.causation_id)


def _are_plain(texts: tuple[Any, ...]) -> bool:
    try:
        return all(texts) and all(map(str.isascii, texts))
    except TypeError:
        return False


def _check_text(name: str, value: object) -> None:
    if not isinstance(value, str):
        raise BadEventError(name, f"expected str, found {type(value).__name__}")
    if not value and name in ("stream", "event_id", "type"):
        raise BadEventError(name, "is empty")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise BadEventError(name, "holds a lone surrogate") from error


def _check_schema(value: object) -> None:
    if type(value) is not int or not 0 < value < 1 << 31:
        raise BadEventError("schema", "expected a positive int")


def _check_time(value: str) -> None:
    try:
        canonical = write_time(read_time(value))
    except FieldError as error:
        raise BadEventError("occurred_at", str(error)) from error
    if canonical != value:
        raise BadEventError("occurred_at", f"expected {canonical}")
