"""What a history repeats is masked once, and only what is the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.importer import masks
from kata.importer.masks import Masks
from kata.redact import Keeper

KEEPER = Keeper(b"k" * 32)
TOKEN = "ghp_" + "A1b2" * 9
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.sampled_from(["", "a", TOKEN])
)
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from("ab"), inner))


@given(st.lists(VALUES, max_size=8))
def test_values_are_kept_as_one_by_one_types_and_order_of_keys_included(values):
    known = Masks(KEEPER)
    assert [repr(known.keep(value)) for value in values] == [repr(KEEPER.keep(value)) for value in values]


@given(st.lists(VALUES, max_size=40))
def test_many_values_are_kept_as_one_by_one(values):
    known = Masks(KEEPER)
    assert [repr(kept) for kept in known.keep_all(values)] == [repr(KEEPER.keep(value)) for value in values]


@pytest.mark.parametrize("long", ["x" * 70_000, "\U0001f600" * 6_000, ["y" * 60_000] * 6])
def test_what_is_cut_is_cut_among_many_too(long):
    kept = list(Masks(KEEPER).keep_all([1, long, {"a": "b"}]))
    assert kept == [KEEPER.keep(1), KEEPER.keep(long), KEEPER.keep({"a": "b"})]
    assert kept[1].truncated


def test_a_secret_among_many_is_masked_and_the_others_are_as_they_were():
    values = [{"n": number, "text": f"line {number}"} for number in range(40)]
    values[17] = {"text": f"push {TOKEN}"}
    kept = list(Masks(KEEPER).keep_all(values))
    assert [one.value for one in kept[:17] + kept[18:]] == values[:17] + values[18:]
    assert TOKEN not in str(kept[17].value)


def test_a_repeated_value_is_looked_at_once():
    known = Masks(KEEPER)
    assert known.keep({"a": [1, TOKEN]}) is known.keep({"a": [1, TOKEN]})


def test_long_values_and_those_that_nest_deep_are_not_remembered():
    deep = []
    for _ in range(5000):
        deep = [deep]
    known = Masks(KEEPER)
    for value in ("x" * masks.SHORT, deep):
        assert known.keep(value).value == KEEPER.keep(value).value
        assert known.keep(value) is not known.keep(value)


def test_no_more_than_so_many_are_remembered(monkeypatch):
    monkeypatch.setattr(masks, "MOST", 2)
    known = Masks(KEEPER)
    first = known.keep("a")
    known.keep("b")
    known.keep("c")
    assert known.keep("a") is not first
