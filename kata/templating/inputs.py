"""The inputs of a template under construction: values that no expression explains, one vector each."""

from collections.abc import Sequence
from typing import Any

import attrs

from ..json import JsonValue, canonical, same
from ..spec import Input, InputField
from .transforms import as_text, is_weak

NO_OPTION = "^([^-]|$)"
"""The pattern of an input that begins a shell word: it must not become an option (case B027)."""


@attrs.define
class _Entry:
    name: str
    values: tuple[JsonValue, ...]
    weak: bool
    pattern: str | None = None


class Inputs:
    """Names and collects inputs; two that are always equal are one."""

    def __init__(self) -> None:
        self._entries: list[_Entry] = []
        self._by_values: dict[str, list[_Entry]] = {}

    def find(self, values: Sequence[JsonValue]) -> Input | None:
        """Return the input that always had these values, if there is one and they say enough."""
        for entry in self._by_values.get(_key(values), ()):
            if not entry.weak:
                return Input(entry.name)
        return None

    def take(self, values: Sequence[JsonValue], hint: str) -> Input:
        """Return the input for these values, a new one under a free name where there is none."""
        return Input((self._known(values, hint) or self._add(values, hint)).name)

    def must_not_be_option(self, name: str) -> None:
        """Refuse values of an input that begin with ``-``."""
        self._named(name).pattern = NO_OPTION

    def checkpoint(self) -> int:
        """Return what `rollback` needs to forget the inputs that an attempt takes from here on."""
        return len(self._entries)

    def rollback(self, checkpoint: int) -> None:
        """Forget the inputs taken since a checkpoint."""
        for entry in self._entries[checkpoint:]:
            self._by_values[_key(entry.values)].remove(entry)
        del self._entries[checkpoint:]

    def texts(self) -> list[tuple[tuple[str, ...], Input]]:
        """List the inputs that may be found inside longer texts, as text."""
        return [
            (tuple(map(as_text, entry.values)), Input(entry.name))
            for entry in self._entries
            if not entry.weak and all(isinstance(value, str | int) for value in entry.values)
        ]

    def names(self) -> tuple[str, ...]:
        """Return the names of the inputs in order of their first use."""
        return tuple(entry.name for entry in self._entries)

    def spread(self, owners: Sequence[int]) -> "Inputs":
        """Return these inputs as the rounds of a loop see them: each round has its example's value."""
        spread = Inputs()
        for entry in self._entries:
            spread._put(_Entry(entry.name, tuple(entry.values[i] for i in owners), entry.weak))
        return spread

    def values(self, name: str) -> tuple[JsonValue, ...]:
        """Return the recorded values of an input, one an example."""
        return self._named(name).values

    def fields(self) -> tuple[InputField, ...]:
        """Describe the inputs in order of their first use."""
        return tuple(InputField(name=entry.name, schema=_schema(entry)) for entry in self._entries)

    def _named(self, name: str) -> _Entry:
        return next(entry for entry in self._entries if entry.name == name)

    def _known(self, values: Sequence[JsonValue], hint: str) -> _Entry | None:
        for entry in self._by_values.get(_key(values), ()):
            if not entry.weak or entry.name == hint:
                return entry
        return None

    def _add(self, values: Sequence[JsonValue], hint: str) -> _Entry:
        entry = _Entry(self._free(hint), tuple(values), _is_weak_vector(values))
        self._put(entry)
        return entry

    def _put(self, entry: _Entry) -> None:
        self._entries.append(entry)
        self._by_values.setdefault(_key(entry.values), []).append(entry)

    def _free(self, hint: str) -> str:
        taken = {entry.name for entry in self._entries}
        name, number = hint, 2
        while name in taken:
            name, number = f"{hint}_{number}", number + 1
        return name


def _is_weak_vector(values: Sequence[JsonValue]) -> bool:
    return any(map(is_weak, values)) or all(same(value, values[0]) for value in values[1:])


def _key(values: Sequence[JsonValue]) -> str:
    return canonical(list(values))


def _schema(entry: _Entry) -> dict[str, Any]:
    schema = schema_of(entry.values)
    if entry.pattern and schema.get("type") == "string":
        schema["pattern"] = entry.pattern
    return schema


def schema_of(values: Sequence[JsonValue]) -> dict[str, Any]:
    """Describe recorded values as a JSON Schema: their types, and the types of list elements.

    A text may be empty only where an empty one was recorded.
    """
    kinds = sorted({_kind(value) for value in values})
    if kinds == ["integer", "number"]:
        kinds = ["number"]
    schema: dict[str, Any] = {"type": kinds[0] if len(kinds) == 1 else kinds}
    if "string" in kinds and "" not in values:
        schema["minLength"] = 1
    items = [item for value in values if isinstance(value, list) for item in value]
    if items:
        schema["items"] = schema_of(items)
    return schema


def _kind(value: JsonValue) -> str:
    kinds = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}
    return kinds.get(type(value), "null")
