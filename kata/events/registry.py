"""Which class stands for which stable ``(type, schema)``; checked for twins when it is imported."""

from collections.abc import Callable
from typing import TypeVar

import attrs

from ..errors import KataError

PayloadT = TypeVar("PayloadT", bound=type)


class CatalogueError(KataError):
    """Say that the catalogue contradicts itself: a mistake in the code, found at import."""

    code = "catalogue"


@attrs.frozen
class EventType:
    """A type's stable name, its newest schema number and the payload class that carries it."""

    name: str
    schema: int
    payload: type


_by_name: dict[str, EventType] = {}
_by_class: dict[type, EventType] = {}


def event_type(name: str, *, schema: int = 1) -> Callable[[PayloadT], PayloadT]:
    """Enter a payload class in the catalogue under a stable name, never its class path.

    Raises:
        CatalogueError: the name is taken.
    """

    def enter(payload: PayloadT) -> PayloadT:
        if name in _by_name:
            raise CatalogueError(f"two classes claim {name!r}")
        entry = EventType(name, schema, payload)
        _by_name[name] = entry
        _by_class[payload] = entry
        return payload

    return enter


def type_of(payload: object) -> EventType:
    """Return the catalogue entry of a payload.

    Raises:
        CatalogueError: its class is no event.
    """
    try:
        return _by_class[type(payload)]
    except KeyError:
        raise CatalogueError(f"{type(payload).__name__} is not in the catalogue") from None


def known_types() -> dict[str, EventType]:
    """Return every entry by name, in alphabetical order."""
    return dict(sorted(_by_name.items()))
