"""The tool registry: registering, replacing, dispatching."""

import json

import pytest

from kata.standin import ToolEntry, ToolRegistry


def entry(name="note", toolset="own", handler=json.dumps, **options):
    schema = {"name": name, "description": "Note.", "parameters": {"type": "object"}}
    return ToolEntry(name, toolset, options.pop("schema", schema), handler, **options)


@pytest.fixture
def registry():
    return ToolRegistry()


def test_a_schema_must_be_a_dict_with_dict_parameters(registry):
    with pytest.raises(ValueError, match="schema must be a dict"):
        registry.register(entry(schema=[]))
    with pytest.raises(ValueError, match="parameters must be a dict"):
        registry.register(entry(schema={"parameters": []}))


def test_another_toolsets_name_is_refused_without_override(registry):
    registry.register(entry())
    assert registry.register(entry(toolset="other")) is None
    assert registry.register(entry(toolset="other"), override=True) is not None


def test_the_generation_rises_with_every_change(registry):
    before = registry._generation
    take_back = registry.register(entry())
    assert registry._generation > before
    before = registry._generation
    take_back()
    assert registry._generation > before
    assert registry.get_schema("note") is None


def test_deregister_removes_and_forgives_an_unknown_name(registry):
    registry.register(entry())
    registry.deregister("note")
    registry.deregister("note")
    assert registry.get_all_tool_names() == []


def test_context_is_narrowed_to_the_handlers_signature(registry):
    registry.register(entry(handler=lambda args, task_id="": task_id))
    assert registry.dispatch("note", {}, task_id="t", session_id="s") == "t"


def test_a_raising_handler_becomes_a_tool_error(registry):
    def broken(args):
        raise ValueError(args["x"])

    registry.register(entry(handler=broken))
    assert json.loads(registry.dispatch("note", {"x": "oops"})) == {
        "error": "[TOOL_ERROR] Tool execution failed: ValueError: oops"
    }


def test_an_unknown_tool_is_an_error_text(registry):
    assert json.loads(registry.dispatch("nowhere", {})) == {"error": "Unknown tool: nowhere"}


@pytest.mark.parametrize("result", [None, 1, ["a"], {"a": 1}, b"x"])
def test_results_that_are_no_text_break_the_contract(registry, result):
    registry.register(entry(handler=lambda args: result))
    assert json.loads(registry.dispatch("note", {}))["error_type"] == "tool_result_contract"


def test_a_multimodal_result_passes(registry):
    picture = {"_multimodal": True, "content": [{"type": "text", "text": "x"}]}
    registry.register(entry(handler=lambda args: picture))
    assert registry.dispatch("note", {}) == picture


def test_async_handlers_are_run_to_their_end(registry):
    async def slow(args):
        return "done"

    registry.register(entry(handler=slow, is_async=True))
    assert registry.dispatch("note", {}) == "done"


def test_definitions_leave_out_tools_whose_check_fails(registry):
    def fails():
        raise OSError

    registry.register(entry("good"))
    registry.register(entry("off", check_fn=lambda: False))
    registry.register(entry("broken", check_fn=fails))
    names = [each["function"]["name"] for each in registry.get_definitions(registry.get_all_tool_names())]
    assert names == ["good"]
