"""Payloads of every type, made by looking at what the classes declare."""

from datetime import UTC, datetime, timedelta, timezone
from enum import Enum
from types import NoneType
from typing import Any, get_args, get_origin

import attrs
from hypothesis import strategies as st

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec=None), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)

_PLAIN = {
    str: st.text(st.characters(codec=None), max_size=12),
    int: st.integers(),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans(),
    datetime: st.datetimes(timezones=st.just(UTC)),
    NoneType: st.none(),
    Any: JSON,
}


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Every value that a declared type allows."""
    if kind in _PLAIN:
        return _PLAIN[kind]
    if attrs.has(kind):
        return st.builds(kind, **{field.name: values(field.type) for field in attrs.fields(kind)})
    if isinstance(kind, type) and issubclass(kind, Enum):
        return st.sampled_from(kind)
    members = get_args(kind)
    if get_origin(kind) is not tuple:
        return st.one_of(map(values, members))
    if members[-1] is ...:
        return st.lists(values(members[0]), max_size=3).map(tuple)
    return st.tuples(*map(values, members))


def sample(kind: Any, name: str = "value") -> Any:
    """One telling value of a declared type; always the same."""
    plain = {
        str: name,
        int: 3,
        float: 0.5,
        bool: True,
        datetime: datetime(2026, 1, 1, 9, 0, 0, 250, tzinfo=UTC),
        Any: {"path": "a/b.txt", "list": [1, 1.0, True, None, "1"], "odd": "caf\udce9 \U0001f600"},
    }
    if kind in plain:
        return plain[kind]
    if attrs.has(kind):
        return kind(**{field.name: sample(field.type, field.name) for field in attrs.fields(kind)})
    if isinstance(kind, type) and issubclass(kind, Enum):
        return next(iter(kind))
    members = get_args(kind)
    if get_origin(kind) is not tuple:
        return sample(members[0], name)
    if members[-1] is ...:
        return (sample(members[0], name), sample(members[0], f"{name}_2"))
    return tuple(sample(member, name) for member in members)


ELSEWHERE = timezone(timedelta(hours=5, minutes=30))
