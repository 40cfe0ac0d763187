"""The header that every event carries, and what stands in place of a payload that cannot be read."""

from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

import attrs

from ..json import JsonValue


class ActorKind(StrEnum):
    """Who acts: consent comes from humans alone (design 9)."""

    HUMAN = "human"
    AGENT = "agent"
    SYSTEM = "system"


class Surface(StrEnum):
    """Where the actor acted."""

    SLASH = "slash"
    CLI = "cli"
    DASHBOARD = "dashboard"
    HOOK = "hook"
    TOOL = "tool"
    IMPORT = "import"


@attrs.frozen(kw_only=True)
class Actor:
    """Who did it: kind, id (an OS user, ``platform:user_id``, ``kata``) and surface; never defaulted."""

    kind: ActorKind
    id: str
    surface: Surface


class NewEvent(NamedTuple):
    """An event on its way to the log: all of its header that is known where it happens.

    Attributes:
        stream: ``session/<id>``, ``kata/<id>``, ``run/<id>`` or ``log``.
        event_id: UUIDv7 made where it happened; UUIDv5 for imports.
        payload: An instance of a catalogue class.
        occurred_at: UTC.
        correlation_id: The root of what this belongs to (a turn, a command, a run).
        causation_id: The event that led to this one, where there is one.
    """

    stream: str
    event_id: str
    payload: Any
    occurred_at: datetime
    actor: Actor
    correlation_id: str
    causation_id: str | None = None


class Event(NamedTuple):
    """An event as the log holds it.

    Attributes:
        position: Its place in the whole log, from 1 without gaps.
        version: Its place in its stream, from 1 without gaps.
        type: The stable name, kept for types that are not known here as well.
        schema: The schema number it was written with.
        payload: A catalogue instance, or `Unreadable`.
        recorded_at: UTC, when it entered the log; retention counts from it.
    """

    position: int
    stream: str
    version: int
    event_id: str
    type: str
    schema: int
    occurred_at: datetime
    recorded_at: datetime
    actor: Actor
    correlation_id: str
    causation_id: str | None
    payload: Any


@attrs.frozen(kw_only=True)
class Unreadable:
    """What stands where a payload is erased, of an unknown type, or from a newer schema.

    ``why`` is ``erased``, ``unknown_type`` or ``newer_schema``; ``raw`` is the decoded JSON where there is any.
    """

    why: str
    raw: JsonValue = None
