import jsonschema_rs
from hypothesis import given
from hypothesis import strategies as st

from kata.kit.arguments.check import coerced, fits, problems_of

SCALARS = st.sampled_from(
    [
        {"type": "string", "minLength": 1, "maxLength": 3},
        {"type": "string", "pattern": "^a+$"},
        {"type": "string", "enum": ["a", "b"]},
        {"type": "integer", "minimum": 0, "maximum": 5},
        {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 5},
        {"type": "number"},
        {"type": "boolean"},
        {"type": "null"},
        {"enum": [1, "a", True]},
        {"anyOf": [{"type": "integer"}, {"type": "string", "enum": ["x"]}]},
        {},
    ]
)


def _nested(inner):
    lists = inner.map(
        lambda items: {"type": "array", "items": items, "minItems": 1, "maxItems": 3, "uniqueItems": True}
    )
    maps = inner.map(lambda rest: {"type": "object", "additionalProperties": rest})
    objects = st.tuples(inner, inner, st.booleans()).map(
        lambda drawn: {
            "type": "object",
            "properties": {"a": drawn[0], "b": drawn[1]},
            "required": ["a"],
            "additionalProperties": drawn[2],
        }
    )
    return lists | maps | objects


SCHEMAS = st.recursive(SCALARS, _nested, max_leaves=6)
# Null and blank text count as missing here, by the kit's own rule, so they do not stand in objects.
LEAVES = (
    st.booleans()
    | st.integers(-2, 7)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["a", "aa", "b", "x"])
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)


@given(SCHEMAS, VALUES)
def test_a_value_fits_when_a_json_schema_validator_says_so(schema, value):
    assert fits(schema, value) == jsonschema_rs.is_valid(schema, value)


@given(SCHEMAS, VALUES)
def test_every_problem_says_where(schema, value):
    args = {"given": value}
    problems = problems_of({"properties": {"given": schema}}, args)
    assert all(problem.path.startswith("given") and problem.path in problem.text for problem in problems)


@given(SCHEMAS, VALUES)
def test_reading_twice_is_reading_once(schema, value):
    parameters = {"properties": {"given": schema}}
    once = coerced(parameters, {"given": value})
    assert coerced(parameters, once) == once


def test_texts_are_read_only_where_they_are_unambiguous():
    parameters = {"properties": {"n": {"type": "integer"}, "f": {"type": "number"}, "b": {"type": "boolean"}}}
    assert coerced(parameters, {"n": "4", "f": "1.5", "b": "TRUE"}) == {"n": 4, "f": 1.5, "b": True}
    assert coerced(parameters, {"n": "4.5", "f": "many", "b": "yes"}) == {"n": "4.5", "f": "many", "b": "yes"}


def test_lists_and_objects_are_read_from_json_texts():
    parameters = {
        "properties": {"l": {"type": "array", "items": {"type": "integer"}}, "o": {"type": "object"}}
    }
    assert coerced(parameters, {"l": '["1", 2]', "o": '{"a": 1}'}) == {"l": [1, 2], "o": {"a": 1}}
    assert coerced(parameters, {"l": "7", "o": "[]"}) == {"l": [7], "o": "[]"}


def test_a_null_stays_only_where_it_is_required():
    parameters = {"properties": {"a": {}, "b": {}}, "required": ["a"]}
    assert coerced(parameters, {"a": None, "b": None}) == {"a": None}


def test_a_long_value_is_shortened_in_a_problem():
    (problem,) = problems_of({"properties": {"a": {"type": "integer"}}}, {"a": "x" * 500})
    assert len(problem.text) < 100
