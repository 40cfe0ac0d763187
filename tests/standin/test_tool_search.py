"""Tools behind the bridge, and tools that come and go within a session."""

import json

import pytest

from kata.standin import StandIn, call, calls, say

SCHEMA = {
    "name": "kata_push",
    "description": "Push a branch. Then tell.",
    "parameters": {"type": "object", "properties": {"ref": {"type": "string"}}, "required": ["ref"]},
}


def through(name, args):
    return call("tool_call", {"calls": [{"name": name, "arguments": args}]})


def register(ctx):
    ctx.register_tool("kata_list", "kata", {**SCHEMA, "name": "kata_list"}, lambda args: "listed")


@pytest.fixture
def searching(tmp_path):
    host = StandIn(tmp_path)
    host.load(register)
    return host


def test_plugin_tools_are_offered_behind_the_bridge(searching):
    request = searching.conversation().turn("go", [say("so")]).requests[0]
    assert "kata_list" not in request.offered
    assert {"tool_search", "tool_describe", "tool_call", "terminal"} <= set(request.offered)
    [listing] = [tool for tool in request.tools if tool["function"]["name"] == "tool_search"]
    assert "- kata_list: Push a branch" in listing["function"]["description"]


def test_a_tool_registered_in_mid_session_is_called_through_the_bridge_at_once(searching):
    ctx = searching.plugins.loaded["kata"].context
    chat = searching.conversation()
    chat.turn("go", [say("so")])
    ctx.register_tool("kata_push", "kata", SCHEMA, lambda args: args["ref"])
    turn = chat.turn("go", [through("kata_push", {"ref": "main"}), say("so")])
    assert turn.results == ("main",)
    assert turn.calls[0].name == "kata_push"


def test_without_tool_search_a_new_tool_waits_for_the_next_session(host):
    ctx = host.load(register)
    chat = host.conversation()
    chat.turn("go", [say("so")])
    ctx.register_tool("kata_push", "kata", SCHEMA, lambda args: args["ref"])
    assert "kata_push" not in chat.turn("go", [say("so")]).requests[0].offered
    host.slash("/reload-mcp", chat)
    assert "kata_push" in chat.turn("go", [say("so")]).requests[0].offered
    assert "kata_push" in host.conversation().turn("go", [say("so")]).requests[0].offered


def test_a_toolset_that_came_later_is_out_of_scope(searching):
    chat = searching.conversation()
    chat.turn("go", [say("so")])
    searching.load(
        lambda ctx: ctx.register_tool("late", "late", {**SCHEMA, "name": "late"}, lambda args: "x"), "late"
    )
    turn = chat.turn("go", [through("late", {"ref": "x"}), say("so")])
    assert turn.calls[0].outcome.error_type == "tool_scope_block"
    assert "not available in this session" in turn.results[0]


def test_look_ups_find_and_describe(searching):
    script = [
        call("tool_search", queries=["push a branch", "zzz"]),
        call("tool_describe", names="kata_list"),
        say("so"),
    ]
    found, described = (json.loads(each) for each in searching.conversation().turn("go", script).results)
    assert [group["matches"] for group in found["results"]] == [["kata_list", "todo_list"], []]
    assert described["tools"]["kata_list"]["parameters"] == SCHEMA["parameters"]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"name": ""}, "requires a 'name'"),
        ({"name": "tool_call"}, "itself a bridge tool"),
        ({"name": "nowhere_at_all"}, "not a known tool name"),
        ({"name": "terminal"}, "directly-listed"),
        ({"name": "kata_list", "arguments": {}}, "missing required argument(s): ref"),
    ],
)
def test_the_bridge_refuses_with_the_reason(searching, entry, words):
    turn = searching.conversation().turn("go", [call("tool_call", {"calls": [entry]}), say("so")])
    assert words in json.loads(turn.results[0])["error"]


def test_arguments_may_come_as_text(searching):
    script = [through("kata_list", '{"ref": "x"}'), say("so")]
    assert searching.conversation().turn("go", script).results == ("listed",)


def test_a_switched_off_toolset_is_not_offered(tmp_path):
    host = StandIn(tmp_path, config={"agent": {"disabled_toolsets": ["terminal"]}})
    assert "terminal" not in host.conversation().turn("go", [say("so")]).requests[0].offered


@pytest.mark.parametrize(
    ("written", "real"), [("Terminal", "terminal"), ("read_files", "read_file"), ("todo", "todo_list")]
)
def test_a_nearly_right_name_is_repaired(host, written, real):
    (host.workspace.root / "a").write_text("x")
    turn = host.conversation().turn("go", [call(written, path="a", command="echo", todos=[]), say("so")])
    assert turn.calls[0].name == real


def test_a_batch_through_the_bridge_gives_each_call_an_id(searching):
    entries = [{"name": "kata_list", "arguments": {"ref": each}} for each in "ab"]
    turn = searching.conversation().turn("go", [call("tool_call", {"calls": entries}), say("so")])
    first, second = (each.ids.tool_call_id for each in turn.calls)
    assert first == "call_0001"
    assert len(second) == len("call_") + 12


def test_a_known_call_runs_beside_an_unknown(host):
    turn = host.conversation().turn("go", [calls(("zzqqxx", {}), ("todo_list", {})), say("so")])
    assert [each.name for each in turn.calls] == ["todo_list"]
    assert "does not exist" in turn.requests[1].results[0]
