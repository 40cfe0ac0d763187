"""What each kind of field may hold, as cattrs hooks: checked on the way in and on the way out, never coerced.

Fields that JSON carries as they are (text, numbers, free values) are checked all at once, by exact type and without a
call for each: most events hold little else, and every event is written in a hook and read at each replay.
"""

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import partial
from operator import attrgetter, contains, itemgetter
from types import NoneType, UnionType
from typing import Any, NoReturn, TypeAlias, Union, get_args, get_origin

import attrs
from cattrs import Converter

Hook: TypeAlias = Callable[..., Any]


class FieldError(ValueError):
    """Say what stands where something else belongs; ``step`` leads down to it (``.usage.total_tokens``)."""

    def __init__(self, problem: str, step: str = "") -> None:
        super().__init__(problem)
        self.problem, self.step = problem, step

    def below(self, step: str) -> "FieldError":
        """Return the same fault as seen from one step further up."""
        return FieldError(self.problem, step + self.step)


@attrs.frozen
class Plain:
    """A kind of field that JSON carries as it is: its name for people, and the exact types it may hold."""

    name: str
    types: frozenset[type]

    def __call__(self, value: Any, _: Any = None) -> Any:
        """Check one value.

        Raises:
            FieldError: it is of another type.
        """
        if type(value) not in self.types and not self._is_derived(value):
            _refuse(self.name, value)
        return value

    def _is_derived(self, value: Any) -> bool:
        """Let a member of an enum pass as the text or number that it is."""
        return isinstance(value, Enum) and any(issubclass(type(value), kind) for kind in self.types - {bool})


_PLAIN: Mapping[Any, Plain] = {
    str: Plain("str", frozenset({str})),
    int: Plain("int", frozenset({int})),
    bool: Plain("bool", frozenset({bool})),
    float: Plain("float", frozenset({float, int})),  # as the type system has it; an int comes back an int
    NoneType: Plain("None", frozenset({NoneType})),
}


def build_converter() -> Converter:
    """Make a strict converter; its hooks raise `FieldError` with the way down to the fault."""
    converter = Converter(detailed_validation=False)
    for kind, plain in _PLAIN.items():
        converter.register_structure_hook(kind, plain)
        converter.register_unstructure_hook(kind, plain)
    converter.register_structure_hook(datetime, read_time)
    converter.register_unstructure_hook(datetime, write_time)
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
    if value.tzinfo is not UTC:
        value = value.astimezone(UTC)
    text: str = value.isoformat(timespec="microseconds")
    return text[:-6] + "Z"


def read_time(value: Any, _: Any = None) -> datetime:
    """Read a moment in UTC back.

    Raises:
        FieldError: the text is no ISO 8601 moment in UTC.
    """
    try:
        moment = datetime.fromisoformat(value)
    except (ValueError, TypeError):
        _refuse("an ISO 8601 moment", value)
    if moment.tzinfo is UTC:
        return moment
    if moment.utcoffset() != timedelta():
        _refuse("a moment in UTC", value)
    return moment.replace(tzinfo=UTC)


def _refuse(expected: str, value: Any) -> NoReturn:
    raise FieldError(f"expected {expected}, found {type(value).__name__}")


def _refuse_names(found: AbstractSet[str], names: AbstractSet[str]) -> NoReturn:
    """Fields with a default must stand there as well: a new field is a new schema."""
    for name in sorted(names - found):
        raise FieldError("is missing", f".{name}")
    raise FieldError("has unknown fields: " + ", ".join(sorted(found - names)))


def _plain(kind: Any) -> Plain | None:
    """Return how a kind is checked by type alone; None where it takes more."""
    if get_origin(kind) in (Union, UnionType):
        members = [_plain(member) for member in get_args(kind)]
        known = [member for member in members if member is not None]
        if len(known) < len(members):
            return None
        return Plain(" or ".join(one.name for one in known), frozenset().union(*(one.types for one in known)))
    return _PLAIN.get(kind)


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def _is_tuple(kind: Any) -> bool:
    return get_origin(kind) is tuple


def _enum_reader(kind: type[Enum], value: Any, _: Any = None) -> Any:
    member = kind._value2member_map_.get(value) if isinstance(value, str) else None
    if member is None:
        raise FieldError(f"{value!r} is no {kind.__name__}")
    return member


def _enum_writer(kind: type[Enum], value: Any) -> Any:
    if type(value) is not kind:
        _refuse(kind.__name__, value)
    return value.value


def _reader(kind: Any, converter: Converter) -> Hook:
    """Return the hook of one kind; enums have theirs here, since a `StrEnum` would be taken for the ``str`` it is."""
    if _is_enum(kind):
        return partial(_enum_reader, kind)
    hook = converter.get_structure_hook(kind)
    return lambda value: hook(value, kind)


def _writer(kind: Any, converter: Converter) -> Hook:
    return partial(_enum_writer, kind) if _is_enum(kind) else converter.get_unstructure_hook(kind)


def _each(hook: Hook, values: Iterable[Any]) -> list[Any]:
    done: list[Any] = []
    try:
        for value in values:
            done.append(hook(value))  # noqa: PERF401 - its length says where it stopped
    except FieldError as error:
        raise error.below(f"[{len(done)}]") from None
    return done


def _few(hooks: list[Hook], values: Iterable[Any]) -> list[Any]:
    return _each(lambda pair: pair[0](pair[1]), zip(hooks, values, strict=True))


def _tuple_reader(kind: Any, converter: Converter) -> Hook:
    hooks = [_reader(member, converter) for member in get_args(kind) if member is not ...]
    is_long = get_args(kind)[-1] is ...

    def read(value: Any, _: Any = None) -> tuple[Any, ...]:
        if type(value) is not list:
            _refuse("list", value)
        if is_long:
            return tuple(_each(hooks[0], value))
        if len(value) != len(hooks):
            raise FieldError(f"expected {len(hooks)} items, found {len(value)}")
        return tuple(_few(hooks, value))

    return read


def _tuple_writer(kind: Any, converter: Converter) -> Hook:
    hooks = [_writer(member, converter) for member in get_args(kind) if member is not ...]
    is_long = get_args(kind)[-1] is ...

    def write(value: Any) -> list[Any]:
        if not isinstance(value, tuple):
            _refuse("tuple", value)
        if is_long:
            return _each(hooks[0], value)
        if len(value) != len(hooks):
            raise FieldError(f"expected {len(hooks)} items, found {len(value)}")
        return _few(hooks, value)

    return write


class _Shape:
    """The fields of a payload class: those that are checked by type all at once, and those with a hook of their own."""

    def __init__(self, kind: type, hook_of: Callable[[Any], Hook]) -> None:
        fields = [(field.name, field.type) for field in attrs.fields(kind) if field.type is not Any]
        plain = {name: check for name, type_ in fields if (check := _plain(type_)) is not None}
        self.names = tuple(field.name for field in attrs.fields(kind))
        self.plain = tuple(plain.items())
        self.types = tuple(check.types for check in plain.values())
        self.hooked = tuple((name, hook_of(type_)) for name, type_ in fields if name not in plain)

    def check(self, values: Iterable[Any]) -> None:
        """Check the plain fields' values."""
        values = tuple(values)
        if not all(map(contains, self.types, map(type, values))):
            for (name, check), value in zip(self.plain, values, strict=True):
                _step(name, check, value)

    def convert(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Put the fields with a hook through theirs."""
        for name, hook in self.hooked:
            fields[name] = _step(name, hook, fields[name])
        return fields


def _step(name: str, hook: Hook, value: Any) -> Any:
    try:
        return hook(value)
    except FieldError as error:
        raise error.below(f".{name}") from None


def _object_reader(kind: type, converter: Converter) -> Hook:
    shape = _Shape(kind, partial(_reader, converter=converter))
    names = frozenset(shape.names)
    pick = _picker(itemgetter, [name for name, _ in shape.plain])

    def read(value: Any, _: Any = None) -> Any:
        if type(value) is not dict:
            _refuse("object", value)
        if value.keys() != names:
            _refuse_names(value.keys(), names)
        shape.check(pick(value))
        return kind(**shape.convert(value.copy() if shape.hooked else value))

    return read


def _object_writer(kind: type, converter: Converter) -> Hook:
    shape = _Shape(kind, partial(_writer, converter=converter))
    pick = _picker(attrgetter, [name for name, _ in shape.plain])
    pick_all = _picker(attrgetter, shape.names)

    def write(value: Any) -> dict[str, Any]:
        if type(value) is not kind:
            _refuse(kind.__name__, value)
        shape.check(pick(value))
        return shape.convert(dict(zip(shape.names, pick_all(value), strict=True)))

    return write


def _picker(getter: Any, names: Iterable[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a getter that gives a tuple, also of one value or none."""
    names = tuple(names)
    if len(names) > 1:
        return getter(*names)  # type: ignore[no-any-return]
    return lambda value: tuple(getter(name)(value) for name in names)
