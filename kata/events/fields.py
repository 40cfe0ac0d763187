"""What each kind of field may hold, as cattrs hooks: checked on the way in and on the way out, never coerced.

Fields that JSON carries as they are (text, numbers, free values) are checked all at once, by exact type and without a
call for each: most events hold little else, and every event is written in a hook and read at each replay.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import partial
from itertools import repeat
from operator import call, itemgetter
from types import NoneType, UnionType
from typing import Any, NoReturn, TypeAlias, Union, get_args, get_origin

import attrs
from cattrs import Converter
from cattrs.fns import identity
from cattrs.gen import make_dict_unstructure_fn, override

from .registry import CatalogueError

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


class Free(Plain):
    """A field that holds any JSON: what is none is found when it is written as text."""

    def __call__(self, value: Any, _: Any = None) -> Any:
        return value


_FREE = Free("JSON", frozenset({dict, list, str, int, float, bool, NoneType}))

_PLAIN: Mapping[Any, Plain] = {
    Any: _FREE,
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
    if not isinstance(value, datetime):
        _refuse("a datetime", value)
    if value.tzinfo is not UTC:
        if value.utcoffset() is None:
            _refuse("a time zone", value)
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
    return value._value_  # ``value`` is a property, and slow


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
        fields = [(field.name, field.type) for field in attrs.fields(kind)]
        self.names = tuple(name for name, _ in fields)
        self.plain = {name: plain for name, type_ in fields if (plain := _plain(type_)) is not None}
        self.hooks = {
            name: partial(_step, name, hook_of(type_)) for name, type_ in fields if name not in self.plain
        }
        self._places = [(self.names.index(name), hook) for name, hook in self.hooks.items()]
        self._known: set[tuple[type, ...]] = set()

    def check(self, values: Iterable[Any]) -> None:
        """Check the fields without a hook, all at once; types that came together before are remembered as good.

        Raises:
            FieldError: one is of another type.
        """
        found = tuple(map(type, values))
        if found in self._known:
            return
        checks = [(name, self.plain.get(name, _FREE)) for name in self.names]
        if all(type_ in check.types for type_, (_, check) in zip(found, checks, strict=True)):
            self._known.add(found)
        for (name, check), value in zip(checks, values, strict=True):
            _step(name, check, value)

    def convert(self, values: tuple[Any, ...]) -> Iterable[Any]:
        """Put the fields with a hook through theirs; values are in the order of the fields."""
        if not self.hooks:
            return values
        converted = list(values)
        for at, hook in self._places:
            converted[at] = hook(converted[at])
        return converted


def _step(name: str, hook: Hook, value: Any) -> Any:
    try:
        return hook(value)
    except FieldError as error:
        raise error.below(f".{name}") from None


def _object_reader(kind: type, converter: Converter) -> Hook:
    shape = _Shape(kind, partial(_reader, converter=converter))
    pick, build = _picker(shape.names), _builder(kind, shape.names)

    def read(value: Any, _: Any = None) -> Any:
        if type(value) is not dict:
            _refuse("object", value)
        try:
            values = pick(value)
        except KeyError:
            _refuse_names(value.keys(), frozenset(shape.names))
        if len(value) > len(shape.names):
            _refuse_names(value.keys(), frozenset(shape.names))
        shape.check(values)
        return build(shape.convert(values))

    return read


def _object_writer(kind: type, converter: Converter) -> Hook:
    shape = _Shape(kind, partial(_writer, converter=converter))
    overrides = {name: override(unstruct_hook=shape.hooks.get(name, identity)) for name in shape.names}
    generate: Hook = make_dict_unstructure_fn
    unstructure = generate(kind, converter, _cattrs_use_linecache=False, **overrides)

    def write(value: Any) -> dict[str, Any]:
        if type(value) is not kind:
            _refuse(kind.__name__, value)
        fields: dict[str, Any] = unstructure(value)
        shape.check(fields.values())
        return fields

    return write


def _picker(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a getter that gives a tuple, also of one value or none."""
    if len(names) > 1:
        return itemgetter(*names)
    return lambda value: tuple(value[name] for name in names)


def _builder(kind: type, names: Iterable[str]) -> Callable[[Iterable[Any]], Any]:
    """Return what makes an instance of its fields' values, in order.

    The ``__init__`` of a frozen class takes a third of all decoding. Events have no behaviour, so their slots can be
    filled without it.

    Raises:
        CatalogueError: this one has.
    """
    if hasattr(kind, "__attrs_post_init__") or any(
        one.validator or one.converter for one in attrs.fields(kind)
    ):
        raise CatalogueError(f"{kind.__name__} has validators, converters or a hook of its own")
    setters = [getattr(kind, name).__set__ for name in names]

    def build(values: Iterable[Any]) -> Any:
        instance: Any = object.__new__(kind)
        _exhaust(map(call, setters, repeat(instance), values))
        return instance

    return build


_exhaust = deque[Any](maxlen=0).extend
