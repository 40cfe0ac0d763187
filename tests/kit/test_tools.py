import asyncio
import copy
import functools
import inspect
import json
import re
from datetime import date
from enum import Enum
from pathlib import Path
from types import MappingProxyType

import attrs
import pytest

from kata.kit import ToolError, spec_of, str_arg, tool

LOG = "tests.kit.test_tools"
SCHEMA = {
    "description": "Write one entry.",
    "parameters": {
        "type": "object",
        "properties": {"content": {"type": "string"}},
        "required": ["content"],
        "additionalProperties": False,
    },
}


@tool(
    toolset="notes",
    params={"text": str_arg("Text", required=True, example="hi"), "limit": {"type": "integer"}},
)
def notes_add(args, **kwargs):
    """Add a note."""
    return {"text": args["text"], "kwargs": sorted(kwargs)}


def answers(declared, args=None, **context):
    return json.loads(declared(args, **context))


def returning(value):
    @tool(toolset="x")
    def x_give(args, **kwargs):
        """Give."""
        return value

    return x_give


def raising(error):
    @tool(toolset="x")
    def x_fail(args, **kwargs):
        """Fail."""
        raise error

    return x_fail


# Declaration.


def test_a_tool_keeps_the_functions_name_docs_and_module():
    assert notes_add.__name__ == "notes_add"
    assert notes_add.__doc__ == "Add a note."
    assert notes_add.__module__ == __name__
    assert notes_add.call is notes_add.__wrapped__


def test_a_tool_can_be_tested_as_a_plain_function():
    assert notes_add.call({"text": "hi"}, task_id="t") == {"text": "hi", "kwargs": ["task_id"]}


def test_everything_is_given_by_keyword():
    assert all(item.kind is item.KEYWORD_ONLY for item in inspect.signature(tool).parameters.values())
    with pytest.raises(TypeError, match="toolset"):
        tool()


def test_the_name_is_the_functions_unless_given():
    @tool(toolset="x", name="x_other")
    def x_some(args):
        """Do."""

    assert spec_of(x_some).name == "x_other"
    assert spec_of(notes_add).name == "notes_add"


def test_a_name_is_checked_when_the_tool_is_declared():
    with pytest.raises(ValueError, match="reserved"):
        tool(toolset="x", name="memory")(lambda args: None)
    with pytest.raises(ValueError, match="must start with explicit namespace"):
        tool(toolset="x", namespace="discord", name="thread_read")(lambda args: None)


def test_a_description_is_required():
    def x_bare(args):
        return {}

    with pytest.raises(ValueError, match=r"'x_bare'.*description is required.*docstring"):
        tool(toolset="x")(x_bare)
    assert spec_of(tool(toolset="x", description="Do.")(x_bare)).schema["description"] == "Do."


def test_the_older_kits_mark_can_be_read_and_changed():
    declared = copy.copy(notes_add)
    assert set(declared._hpk_tool_spec) == {"name", "toolset", "schema", "requires_env", "emoji"}
    declared._hpk_tool_spec = {**declared._hpk_tool_spec, "toolset": "other"}
    assert spec_of(declared).toolset == "other"
    assert declared.host_call().kwargs["toolset"] == "other"


def test_a_schema_and_params_exclude_each_other():
    with pytest.raises(ValueError, match="schema and params"):
        tool(toolset="x", schema=SCHEMA, params={})


def test_a_supplied_schema_is_taken_as_it_is():
    given = copy.deepcopy(SCHEMA)
    declared = tool(toolset="x", name="x_write", schema=given)(lambda args: None)
    given["parameters"]["properties"].clear()
    assert spec_of(declared).schema == SCHEMA


@pytest.mark.parametrize(
    ("description", "in_schema", "expected"),
    [("Given.", "Schema's.", "Given."), (None, "Schema's.", "Schema's."), (None, None, "Docs.")],
)
def test_a_supplied_schemas_description_stands_between_the_given_one_and_the_docs(
    description, in_schema, expected
):
    def x_write(args):
        """Docs."""

    schema = {**SCHEMA, "description": in_schema}
    assert (
        spec_of(tool(toolset="x", schema=schema, description=description)(x_write)).schema["description"]
        == expected
    )


def test_validate_required_is_a_bool():
    with pytest.raises(TypeError, match="validate_required"):
        tool(toolset="x", schema=SCHEMA, validate_required=1)


def test_a_decorated_method_is_bound_to_its_object():
    class Notes:
        def __init__(self):
            self.kept = ["a"]

        @tool(toolset="notes")
        def notes_list(self, args, **kwargs):
            """List."""
            return self.kept

    assert answers(Notes().notes_list)["data"] == ["a"]


# Calls.


def test_a_success_stands_in_an_envelope():
    assert notes_add({"text": "é"}) == '{"success": true, "data": {"text": "é", "kwargs": []}}'


def test_the_handler_gets_the_hosts_keywords_and_nothing_else():
    assert answers(notes_add, {"text": "x"}, session_id="s", task_id="t")["data"]["kwargs"] == [
        "session_id",
        "task_id",
    ]


@pytest.mark.parametrize("args", [None, {}])
def test_no_arguments_are_an_empty_dict(args):
    seen = []
    tool(toolset="x", name="x_see", description="See.")(lambda args, **_: seen.append(args))(args)
    assert seen == [{}]


def test_a_handler_need_not_take_the_hosts_keywords():
    @tool(toolset="x")
    def x_narrow(args, session_id=""):
        """Do."""
        return session_id

    assert x_narrow({}, session_id="s", task_id="t") == "s"


@pytest.mark.parametrize("value", [None, "", "   ", "\n\t"])
def test_a_missing_or_blank_required_argument_is_named_with_its_example(value):
    assert notes_add({"text": value}) == '{"success": false, "error": "text is required (e.g. \'hi\')"}'


@pytest.mark.parametrize("value", [[], 0, False, {}])
def test_any_other_value_counts_as_present(value):
    assert answers(notes_add, {"text": value})["data"]["text"] == value


def test_only_the_first_missing_argument_of_specs_is_told():
    two = {"a": str_arg("A", required=True), "b": str_arg("B", required=True)}
    declared = tool(toolset="x", name="x_two", description="Do.", params=two)(lambda args: 1 / 0)
    assert answers(declared, {}) == {"success": False, "error": "a is required"}


def test_nothing_else_of_specs_is_checked():
    assert answers(notes_add, {"text": 5, "limit": "many", "more": 1})["data"]["text"] == 5


def test_a_missing_argument_of_a_supplied_schema_is_told_without_an_example():
    declared = tool(toolset="x", name="x_write", schema=SCHEMA)(lambda args: 1 / 0)
    assert answers(declared, {}) == {"success": False, "error": "content is required"}


def test_the_handler_may_check_a_supplied_schema_itself():
    declared = tool(toolset="x", name="x_write", schema=SCHEMA, validate_required=False)(
        lambda args: {"own": args}
    )
    assert answers(declared, {})["data"] == {"own": {}}
    assert spec_of(declared).schema["parameters"]["required"] == ["content"]


def test_strict_tells_every_problem_of_specs():
    params = {"text": str_arg("Text", required=True), "limit": {"type": "integer", "minimum": 1}}
    declared = tool(toolset="x", name="x_add", description="Add.", params=params, strict=True)(
        lambda args: args
    )
    assert answers(declared, {"limit": 0, "texts": "x"})["problems"] == [
        "text is required",
        "limit must be at least 1, not 0",
        "texts is unknown; did you mean 'text'?",
    ]
    assert answers(declared, {"text": "x", "limit": "3"})["data"] == {"text": "x", "limit": 3}


def test_strict_tells_every_problem_of_a_supplied_schema():
    declared = tool(toolset="x", name="x_write", schema=SCHEMA, strict=True)(lambda args: args)
    assert answers(declared, {"contents": 1})["problems"] == [
        "content is required",
        "contents is unknown; did you mean 'content'?",
    ]
    assert answers(declared, {"content": "a"})["data"] == {"content": "a"}


def test_a_handler_whose_signature_cannot_be_read_gets_everything():
    declared = tool(toolset="x", name="x_dict", description="Do.")(dict)
    assert answers(declared, {"a": 1}, task_id="t")["data"] == {"a": 1, "task_id": "t"}


@pytest.mark.parametrize("args", [["text"], "text", 5])
def test_arguments_that_are_no_object_are_rejected(args):
    assert answers(notes_add, args)["error"] == f"arguments must be an object, not {type(args).__name__}"
    assert not answers(returning(1), args)["success"]


def test_an_exception_becomes_a_failure_with_a_reference():
    answer = answers(raising(RuntimeError("kaboom")))
    assert answer["success"] is False
    assert answer["error"] == "x_fail failed: kaboom"
    assert re.fullmatch(r"[0-9a-f]{8}", answer["reference"])


@pytest.mark.parametrize("error", [SystemExit(1), KeyboardInterrupt()])
def test_an_exit_escapes(error):
    with pytest.raises(type(error)):
        raising(error)({})


def test_an_expected_failure_is_told_in_its_own_words():
    assert answers(raising(ToolError("no such note", code="not_found", hint="List them."))) == {
        "success": False,
        "error": "no such note",
        "code": "not_found",
        "hint": "List them.",
    }


def test_text_is_taken_as_already_encoded():
    assert returning("{not json")({}) == "{not json"


@pytest.mark.parametrize("value", [None, 1, [1, 2], True, {"a": "ü"}])
def test_any_other_value_is_encoded(value):
    assert answers(returning(value)) == {"success": True, "data": value}


class Colour(Enum):
    RED = "red"


@attrs.frozen
class Note:
    where: Path
    when: date


def test_values_that_json_does_not_know_have_a_form():
    data = {
        "note": Note(Path("/a"), date(2026, 1, 2)),
        "colour": Colour.RED,
        "tags": {"b", "a"},
        "mixed": {"b", 1},
        "map": MappingProxyType({"a": 1}),
    }
    assert answers(returning(data))["data"] == {
        "note": {"where": "/a", "when": "2026-01-02"},
        "colour": "red",
        "tags": ["a", "b"],
        "mixed": ["b", 1],
        "map": {"a": 1},
    }


@pytest.mark.parametrize("value", [object(), float("nan"), {1: {2: lambda: None}}, b"bytes"])
def test_a_value_without_a_form_is_a_failure_and_still_text(value):
    assert answers(returning(value))["error"].startswith("x_give failed: ")


def test_a_success_that_looks_failed_to_hermes_is_escaped_and_told_once(logged):
    declared = returning({"error": None, "failed": 0, "state": "Failed", "errors": 1})
    for _ in range(2):
        text = declared({})
        assert json.loads(text)["data"] == {"error": None, "failed": 0, "state": "Failed", "errors": 1}
        assert not re.search(r'"(error|failed)"', text, re.IGNORECASE)
    assert sum("Hermes takes it for a failure" in line for line in logged()) == 1


def test_a_result_may_have_a_greatest_length():
    declared = tool(toolset="x", name="x_long", description="Do.", max_result_chars=50)(lambda args: "x" * 51)
    assert answers(declared)["code"] == "too_long"


def test_an_async_tool_is_awaited():
    @tool(toolset="x")
    async def x_wait(args, **kwargs):
        """Wait."""
        await asyncio.sleep(0)
        return {"args": args}

    assert inspect.iscoroutinefunction(x_wait)
    assert spec_of(x_wait).is_async
    assert json.loads(asyncio.run(x_wait({"a": 1}))) == {"success": True, "data": {"args": {"a": 1}}}


def test_an_async_tool_fails_and_rejects_as_text_too():
    @tool(toolset="x", params={"q": str_arg("Q", required=True)})
    async def x_wait(args, **kwargs):
        """Wait."""
        raise RuntimeError("late")

    assert json.loads(asyncio.run(x_wait({})))["error"] == "q is required"
    assert json.loads(asyncio.run(x_wait({"q": "x"})))["error"] == "x_wait failed: late"


def test_async_is_seen_behind_a_partial_and_a_callable_object():
    class Waiter:
        async def __call__(self, args, **kwargs):
            return 1

    partial = functools.partial(Waiter().__call__)
    for function in (Waiter(), partial):
        declared = tool(toolset="x", name="x_wait", description="Wait.")(function)
        assert spec_of(declared).is_async
        assert json.loads(asyncio.run(declared({})))["data"] == 1


# Log lines.


def test_a_partial_is_logged_under_the_module_of_its_function(caplog):
    caplog.set_level("DEBUG")
    tool(toolset="x", name="x_part", description="Do.")(functools.partial(lambda word, args: word, "a"))({})
    assert {record.name for record in caplog.records} == {LOG}


def test_a_call_is_logged_under_the_authors_module(caplog):
    caplog.set_level("DEBUG")
    notes_add({"text": "x", "api_key": "k"}, session_id="s", task_id=None, user_task="secret plan")
    first, last = caplog.records
    assert {record.name for record in caplog.records} == {LOG}
    assert first.levelname == "DEBUG"
    assert first.getMessage() == (
        'notes_add: invoked; args={"text": "x", "api_key": "***"}; context={"session_id": "s"}'
    )
    assert last.levelname == "INFO"
    assert re.fullmatch(r"notes_add: ok; elapsed_ms=\d+\.\d{2}; result=dict", last.getMessage())
    assert last.kit["outcome"] == "ok"


@pytest.mark.parametrize(("value", "kind"), [("x", "encoded_string"), ([], "list"), (None, "NoneType")])
def test_the_kind_of_the_result_is_logged(value, kind, logged):
    returning(value)({})
    assert logged()[-1].endswith(f"result={kind}")


def test_a_rejection_is_logged_with_its_arguments(logged):
    notes_add({"api_token": "hush"})
    assert re.fullmatch(
        r'WARNING notes_add: rejected call, missing text; elapsed_ms=\d+\.\d{2}; args=\{"api_token": "\*\*\*"\}',
        logged()[-1],
    )


def test_an_exception_is_logged_with_its_traceback_and_reference(logged):
    reference = answers(raising(RuntimeError("kaboom")))["reference"]
    line = logged()[-1]
    assert re.match(r"ERROR x_fail: handler raised; elapsed_ms=\d+\.\d{2}; error=kaboom; reference=", line)
    assert reference in line
    assert "Traceback (most recent call last)" in line
    assert "RuntimeError: kaboom" in line


def test_no_secret_of_an_exception_reaches_the_model_or_the_log(logged):
    @tool(toolset="x")
    def x_leak(args, **kwargs):
        """Leak."""
        raise ValueError(f"bad {args['token']} and Bearer {args['other']}")

    text = x_leak({"token": "swordfish", "other": "abcdef123456"})
    for told in (text, *logged()):
        assert "swordfish" not in told
        assert "abcdef123456" not in told.replace('"other": "abcdef123456"', "")


def test_an_expected_failure_is_logged_without_a_traceback(logged):
    raising(ToolError("no such note"))({})
    assert re.fullmatch(
        r"WARNING x_fail: handler refused; elapsed_ms=\d+\.\d{2}; error=no such note", logged()[-1]
    )


def test_the_result_is_never_logged(logged):
    returning({"private": "payload"})({})
    assert not any("payload" in line for line in logged())


# The host call.


def test_the_host_call_holds_what_was_declared():
    declared = tool(toolset="x", name="x_env", description="Do.", requires_env=["X_KEY"], emoji="🧵")(
        lambda args: None
    )
    call = declared.host_call()
    assert call.registrar == "register_tool"
    assert call.kwargs == {
        "name": "x_env",
        "toolset": "x",
        "schema": spec_of(declared).schema,
        "handler": declared,
        "requires_env": ["X_KEY"],
        "description": "Do.",
        "emoji": "🧵",
    }


def test_a_tool_that_needs_the_environment_is_shown_when_it_is_there(monkeypatch, no_hermes):
    call = tool(toolset="x", name="x_env", description="Do.", requires_env=["X_KEY"])(
        lambda args: None
    ).host_call()
    monkeypatch.delenv("X_KEY", raising=False)
    assert not call.extras["check_fn"]()
    monkeypatch.setenv("X_KEY", "1")
    assert call.extras["check_fn"]()


def test_only_what_differs_from_the_hosts_defaults_is_passed_besides():
    assert notes_add.host_call().extras == {}
    ready = lambda: True  # noqa: E731
    declared = tool(toolset="x", name="x_any", description="Do.", check_fn=ready, override=True)(
        lambda args: None
    )
    assert declared.host_call().extras == {"check_fn": ready, "override": True}
