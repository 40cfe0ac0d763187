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


def returning(hook, *answers):
    def register(ctx):
        for answer in answers:
            ctx.register_hook(hook, lambda answer=answer, **_: answer)

    return register


def test_of_several_transforms_the_first_text_wins(host):
    host.load(returning("transform_tool_result", None, 3, "first", "second"), "a")
    host.load(returning("transform_terminal_output", None, "shown", "hidden"), "b")
    host.load(returning("transform_llm_output", "", None, "told", "untold"), "c")
    turn = host.conversation().turn("go", [call("terminal", command="echo hi"), say("plain")])
    assert turn.results == ("first",)
    assert turn.answer == "told"


def test_an_output_is_transformed_before_the_result(host, recorder):
    host.load(returning("transform_terminal_output", "shown"), "own")
    host.conversation().turn("go", [call("terminal", command="echo hi"), say("so")])
    assert '"output": "shown"' in recorder.of("post_tool_call")[0]["result"]


def test_an_empty_answer_is_told_to_nobody(host, recorder):
    assert host.conversation().turn("go", [say("")]).answer == ""
    assert "transform_llm_output" not in recorder.names()
    assert "post_llm_call" not in recorder.names()
    assert "on_session_end" in recorder.names()


def test_an_edit_lets_plugins_send_the_model_on(host, recorder):
    host.load(returning("pre_verify", "noise", {"action": "continue", "message": " Run the tests. "}), "own")
    script = [call("write_file", path="a", content="x"), *(say(f"done {number}") for number in range(4))]
    turn = host.conversation().turn("go", script)
    assert turn.answer == "done 3"
    assert [each["attempt"] for each in recorder.of("pre_verify")] == [0, 1, 2]
    assert turn.requests[2].messages[-1]["content"] == "Run the tests."
    assert recorder.of("pre_verify")[0]["changed_paths"] == [str(host.workspace.root / "a")]


def test_a_turn_out_of_requests_sums_up(host, recorder):
    chat = host.conversation(max_iterations=2)
    turn = chat.turn("go", [call("todo_list"), call("todo_list"), say("the sum")])
    assert not turn.completed
    assert turn.exit_reason == "max_iterations_reached(2/2)"
    assert turn.answer.startswith("the sum")
    assert recorder.names().count("pre_api_request") == 2
    assert len(turn.requests) == 3


def test_wrong_names_three_times_in_a_row_end_the_turn(host, recorder):
    turn = host.conversation().turn("go", [call("zzqqxx") for _ in range(3)])
    assert not turn.completed
    assert "on_session_end" not in recorder.names()
    assert "pre_tool_call" not in recorder.names()


def test_arguments_that_are_no_json_are_asked_for_again_without_being_counted(host, recorder):
    turn = host.conversation().turn("go", [call("todo_list", "{oops}"), call("todo_list"), say("so")])
    assert turn.completed
    assert [each["api_call_count"] for each in recorder.of("pre_api_request")] == [1, 1, 2]
    assert len(recorder.of("post_api_request")) == 2


def test_five_replies_without_json_end_the_turn(host):
    assert not host.conversation().turn("go", [call("todo_list", "{oops}") for _ in range(5)]).completed


def test_a_text_beside_calls_is_an_interim_message(host, recorder):
    host.conversation().turn("go", [call("todo_list", {}, text="I will note it."), say("so")])
    assert recorder.of("on_interim_message")[0]["text"] == "I will note it."
    assert [each["delta"] for each in recorder.of("on_stream_delta")] == ["I will note it.", "\n\nso"]
