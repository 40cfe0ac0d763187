"""What a history repeats is masked once, and only what is the same."""

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
