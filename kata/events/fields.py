"""What each kind of field may hold, as cattrs hooks: checked on the way in and on the way out, never coerced."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import partial
from operator import is_
from typing import Any, NoReturn, get_args, get_origin

import attrs
from cattrs import Converter
from cattrs.errors import (
    AttributeValidationNote,
    BaseValidationError,
    IterableValidationNote,
)

from ..json import dumps

Hook = Callable[..., Any]


class FieldError(ValueError):
    """Say what stands where something else belongs; ``step`` leads further down to it."""

    def __init__(self, problem: str, step: str = "") -> None:
        super().__init__(problem)
        self.step = step


def build_converter(*, detailed: bool) -> Converter:
    """Make a strict converter; the detailed one is slower and remembers the path of what is wrong."""
    converter = Converter(detailed_validation=detailed)
    for kind, (read, write) in _CHECKS.items():
        converter.register_structure_hook(kind, read)
        converter.register_unstructure_hook(kind, write)
    converter.register_unstructure_hook_func(partial(is_, Any), _as_it_is)
    converter.register_structure_hook_factory(_is_tuple, _tuple_reader)
    converter.register_unstructure_hook_factory(_is_tuple, _tuple_writer)
    converter.register_structure_hook_factory(attrs.has, _object_reader)
    converter.register_unstructure_hook_factory(attrs.has, _object_writer)
    return converter


def write_time(value: Any) -> str:
    """Write a moment as ISO 8601 in UTC with microseconds: one text for one moment, sorted as text.

    Raises:
        FieldError: the value is no datetime, or has no time zone.
    """
    if not isinstance(value, datetime) or value.utcoffset() is None:
        _refuse("a datetime with a time zone", value)
    return value.astimezone(UTC).isoformat(timespec="microseconds")[:-6] + "Z"


def read_time(value: Any, _: Any = None) -> datetime:
    """Read a moment in UTC back.

    Raises:
        FieldError: the text is no ISO 8601 moment in UTC.
    """
    _check_str(value)
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        _refuse("an ISO 8601 moment", value)
    if moment.utcoffset() != timedelta():
        _refuse("a moment in UTC", value)
    return moment if moment.tzinfo is UTC else moment.replace(tzinfo=UTC)


def first_problem(error: BaseException, path: str) -> tuple[str, str]:
    """Return the path of the first wrong field inside a detailed error, and what is wrong with it."""
    while isinstance(error, BaseValidationError):
        error = error.exceptions[0]
        for note in getattr(error, "__notes__", ()):
            path += _step(note)
    return path + getattr(error, "step", ""), str(error)


def first_unwritable(payload: Any, path: str, converter: Converter, error: Exception) -> tuple[str, str]:
    """Return the path of the first field that cannot be written, and why."""
    for field in attrs.fields(type(payload)):
        value, where = getattr(payload, field.name), f"{path}.{field.name}"
        problem = _unwritable(value, field.type, converter)
        if problem is None:
            continue
        if attrs.has(type(value)):
            return first_unwritable(value, where, converter, problem)
        return where, str(problem)
    return path, str(error)


def _unwritable(value: Any, kind: Any, converter: Converter) -> Exception | None:
    try:
        dumps(converter.get_unstructure_hook(kind)(value))
    except Exception as error:
        return error
    return None


def _step(note: Any) -> str:
    match note:
        case AttributeValidationNote():
            return f".{note.name}"
        case IterableValidationNote():
            return f"[{note.index}]"
    return ""


def _refuse(expected: str, value: Any) -> NoReturn:
    raise FieldError(f"expected {expected}, found {type(value).__name__}")


def _refuse_names(found: AbstractSet[str], names: set[str]) -> NoReturn:
    """Fields with a default must stand there as well: a new field is a new schema."""
    for name in sorted(names - found):
        raise FieldError("is missing", step=f".{name}")
    raise FieldError("has unknown fields: " + ", ".join(sorted(found - names)))


def _as_it_is(value: Any) -> Any:
    return value


def _check_str(value: Any, _: Any = None) -> str:
    if not isinstance(value, str):
        _refuse("str", value)
    return value


def _check_int(value: Any, _: Any = None) -> int:
    if not isinstance(value, int) or value is True or value is False:
        _refuse("int", value)
    return value


def _check_bool(value: Any, _: Any = None) -> bool:
    if value is not True and value is not False:
        _refuse("bool", value)
    return value


def _check_float(value: Any, _: Any = None) -> float:
    """Let an ``int`` pass as it is, as the type system does: it comes back the same."""
    return value if isinstance(value, float) else _check_int(value)


_CHECKS: dict[type, tuple[Hook, Hook]] = {
    str: (_check_str, _check_str),
    int: (_check_int, _check_int),
    bool: (_check_bool, _check_bool),
    float: (_check_float, _check_float),
    datetime: (read_time, write_time),
}


def _register_enums(kind: type, converter: Converter) -> None:
    """Give each enum among the fields its own hooks: a `StrEnum` is a ``str``, whose hook would let anything pass."""
    for field in attrs.fields(kind):
        for one in (field.type, *get_args(field.type)):
            if isinstance(one, type) and issubclass(one, Enum):
                converter.register_structure_hook(one, _enum_reader(one))
                converter.register_unstructure_hook(one, _enum_writer(one))


def _enum_reader(kind: type[Enum]) -> Hook:
    members = kind._value2member_map_

    def read(value: Any, _: Any = None) -> Any:
        member = members.get(value) if isinstance(value, str) else None
        if member is None:
            raise FieldError(f"{value!r} is no {kind.__name__}")
        return member

    return read


def _enum_writer(kind: type[Enum]) -> Hook:
    def write(value: Any) -> Any:
        if type(value) is not kind:
            _refuse(kind.__name__, value)
        return value.value

    return write


def _is_tuple(kind: Any) -> bool:
    return get_origin(kind) is tuple


def _tuple_reader(kind: Any, converter: Converter) -> Hook:
    members = get_args(kind)
    if members[-1] is ...:
        as_list = list[members[0]]  # type: ignore[valid-type]
        read_list = converter.get_structure_hook(as_list)

        def read_many(value: Any, _: Any = None) -> tuple[Any, ...]:
            if type(value) is not list:
                _refuse("list", value)
            return tuple(read_list(value, as_list))

        return read_many
    hooks = [(converter.get_structure_hook(member), member) for member in members]

    def read_few(value: Any, _: Any = None) -> tuple[Any, ...]:
        if type(value) is not list or len(value) != len(hooks):
            _refuse(f"list of {len(hooks)}", value)
        return tuple(hook(one, member) for one, (hook, member) in zip(value, hooks, strict=True))

    return read_few


def _tuple_writer(kind: Any, converter: Converter) -> Hook:
    members = get_args(kind)
    if members[-1] is ...:
        write_one = converter.get_unstructure_hook(members[0])

        def write_many(value: Any) -> list[Any]:
            if not isinstance(value, tuple):
                _refuse("tuple", value)
            return [write_one(one) for one in value]

        return write_many
    hooks = [converter.get_unstructure_hook(member) for member in members]

    def write_few(value: Any) -> list[Any]:
        if not isinstance(value, tuple) or len(value) != len(hooks):
            _refuse(f"tuple of {len(hooks)}", value)
        return [hook(one) for one, hook in zip(value, hooks, strict=True)]

    return write_few


def _object_reader(kind: type, converter: Converter) -> Hook:
    _register_enums(kind, converter)
    read: Hook = converter.gen_structure_attrs_fromdict(kind)
    names = {field.name for field in attrs.fields(kind)}

    def read_object(value: Any, _: Any = None) -> Any:
        if type(value) is not dict:
            _refuse("object", value)
        if value.keys() != names:
            _refuse_names(value.keys(), names)
        return read(value, kind)

    return read_object


def _object_writer(kind: type, converter: Converter) -> Hook:
    _register_enums(kind, converter)
    write: Hook = converter.gen_unstructure_attrs_fromdict(kind)

    def write_object(value: Any) -> Any:
        if type(value) is not kind:
            _refuse(kind.__name__, value)
        return write(value)

    return write_object
