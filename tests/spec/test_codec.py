"""A spec comes back from JSON as it was: kinds stand outside values, and those of a newer Kata are named (case B064)."""

import json
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.errors import NewerKataError
from kata.spec import (
    Array,
    Concat,
    Const,
    Exists,
    Input,
    InputField,
    Item,
    Join,
    Length,
    Loop,
    NonEmpty,
    OneOf,
    Record,
    Ref,
    ShellWord,
    Spec,
    Step,
    ToolDigest,
    digest_of,
    dump_spec,
    load_expression,
    load_spec,
)
from kata.spec.codec import dump_expression

WORDS = st.sampled_from(["kind", "ref", "step", "path", "value", "const", "a", "", "é", "\ud83d"])
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)
PATHS = st.lists(WORDS | st.integers(0, 9), max_size=3).map(tuple)
REFS = st.builds(Ref, st.integers(1, 9), PATHS, st.sampled_from([None, "basename", "lower"]))
LEAVES = (
    st.builds(Const, VALUES)
    | st.builds(Input, WORDS)
    | REFS
    | st.builds(Item, PATHS, st.sampled_from([None, "text"]))
)


def larger(inner):
    several = st.lists(inner, max_size=3).map(tuple)
    return (
        st.builds(Concat, several)
        | st.builds(Join, inner, st.sampled_from([",", " "]))
        | st.builds(ShellWord, inner, st.sampled_from(["bare", "single", "double"]))
        | st.builds(Record, st.lists(st.tuples(WORDS, inner), max_size=3).map(tuple))
        | st.builds(Array, several)
    )


EXPRESSIONS = st.recursive(LEAVES, larger, max_leaves=8)
PRECONDITIONS = (
    st.builds(Exists, st.integers(1, 9), PATHS)
    | st.builds(Length, st.integers(1, 9), PATHS, st.integers(0, 9))
    | st.builds(NonEmpty, st.integers(1, 9), PATHS)
    | st.builds(OneOf, st.integers(1, 9), PATHS, st.lists(VALUES, max_size=3).map(tuple))
)
STEPS = st.builds(
    Step,
    tool=WORDS,
    args=st.builds(Record, st.lists(st.tuples(WORDS, EXPRESSIONS), max_size=3).map(tuple)),
    effect=st.sampled_from(["read", "external"]),
    accepts=st.lists(st.integers(0, 255), max_size=2).map(tuple),
    requires=st.lists(PRECONDITIONS, max_size=2).map(tuple),
    ignores=st.lists(WORDS, max_size=2).map(tuple),
)
LOOPS = st.builds(
    Loop, over=REFS, limit=st.integers(1, 50), body=st.lists(STEPS, min_size=1, max_size=2).map(tuple)
)
SPECS = st.builds(
    Spec,
    steps=st.lists(STEPS | LOOPS, min_size=1, max_size=3).map(tuple),
    inputs=st.lists(
        st.builds(InputField, name=WORDS, schema=st.just({"type": "string"}), required=st.booleans()),
        max_size=2,
    ).map(tuple),
    output=st.just({"type": "object"}),
    tools=st.lists(st.builds(ToolDigest, WORDS, WORDS), max_size=2).map(tuple),
)


def typed(value):
    """Return a value with its JSON types: `True` is not 1, and 1 is not 1.0."""
    return json.dumps(value)


@given(EXPRESSIONS)
def test_an_expression_comes_back_as_it_was(one):
    back = load_expression(json.loads(json.dumps(dump_expression(one))))
    assert back == one
    assert typed(dump_expression(back)) == typed(dump_expression(one))


@given(SPECS)
def test_a_spec_comes_back_as_it_was_with_its_digest(spec):
    back = load_spec(json.loads(json.dumps(dump_spec(spec))))
    assert back == spec
    assert digest_of(back) == digest_of(spec)


@pytest.mark.parametrize(
    "value",
    [
        {"step": 1, "path": "a"},
        {"kind": "ref"},
        {"kind": "ref", "step": 1, "path": ["a"], "transform": None},
        {"name": "x", "value": 1},
        {"kind": "branch"},
        [{"kind": "input", "name": "x"}],
        {"value": {"value": None}},
    ],
)
def test_a_constant_that_looks_like_an_expression_stays_one(value):
    back = load_expression(json.loads(json.dumps(dump_expression(Const(value)))))
    assert back == Const(value)


DUMPED = dump_spec(
    Spec(
        steps=(
            Step(
                tool="find",
                args=Record((("q", Concat((Const("a"), Input("x")))),)),
                effect="read",
                requires=(Exists(1, ("a",)),),
            ),
            Loop(
                over=Ref(1, ("rows",)),
                limit=3,
                body=(Step(tool="take", args=Record((("id", Item()),)), effect="read"),),
            ),
        )
    )
)


def kinds(value, at=()):
    """Yield where each kind of an expression, step or precondition stands."""
    if isinstance(value, dict):
        if "kind" in value:
            yield at
        for key, inner in value.items():
            yield from kinds(inner, (*at, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from kinds(inner, (*at, index))


@pytest.mark.parametrize("at", list(kinds(DUMPED)), ids=lambda at: ".".join(map(str, at)))
def test_a_kind_from_the_future_is_named_wherever_it_stands(at):
    changed = deepcopy(DUMPED)
    place = changed
    for key in at:
        place = place[key]
    place["kind"] = "branch"
    with pytest.raises(NewerKataError, match="branch"):
        load_spec(changed)


def test_a_format_from_the_future_is_named():
    with pytest.raises(NewerKataError, match="2"):
        load_spec({**DUMPED, "format": 2})
