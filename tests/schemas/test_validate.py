"""Values against schemas that strangers wrote."""

import time

import pytest

from kata.schemas import SchemaError, accepts, usable, violations

SCHEMA = {
    "type": "object",
    "properties": {"branch": {"type": "string"}, "count": {"type": "integer"}},
    "required": ["branch"],
    "additionalProperties": False,
}


def test_a_value_that_fits_has_no_violation():
    assert violations(SCHEMA, {"branch": "main", "count": 3}) == ()
    assert accepts(SCHEMA, {"branch": "main"})


def test_a_missing_property_is_named():
    (only,) = violations(SCHEMA, {"count": 1})
    assert (only.keyword, only.missing) == ("required", "branch")


def test_a_wrong_type_is_named_by_its_path():
    (only,) = violations(SCHEMA, {"branch": "main", "count": "3"})
    assert only.path == ("count",)
    assert only.keyword == "type"


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "https://schemas.invalid/x.json"},
        {"$ref": "file:///tmp/x.json"},
        {"$schema": "https://schemas.invalid/meta"},
        {"type": 5},
        {"pattern": "["},
        {"minimum": float("nan")},
    ],
)
def test_a_schema_that_is_malformed_or_points_outside_is_refused_and_nothing_is_fetched(schema):
    assert not usable(schema)
    with pytest.raises(SchemaError):
        violations(schema, {})


def test_a_reference_inside_the_schema_works():
    schema = {"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}
    assert accepts(schema, "x")
    assert not accepts(schema, 1)


def test_a_pattern_that_would_run_away_counts_as_not_matching():
    started = time.process_time()
    assert not accepts({"type": "string", "pattern": "^(a+)+(?=x)$"}, "a" * 60)
    assert time.process_time() - started < 5


def test_a_lone_surrogate_is_text_like_any_other():
    assert accepts(
        {"type": "object", "properties": {"x": {"type": "string"}}}, {"x": "caf\udce9", "\ud800": 1}
    )
    assert not accepts({"type": "object"}, "\ud800")
    (only,) = violations({"type": "string", "maxLength": 1}, "\ud800\ud800")
    assert only.keyword == "maxLength"


@pytest.mark.parametrize("value", [{1: 2}, {"x": {1, 2}}])
def test_a_value_that_is_no_json_is_a_violation_and_no_crash(value):
    schema = {"type": "object", "properties": {"x": {"type": "string"}}}
    assert violations(schema, value)
    assert not accepts(schema, value)
