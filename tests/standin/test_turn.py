"""The order of one turn's hooks, and what they carry."""

from kata.standin import call, calls, fail, say, stop
from kata.standin.names import STREAM_HOOKS


def test_a_turn_fires_the_hooks_in_the_order_of_hermes(host, recorder):
    (host.workspace.root / "a.txt").write_text("a needle here\n")
    chat = host.conversation()
    chat.turn("look", [call("search_files", {"pattern": "needle"}), say("found")])
    assert [name for name in recorder.names() if name not in STREAM_HOOKS] == [
        "on_session_start",
        "pre_llm_call",
        "pre_api_request",
        "post_api_request",
        "pre_tool_call",
        "transform_tool_result",
        "post_tool_call",
        "pre_api_request",
        "post_api_request",
        "transform_llm_output",
        "post_llm_call",
        "on_session_end",
    ]


def test_reads_of_one_batch_run_together_all_asked_first(host, recorder):
    for name in "ab":
        (host.workspace.root / name).write_text(name)
    batch = calls(("read_file", {"path": "a"}), ("read_file", {"path": "b"}), finish=[1, 0])
    turn = host.conversation().turn("read", [batch, say("read")])
    order = [
        (each.hook, each.keywords["args"]["path"]) for each in recorder.fired if "tool_name" in each.keywords
    ]
    assert order == [
        ("pre_tool_call", "a"),
        ("pre_tool_call", "b"),
        ("post_tool_call", "b"),
        ("transform_tool_result", "b"),
        ("post_tool_call", "a"),
        ("transform_tool_result", "a"),
    ]
    assert [each.args["path"] for each in turn.calls] == ["a", "b"]


def test_the_agents_own_tools_tell_the_raw_result_first(host, recorder):
    host.conversation().turn("note", [call("todo_list", {"todos": []}), say("noted")])
    assert recorder.tool_order() == ["pre todo_list", "post todo_list", "transform todo_list"]


def test_a_failed_request_ends_the_turn_without_a_word(host, recorder):
    turn = host.conversation().turn("go", [fail(500, "boom")])
    assert turn.failed
    assert "on_session_end" not in recorder.names()
    assert recorder.of("api_request_error")[0]["reason"] == "server_error"


def test_stop_during_a_request_has_no_post_llm_call(host, recorder):
    turn = host.conversation().turn("go", [stop()])
    assert turn.interrupted
    assert recorder.of("on_session_end")[0]["turn_exit_reason"] == "interrupted_during_api_call"
    assert "post_llm_call" not in recorder.names()
    assert "transform_llm_output" not in recorder.names()
