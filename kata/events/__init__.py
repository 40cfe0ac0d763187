"""What happened: the catalogue of events, their envelope and their codec (design 2)."""

from . import catalogue
from .envelope import Actor, ActorKind, Event, NewEvent, Surface, Unreadable
from .registry import EventType, event_type, known_types, type_of

__all__ = [
    "Actor",
    "ActorKind",
    "Event",
    "EventType",
    "NewEvent",
    "Surface",
    "Unreadable",
    "catalogue",
    "event_type",
    "known_types",
    "type_of",
]
