"""How a view keeps frozen values in a text column, and ids of text in an integer one."""

import hashlib
from datetime import UTC, datetime
from typing import Any, TypeVar

import cattrs

from ..events import Actor
from ..events.record import actor_of
from ..json import JsonObject, dumps, loads

T = TypeVar("T")

_converter = cattrs.Converter()
_converter.register_unstructure_hook(datetime, datetime.isoformat)
_converter.register_structure_hook(datetime, lambda text, _: datetime.fromisoformat(text))


def _actor(value: JsonObject, _: object) -> Actor:
    """Read an actor back as the log does, one of a newer Kata's surfaces too (case B063)."""
    return actor_of(value["kind"], value["id"], value["surface"])


_converter.register_structure_hook(Actor, _actor)


def pack(value: Any) -> str:
    """Write an attrs value, or a plain one, as JSON text."""
    return dumps(_converter.unstructure(value))


def unpack(text: str, kind: type[T]) -> T:
    """Read an attrs value back."""
    return _converter.structure(loads(text), kind)


def moment_text(when: datetime) -> str:
    """Write a moment so that texts sort as moments do."""
    return (when if when.tzinfo is UTC else when.astimezone(UTC)).isoformat("T", "microseconds")


def moment(text: str) -> datetime:
    """Read a moment back."""
    return datetime.fromisoformat(text)


def text_key(text: str) -> int:
    """Hash a text to a 64-bit integer: the same in every process and in every rebuild, whatever came before it."""
    raw = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(raw, digest_size=8).digest(), "big", signed=True)
