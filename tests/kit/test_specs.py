import copy

import pytest

from kata.kit import arg, bool_arg, build_schema, int_arg, str_arg
from kata.kit.arguments.specs import adopt_schema


def test_a_spec_keeps_the_kits_own_keys_apart():
    assert arg("string", "Name", required=True, example="x") == {
        "type": "string",
        "description": "Name",
        "_required": True,
        "_example": "x",
    }


def test_an_empty_choice_disappears():
    assert "enum" not in str_arg("Name", enum=[])
    assert str_arg("Name", enum=["a"])["enum"] == ["a"]


@pytest.mark.parametrize("example", ["", 0, False])
def test_any_example_but_none_counts(example):
    assert arg("string", "Name", example=example)["_example"] == example
    assert "_example" not in arg("string", "Name")


def test_text_may_have_a_minimum_length():
    assert str_arg("Name", min_length=0)["minLength"] == 0


def test_numbers_may_have_bounds_of_zero():
    spec = int_arg("Count", minimum=0, maximum=9)
    assert (spec["type"], spec["minimum"], spec["maximum"]) == ("integer", 0, 9)


def test_a_flag_is_a_boolean():
    assert bool_arg("Deep")["type"] == "boolean"


def test_other_keywords_pass_through():
    assert int_arg("Count", enum=[1, 2], default=1)["enum"] == [1, 2]
    assert arg("array", "Names", items={"type": "string"})["items"] == {"type": "string"}


def test_a_type_cannot_be_given_twice():
    with pytest.raises(TypeError):
        str_arg("Name", type="integer")


def test_arguments_stand_under_parameters():
    schema = build_schema(
        "x_read", "Read.", {"a": str_arg("A", required=True, example="1"), "b": int_arg("B")}
    )
    assert schema == {
        "name": "x_read",
        "description": "Read. Required: `a` (e.g. '1').",
        "parameters": {
            "type": "object",
            "properties": {
                "a": {"type": "string", "description": "A"},
                "b": {"type": "integer", "description": "B"},
            },
            "additionalProperties": False,
            "required": ["a"],
        },
    }


def test_a_plain_dict_counts_as_an_optional_argument():
    schema = build_schema("x_read", "Read.", {"a": {"type": "string"}})
    assert "required" not in schema["parameters"]
    assert schema["description"] == "Read."


def test_no_arguments_are_an_empty_object():
    assert build_schema("x_read", "Read.", None)["parameters"] == {
        "type": "object",
        "properties": {},
        "additionalProperties": False,
    }


def test_required_arguments_are_told_in_the_order_declared():
    params = {"b": str_arg("B", required=True), "a": str_arg("A", required=True, example="x")}
    schema = build_schema("x_read", "Read.", params)
    assert schema["description"].endswith("Required: `b`, `a` (e.g. 'x').")
    assert schema["parameters"]["required"] == ["b", "a"]


def test_specs_are_not_changed_nor_shared():
    params = {"a": arg("array", "A", items={"type": "string"})}
    before = copy.deepcopy(params)
    build_schema("x_read", "Read.", params)["parameters"]["properties"]["a"]["items"]["type"] = "integer"
    assert params == before


@pytest.mark.parametrize("name", ["thread id", "ä", "x" * 65, ""])
def test_an_argument_name_that_hermes_would_rename_is_refused(name):
    with pytest.raises(ValueError, match="argument name"):
        build_schema("x_read", "Read.", {name: str_arg("A")})


def test_the_name_of_the_tool_is_checked():
    with pytest.raises(ValueError, match="reserved"):
        build_schema("memory", "Remember.", None)


GOOD = {
    "description": "Write.",
    "parameters": {"type": "object", "properties": {"content": {"type": "string"}}, "required": ["content"]},
}


def test_a_schema_is_copied_deeply():
    given = copy.deepcopy(GOOD)
    adopted = adopt_schema(given, "x_write")
    given["parameters"]["properties"]["content"]["type"] = "integer"
    assert adopted == GOOD


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"properties": {}}, "must live under 'parameters'"),
        ({"name": "other"}, "named 'other' but the tool is named 'x_write'"),
        ({"parameters": None}, "'parameters' must be a dict"),
        ({"parameters": {"type": "array"}}, r"'parameters'.type must be 'object'"),
        ({"parameters": {"type": "object"}}, r"'parameters'.properties must be a dict"),
        (
            {"parameters": {"type": "object", "properties": {}, "required": "a"}},
            "required must be a list of names",
        ),
        (
            {"parameters": {"type": "object", "properties": {}, "required": [1]}},
            "required must be a list of names",
        ),
        (
            {"parameters": {"type": "object", "properties": {"a": {}}, "required": ["z", "b", "a"]}},
            "unknown properties: b, z",
        ),
        ({"parameters": {"type": "object", "properties": {"a b": {}}}}, "argument name"),
    ],
)
def test_a_schema_of_the_wrong_shape_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        adopt_schema({**GOOD, **change}, "x_write")


def test_a_schema_is_a_dict():
    with pytest.raises(TypeError, match="schema must be a dict"):
        adopt_schema([], "x_write")
