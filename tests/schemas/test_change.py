"""Which schema changes matter to a routine, and with which line (cases B083, B084)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.schemas import Call, changes, matters, schema_digest

BASE = {
    "type": "object",
    "description": "runs a command",
    "properties": {
        "command": {"type": "string", "description": "what to run"},
        "timeout": {"type": ["integer", "null"], "default": 60},
        "mode": {"enum": ["fast", "slow"]},
        "options": {"type": "object", "properties": {"shell": {"type": "string"}}},
    },
    "required": ["command"],
}
CALL = Call(args={"command": "ls", "timeout": None, "mode": "slow", "options": {"shell": "bash"}})


def edited(**parts):
    properties = {**BASE["properties"], **parts.pop("properties", {})}
    return {**BASE, **parts, "properties": {key: one for key, one in properties.items() if one is not None}}


def lines(new, *calls):
    return [one.line for one in matters(BASE, new, calls or (CALL,))]


def shuffled(value):
    if isinstance(value, dict):
        return {key: shuffled(value[key]) for key in reversed(value)}
    return list(reversed(value)) if isinstance(value, list) else value


def test_a_reordered_schema_is_no_changed_one():
    assert changes(BASE, shuffled(BASE)) == ()
    assert schema_digest(BASE) == schema_digest(shuffled(BASE))


def test_an_empty_description_is_an_absent_one():
    assert changes({"type": "string"}, {"type": "string", "description": ""}) == ()


def test_a_property_called_required_keeps_the_order_of_its_default():
    schema = {"properties": {"required": {"type": "array", "default": ["b", "a"]}}}
    other = {"properties": {"required": {"type": "array", "default": ["a", "b"]}}}
    assert schema_digest(schema) != schema_digest(other)


@pytest.mark.parametrize(
    "new",
    [
        edited(description="runs any command"),
        edited(properties={"mode": {"enum": ["fast", "slow", "slower"]}}),
        edited(properties={"extra": {"type": "string"}}),
        edited(properties={"timeout": {"type": ["integer", "null"], "default": 90}}),
        edited(required=[]),
        edited(required=["command", "mode"]),
    ],
    ids=["description", "wider enum", "optional", "default", "less required", "required but always given"],
)
def test_a_harmless_change_is_noted_and_does_not_matter(new):
    assert changes(BASE, new)
    assert lines(new) == []


@pytest.mark.parametrize(
    ("new", "line"),
    [
        (edited(required=["command", "target"]), "target: required is new"),
        (
            edited(properties={"target": {"type": "string"}}, required=["command", "target"]),
            "target: required is new",
        ),
        (edited(properties={"mode": None}), "mode: property is gone"),
        (edited(properties={"mode": None}, additionalProperties=False), "mode: property is gone"),
        (edited(properties={"timeout": {"type": "integer"}}), "timeout: type integer|null -> integer"),
        (edited(properties={"mode": {"enum": ["fast"]}}), 'mode: enum value "slow" is gone'),
        (
            edited(properties={"command": {"type": "string", "maxLength": 1}}),
            "command: maxLength (none) -> 1",
        ),
        (
            edited(properties={"options": {"type": "object", "properties": {}}}),
            "options.shell: property is gone",
        ),
        (
            edited(
                properties={
                    "options": {
                        "type": "object",
                        "properties": {"shell": {"type": "string"}},
                        "required": ["x"],
                    }
                }
            ),
            "options.x: required is new",
        ),
    ],
)
def test_a_change_that_breaks_the_call_says_its_very_line(new, line):
    assert lines(new) == [line]


def test_a_narrower_type_that_still_takes_the_call_does_not_matter():
    new = edited(properties={"timeout": {"type": "integer"}})
    assert lines(new, Call(args={"command": "ls", "timeout": 5})) == []


def test_an_unused_property_may_go():
    assert lines(edited(properties={"mode": None}), Call(args={"command": "ls"})) == []


def test_a_value_known_only_at_run_time_is_not_held_against_the_schema():
    call = Call(args={"command": "ls", "mode": None}, unknown=frozenset({("mode",)}))
    assert lines(edited(properties={"mode": {"enum": ["fast"]}}), call) == []


def test_a_call_that_never_validated_does_not_make_a_note_matter():
    call = Call(args={"command": 5})
    assert lines(edited(description="new words"), call) == []


def test_a_fault_that_no_property_explains_still_says_a_line():
    new = edited(anyOf=[{"required": ["never"]}])
    found = lines(new)
    assert len(found) == 1
    assert "anyOf" in found[0]


def test_a_change_behind_a_reference_is_seen():
    old = {"properties": {"a": {"$ref": "#/$defs/t"}}, "$defs": {"t": {"type": "string"}}}
    new = {"properties": {"a": {"$ref": "#/$defs/t"}}, "$defs": {"t": {"type": "integer"}}}
    assert len(matters(old, new, [Call(args={"a": "x"})])) == 1


def test_a_new_schema_that_cannot_be_used_matters():
    (only,) = matters(BASE, {"type": 5}, [CALL])
    assert only.kind == "unusable"


def test_the_hosts_envelope_of_a_tool_is_looked_through():
    wrap = {"name": "terminal", "description": "x"}
    assert changes({**wrap, "parameters": BASE}, {**wrap, "description": "y", "parameters": BASE}) == ()


SCHEMAS = st.recursive(
    st.fixed_dictionaries(
        {}, optional={"type": st.sampled_from(["string", "integer"]), "enum": st.just(["a", "b"])}
    ),
    lambda inner: st.fixed_dictionaries(
        {"type": st.just("object"), "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=3)},
        optional={"required": st.lists(st.sampled_from("abc"), unique=True)},
    ),
    max_leaves=6,
)


@given(SCHEMAS)
def test_no_difference_means_no_line(schema):
    assert changes(schema, shuffled(schema)) == ()


@given(SCHEMAS, SCHEMAS, st.dictionaries(st.sampled_from("abc"), st.sampled_from(["a", 1, None])))
def test_nothing_matters_without_a_difference(old, new, args):
    if matters(old, new, [Call(args=args)]):
        assert changes(old, new)
