"""Payloads to bytes and back: strict both ways, so that whatever was written can be read (design 2).

A wrong field is named by its path, nothing is coerced, and what a newer Kata wrote is kept as it is. One pair of hooks
is generated for each payload class when it is first met; no tagged unions (the type stands beside the payload).
"""

from collections.abc import Callable, Iterable
from typing import Any, cast

from ..errors import KataError
from ..json import JsonError, JsonValue, dumps, loads
from .envelope import Unreadable
from .fields import FieldError, build_converter
from .registry import CatalogueError, EventType, known_types
from .upcast import UPCASTERS, Upcasters

__all__ = ["CODEC", "BadEventError", "Codec", "decode_payload", "encode_payload"]

MAX_DEPTH = 200
"""How deep a payload may nest: far below what any reader's stack can parse."""


class BadEventError(KataError, ValueError):
    """Say that a payload or header is not what its class declares; ``path`` names the field (``tool.returned.args``)."""

    code = "bad_event"

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path, self.problem = path, problem


class Codec:
    """Encode and decode the payloads of a set of event types."""

    def __init__(self, types: Iterable[EventType], upcasters: Upcasters) -> None:
        known = tuple(types)
        upcasters.check(known)
        self._upcasters = upcasters
        self._by_name = {one.name: one for one in known}
        self._by_class = {one.payload: one for one in known}
        self._converter = build_converter()
        self._readers: dict[str, Callable[[JsonValue], Any]] = {}
        self._writers: dict[str, Callable[[Any], dict[str, JsonValue]]] = {}

    def type_of(self, payload: object) -> EventType:
        """Return the entry of a payload's class.

        Raises:
            CatalogueError: its class is no event.
        """
        try:
            return self._by_class[type(payload)]
        except KeyError:
            raise CatalogueError(f"{type(payload).__name__} is not in the catalogue") from None

    def encode_payload(self, payload: object) -> bytes:
        """Write a payload as compact ASCII JSON, fields in declared order: the same object, the same bytes.

        Raises:
            BadEventError: a field holds what it does not declare, or nests too deep to be read back.
        """
        return self.encode_as(self.type_of(payload), payload)

    def encode_as(self, entry: EventType, payload: object) -> bytes:
        """Write a payload of a type that was looked up, as `encode_payload` does.

        Raises:
            BadEventError: as there.
        """
        try:
            fields = (self._writers.get(entry.name) or self._writer(entry))(payload)
        except FieldError as error:
            raise BadEventError(entry.name + error.step, error.problem) from error
        text = _dumped(entry.name, fields)
        if text.count("[") + text.count("{") > MAX_DEPTH and _depth(text) > MAX_DEPTH:
            raise BadEventError(entry.name, f"nests deeper than {MAX_DEPTH} levels")
        return text.encode("ascii")

    def decode_payload(self, name: str, schema: int, raw: bytes | None) -> Any:
        """Read a payload back: an instance of its class, or `Unreadable` where it is erased or from a newer Kata.

        Raises:
            BadEventError: the bytes are no payload of this type, although the type and schema are known.
        """
        if raw is None:
            return Unreadable(why="erased")
        value = _parse(name, raw)
        entry = self._by_name.get(name)
        if entry is None:
            return Unreadable(why="unknown_type", raw=value)
        if schema > entry.schema:
            return Unreadable(why="newer_schema", raw=value)
        if schema < entry.schema:
            value = self._lift(entry, schema, value)
        try:
            return self._reader(entry)(value)
        except FieldError as error:
            raise BadEventError(name + error.step, error.problem) from error

    def _lift(self, entry: EventType, schema: int, value: JsonValue) -> JsonValue:
        try:
            return self._upcasters.lift(entry.name, value, schema, entry.schema)
        except (LookupError, TypeError, ValueError) as error:
            raise BadEventError(entry.name, f"schema {schema} cannot be lifted: {error!r}") from error

    def _reader(self, entry: EventType) -> Callable[[JsonValue], Any]:
        reader = self._readers.get(entry.name)
        if reader is None:
            hook = self._converter.get_structure_hook(entry.payload)  # of `fields`: the type may be left out
            reader = self._readers[entry.name] = cast("Callable[[JsonValue], Any]", hook)
        return reader

    def _writer(self, entry: EventType) -> Callable[[Any], dict[str, JsonValue]]:
        writer = self._writers[entry.name] = self._converter.get_unstructure_hook(entry.payload)
        return writer


def _dumped(name: str, fields: dict[str, JsonValue]) -> str:
    try:
        return dumps(fields)
    except JsonError as error:
        wrong = next((field for field, value in fields.items() if not _is_json(value)), "")
        raise BadEventError(f"{name}.{wrong}", str(error)) from error


def _is_json(value: JsonValue) -> bool:
    try:
        dumps(value)
    except JsonError:
        return False
    return True


def _parse(name: str, raw: bytes) -> JsonValue:
    try:
        return loads(raw.decode("ascii"))
    except (UnicodeDecodeError, JsonError) as error:
        raise BadEventError(name, f"is no JSON ({error})") from error


def _depth(text: str) -> int:
    depth = deepest = 0
    in_string = escaped = False
    for char in text:
        if in_string:
            in_string = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            in_string = True
        elif char in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in "]}":
            depth -= 1
    return deepest


CODEC = Codec(known_types().values(), UPCASTERS)
"""The codec of the catalogue."""

encode_payload = CODEC.encode_payload
decode_payload = CODEC.decode_payload
