"""What the audit trail says of an event: its plain fields, never the values of calls."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any

import attrs

from ..events import known_types
from ..events.catalogue import keeping, lifecycle, observation, runs
from ..json import JsonValue

LONGEST = 2000
"""Characters of one text that a summary keeps."""


class Plane(StrEnum):
    """What kind of thing an event tells of; ``observation`` stays out of the audit trail unless asked for."""

    LIFECYCLE = "lifecycle"
    RUN = "run"
    KEEPING = "keeping"
    OBSERVATION = "observation"
    UNKNOWN = "unknown"


_MODULES = {
    lifecycle: Plane.LIFECYCLE,
    runs: Plane.RUN,
    keeping: Plane.KEEPING,
    observation: Plane.OBSERVATION,
}
_BY_NAME = {module.__name__: plane for module, plane in _MODULES.items()}
_ABOUT_RECORDING = frozenset(
    {"recording.paused", "recording.resumed", "observations.lost", "import.finished"}
)
"""Told beside observations, but what a person did or must know."""
_STEPS = frozenset({"step.started", "step.finished", "step.performed"})
"""Told beside runs, but noise in the trail: a run is shown step by step where one asks for it."""


@cache
def plane_of(event_type: str) -> Plane:
    """Return the plane of an event type; one of a newer Kata is ``unknown``, and shown."""
    entry = known_types().get(event_type)
    if event_type in _ABOUT_RECORDING:
        return Plane.KEEPING
    if event_type in _STEPS:
        return Plane.OBSERVATION
    return Plane.UNKNOWN if entry is None else _BY_NAME[entry.payload.__module__]


def summary(payload: Any) -> dict[str, JsonValue]:
    """Return a payload's plain fields as JSON: scalars, moments, lists of text, and groups of scalars.

    Fields that may hold any JSON (arguments, results, specs, schemas) are left out.
    """
    fields: dict[str, JsonValue] = {}
    kind: type = payload.__class__
    for name in _plain_fields(kind):
        value = _plain(getattr(payload, name))
        if value is not _LEFT_OUT:
            fields[name] = value
    return fields


def brief(payload: Any) -> str:
    """Return the few words by which an observation is found, case folded: the tool or hook, and how it ended."""
    return _folded(*[str(getattr(payload, name)) for name in _brief_fields(payload.__class__)])


def searched(fields: Mapping[str, JsonValue]) -> str:
    """Return the text of a summary that a search looks at, case folded."""
    return "\n".join(_texts(fields.values())).casefold() if fields else ""


_LEFT_OUT: Any = object()


@cache
def _plain_fields(payload: type) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(payload) if field.type is not Any)


@cache
def _brief_fields(payload: type) -> tuple[str, ...]:
    names = attrs.fields_dict(payload)
    return tuple(name for name in ("tool", "outcome", "system", "name") if name in names)


@lru_cache(maxsize=1024)
def _folded(*words: str) -> str:
    return "\n".join(words).casefold()


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return str(value)[:LONGEST]
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, tuple):
        return [one[:LONGEST] for one in value] if all(isinstance(one, str) for one in value) else _LEFT_OUT
    return summary(value) if attrs.has(type(value)) else _LEFT_OUT


def _texts(values: Any) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from _texts(value)
        elif isinstance(value, dict):
            yield from _texts(value.values())
        elif value is not None:
            yield json.dumps(value)
