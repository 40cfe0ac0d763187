"""Schemas learned from examples."""

from hypothesis import given
from hypothesis import strategies as st

from kata.schemas import accepts, learn, usable

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8"), max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcdef"), inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(JSON, min_size=1, max_size=5))
def test_a_learned_schema_accepts_every_example(examples):
    schema = learn(examples)
    assert usable(schema)
    assert all(accepts(schema, one) for one in examples)


def test_what_was_always_there_is_required_and_what_was_not_is_not():
    schema = learn([{"a": 1, "b": "x"}, {"a": 2}])
    assert schema["required"] == ["a"]
    assert schema["properties"] == {"a": {"type": "integer"}, "b": {"type": "string"}}


def test_whole_and_broken_numbers_are_numbers():
    assert learn([1, 1.5]) == {"type": "number"}


def test_what_lists_hold_is_learned_over_all_of_them():
    assert learn([[{"id": 1}], [], [{"id": None}]])["items"] == {
        "type": "object",
        "properties": {"id": {"type": ["integer", "null"]}},
        "required": ["id"],
    }


def test_values_are_never_kept():
    assert "secret" not in str(learn(["secret", "secret"]))


def test_an_object_used_as_a_map_stays_open():
    assert learn([{"k1": 1}, {"k2": 2}, {"k3": 3, "k4": 4}]) == {"type": "object"}
    assert learn([{f"k{n}": n for n in range(60)}]) == {"type": "object"}


def test_nothing_is_known_without_examples():
    assert learn([]) == {}
