"""Read Python types as JSON Schema, and JSON values as those types.

Known are ``str``, ``int``, ``float``, ``bool``, ``Any``, ``Literal``, enums, ``X | None``, unions, lists, sets,
``tuple[X, ...]``, dicts with text keys, dates, paths, and attrs and data classes of these. ``Annotated`` adds the rest:
a text is a description, an argument spec (``str_arg`` and its kin) gives limits and an example.
"""

import collections.abc
import dataclasses
import sys
import types
import typing
from collections.abc import Mapping
from datetime import date, datetime
from enum import Enum
from pathlib import Path
from typing import Any

from .check import fits
from .limits import attribute_limits

_SCALARS: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    types.NoneType: {"type": "null"},
    Any: {},
    Path: {"type": "string"},
    datetime: {"type": "string", "format": "date-time"},
    date: {"type": "string", "format": "date"},
}
_PARSED: dict[Any, Any] = {
    int: int,
    float: float,
    Path: Path,
    datetime: datetime.fromisoformat,
    date: date.fromisoformat,
}
_LISTS = (list, collections.abc.Sequence, collections.abc.Iterable, tuple)
_SETS = (set, frozenset, collections.abc.Set)
_MAPPINGS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_OWN = ("_required", "type")


@dataclasses.dataclass(frozen=True)
class Field:
    """One argument that a class or a function declares.

    Attributes:
        annotation: Its type, with ``Annotated``.
        default: What is used when it is absent; ``MISSING`` when it must be given.
    """

    name: str
    annotation: Any
    default: Any = dataclasses.MISSING
    limits: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    @property
    def required(self) -> bool:
        """Tell whether a call must hold it."""
        return self.default is dataclasses.MISSING and not allows_none(self.annotation)

    @property
    def spec(self) -> dict[str, Any]:
        """Return its argument spec."""
        spec = {**described(self.annotation), **self.limits, "_required": self.required}
        default = json_default(self.default)
        return spec if default is None else {**spec, "default": default}


def described(annotation: Any) -> dict[str, Any]:
    """Return the JSON Schema of a type, with the example of an argument spec under ``_example``.

    Raises:
        TypeError: The type has no JSON Schema here.

    >>> described(typing.Literal["a", "b"] | None)
    {'type': 'string', 'enum': ['a', 'b']}
    """
    base, notes = unannotated(annotation)
    schema = _described(base)
    for note in notes:
        schema |= _noted(note)
    return schema


def structured(annotation: Any, value: Any) -> Any:
    """Turn a checked JSON value into a value of the type.

    Raises:
        TypeError, ValueError: The value does not fit after all, such as a text that is no date.
    """
    base, _ = unannotated(annotation)
    origin = typing.get_origin(base) or base
    if value is None or base is Any:
        return value
    if is_union(origin):
        return _one_of(base, value)
    if base in _PARSED:
        return _PARSED[base](value)
    if isinstance(base, type) and issubclass(base, Enum):
        return base(value)
    if origin in _LISTS or origin in _SETS:
        items = [structured(_item_of(base), item) for item in value]
        return _collected(origin, items)
    if origin in _MAPPINGS:
        return {key: structured(_value_of(base), item) for key, item in value.items()}
    return _record(base, value) if is_record(base) else value


def fields_of(record: type) -> tuple[Field, ...]:
    """Return the arguments of an attrs or data class: what its constructor takes."""
    hints = hints_of(record)
    if hasattr(record, "__attrs_attrs__"):
        return tuple(_attrs_field(attribute, hints) for attribute in record.__attrs_attrs__ if attribute.init)
    return tuple(_data_field(item, hints) for item in dataclasses.fields(record) if item.init)


def build(record: type, values: Mapping[str, Any]) -> Any:
    """Make an instance of an attrs or data class from checked values; absent ones take their default."""
    return record(**structured_fields(fields_of(record), values))


def structured_fields(fields: tuple[Field, ...], values: Mapping[str, Any]) -> dict[str, Any]:
    """Turn checked values into those of the fields' types; what is optional and absent becomes ``None``."""
    given = {
        item.name: structured(item.annotation, values[item.name]) for item in fields if item.name in values
    }
    bare = (item for item in fields if item.name not in values and item.default is dataclasses.MISSING)
    return {**given, **{item.name: None for item in bare}}


def is_record(kind: Any) -> bool:
    """Tell whether this is an attrs class or a data class."""
    return isinstance(kind, type) and (hasattr(kind, "__attrs_attrs__") or dataclasses.is_dataclass(kind))


def allows_none(annotation: Any) -> bool:
    """Tell whether a type has ``None`` among its values."""
    base, _ = unannotated(annotation)
    return is_union(typing.get_origin(base)) and types.NoneType in typing.get_args(base)


def unannotated(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """Split ``Annotated`` into the type and its notes; notes inside ``X | None`` count as well."""
    if typing.get_origin(annotation) is typing.Annotated:
        base, *notes = typing.get_args(annotation)
        return base, tuple(notes)
    return annotation, ()


def is_union(origin: Any) -> bool:
    """Tell whether an origin is one of the two spellings of a union."""
    return origin is typing.Union or origin is types.UnionType


def hints_of(owner: Any) -> dict[str, Any]:
    """Return the annotations of a class or function.

    Raises:
        TypeError: One names something that cannot be found, as when a class is local to a function.
    """
    try:
        return typing.get_type_hints(owner, include_extras=True)
    except NameError as error:
        raise TypeError(f"the annotations of {owner!r} cannot be read: {error}") from error


def json_default(default: Any) -> Any:
    """Return a default as the schema may show it, or ``None``."""
    if isinstance(default, Enum):
        default = default.value
    return default if isinstance(default, str | int | float | bool) else None


def _described(base: Any) -> dict[str, Any]:
    if base in _SCALARS:
        return dict(_SCALARS[base])
    origin = typing.get_origin(base) or base
    if origin is typing.Literal:
        return _choice(typing.get_args(base))
    if is_union(origin):
        return _union(base)
    if isinstance(base, type) and issubclass(base, Enum):
        return _choice([member.value for member in base])
    if origin in _LISTS or origin in _SETS:
        unique = {"uniqueItems": True} if origin in _SETS else {}
        return {"type": "array", "items": _element(_item_of(base)), **unique}
    if origin in _MAPPINGS:
        return {"type": "object", "additionalProperties": _element(_value_of(base))}
    if is_record(base):
        return _object(fields_of(base))
    raise TypeError(
        f"{base!r} has no JSON Schema here; use a plain type, a list, a dict, or an attrs or data class"
    )


def _noted(note: Any) -> dict[str, Any]:
    """Read one note of ``Annotated``: a description, an argument spec, or an object with ``documentation``."""
    if isinstance(note, str):
        return {"description": note}
    if isinstance(note, Mapping):
        return {key: value for key, value in note.items() if key not in _OWN}
    documentation = getattr(note, "documentation", None)
    return {"description": documentation} if isinstance(documentation, str) else {}


def _bare(annotation: Any) -> dict[str, Any]:
    return {key: value for key, value in described(annotation).items() if not key.startswith("_")}


def _element(annotation: Any) -> dict[str, Any]:
    """Describe what stands in a list or dict, where ``None`` cannot be said by leaving it out."""
    nullable = {"nullable": True} if allows_none(annotation) else {}
    return {**_bare(annotation), **nullable}


def _object(fields: tuple[Field, ...]) -> dict[str, Any]:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            item.name: {key: value for key, value in item.spec.items() if not key.startswith("_")}
            for item in fields
        },
        "additionalProperties": False,
    }
    required = [item.name for item in fields if item.required]
    return {**schema, "required": required} if required else schema


def _choice(values: Any) -> dict[str, Any]:
    kinds = [_described(type(value))["type"] for value in values]
    typed = {"type": kinds[0]} if len(set(kinds)) == 1 else {}
    return {**typed, "enum": list(values)}


def _union(base: Any) -> dict[str, Any]:
    members = [member for member in typing.get_args(base) if member is not types.NoneType]
    if len(members) == 1:
        return described(members[0])
    return {"anyOf": [_bare(member) for member in members]}


def _item_of(base: Any) -> Any:
    arguments = typing.get_args(base) or (Any,)
    if typing.get_origin(base) is tuple and arguments[1:] != (...,):
        raise TypeError(f"{base!r} has no JSON Schema here; only tuples of one kind, as tuple[str, ...]")
    return arguments[0]


def _value_of(base: Any) -> Any:
    key, value = typing.get_args(base) or (str, Any)
    if key is not str:
        raise TypeError(f"{base!r} has no JSON Schema: the keys of a JSON object are texts")
    return value


def _collected(origin: Any, items: list[Any]) -> Any:
    if origin is tuple:
        return tuple(items)
    if origin is frozenset or origin is collections.abc.Set:
        return frozenset(items)
    return set(items) if origin is set else items


def _record(base: type, value: Any) -> Any:
    return value if isinstance(value, base) else build(base, value)


def _one_of(base: Any, value: Any) -> Any:
    """Take the first member that the value fits; the check has found that one does."""
    members = [member for member in typing.get_args(base) if member is not types.NoneType]
    return next((structured(member, value) for member in members if fits(_bare(member), value)), value)


def _attrs_field(attribute: Any, hints: Mapping[str, Any]) -> Field:
    # attrs made the class, so it is loaded; the kit itself does not need it.
    nothing = sys.modules["attr"].NOTHING
    default = dataclasses.MISSING if attribute.default is nothing else attribute.default
    hint = hints.get(attribute.name, Any)
    limits = attribute_limits(attribute.validator, described(hint).get("type"))
    return Field(attribute.alias, hint, default, {**limits, **_metadata(attribute.metadata)})


def _data_field(item: Any, hints: Mapping[str, Any]) -> Field:
    default = item.default if item.default_factory is dataclasses.MISSING else item.default_factory
    return Field(item.name, hints.get(item.name, Any), default, _metadata(item.metadata))


def _metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Read the description and example that a field's metadata give."""
    named = {"description": metadata.get("description"), "_example": metadata.get("example")}
    return {key: value for key, value in named.items() if value is not None}
