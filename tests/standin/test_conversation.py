"""Sessions: beginning, resuming, resetting, compressing, delegating."""

import json

import pytest

from kata.standin import ScriptError, call, calls, fail, say, stop


def test_a_resumed_session_does_not_start_again(host, recorder):
    first = host.conversation()
    first.turn("one", [say("1")])
    again = host.conversation(first.session_id)
    again.turn("two", [say("2")])
    assert recorder.names().count("on_session_start") == 1
    assert [each["is_first_turn"] for each in recorder.of("pre_llm_call")] == [True, False]


def test_new_finalizes_the_old_resets_and_starts_the_new_at_its_first_turn(host, recorder):
    chat = host.conversation()
    old = chat.session_id
    chat.turn("one", [say("1")])
    host.slash("/new", chat)
    chat.turn("two", [say("2")])
    around = [
        (each.hook, each.keywords.get("session_id"))
        for each in recorder.fired
        if each.hook in {"pre_command", "on_session_finalize", "on_session_reset", "on_session_start"}
    ]
    assert around == [
        ("on_session_start", old),
        ("pre_command", None),
        ("on_session_finalize", old),
        ("on_session_reset", chat.session_id),
        ("on_session_start", chat.session_id),
    ]
    assert recorder.of("on_session_finalize")[0]["reason"] == "session_boundary"


def test_what_plugins_say_at_the_end_is_collected(host):
    host.load(lambda ctx: ctx.register_hook("on_session_finalize", lambda **_: "found one"), "a")
    host.load(lambda ctx: ctx.register_hook("on_session_finalize", lambda **_: {"message": "and two"}), "b")
    host.load(lambda ctx: ctx.register_hook("on_session_finalize", lambda **_: 3), "c")
    chat = host.conversation()
    assert chat.finalize() == ["found one", "and two"]
    assert chat.notices == ["found one", "and two"]


def test_a_compressed_session_goes_on_in_a_child(host, recorder):
    chat = host.conversation()
    old = chat.session_id
    chat.turn("one", [say("1")])
    chat.compress()
    chat.turn("two", [say("2")])
    assert host.lineage(chat.session_id) == (chat.session_id, old)
    assert host.lineage("nowhere") == ()
    assert recorder.of("pre_llm_call")[1]["parent_session_id"] == old


def test_each_child_is_told_once_when_all_are_done(host, recorder):
    tasks = [{"goal": "first"}, {"goal": "second"}]
    children = [[call("todo_list"), say("1 done")], [fail(500)]]
    turn = host.conversation().turn("go", [call("delegate_task", tasks=tasks), say("so")], children=children)
    assert [each["child_status"] for each in recorder.of("subagent_stop")] == ["completed", "failed"]
    assert [each["child_goal"] for each in recorder.of("subagent_start")] == ["first", "second"]
    assert recorder.of("subagent_stop")[0]["tool_call_history"][0]["tool_name"] == "todo_list"
    names = recorder.names()
    assert names.index("subagent_stop") > max(at for at, name in enumerate(names) if name == "subagent_start")
    assert json.loads(turn.results[0])["results"][0]["summary"] == "1 done"
    assert {each["platform"] for each in recorder.of("pre_llm_call")} == {"cli", "subagent"}


def test_ids_have_the_form_of_the_host(host, recorder):
    host.conversation().turn("go", [call("todo_list"), say("so")])
    [seen] = recorder.of("post_tool_call")
    session = seen["session_id"]
    assert session.startswith("20260101_090000_")
    assert seen["task_id"] == session
    assert seen["turn_id"].startswith(f"{session}:{session}:")
    assert seen["api_request_id"] == f"{seen['turn_id']}:api:1"


def test_a_single_query_has_a_task_of_its_own(host, recorder):
    chat = host.conversation(mode="single_query")
    chat.turn("one", [say("1")])
    chat.turn("two", [say("2")])
    tasks = {each["task_id"] for each in recorder.of("pre_llm_call")}
    assert len(tasks) == 2
    assert chat.session_id not in tasks


def test_context_of_several_plugins_is_joined_by_a_blank_line_and_stays(host):
    host.load(lambda ctx: ctx.register_hook("pre_llm_call", lambda **_: {"context": "first"}), "a")
    host.load(lambda ctx: ctx.register_hook("pre_llm_call", lambda **_: "second"), "b")
    host.load(lambda ctx: ctx.register_hook("pre_llm_call", lambda **_: {"context": 3}), "c")
    chat = host.conversation()
    chat.turn("hello", [say("1")])
    host.unload("a")
    request = chat.turn("again", [say("2")]).requests[0]
    said = [message["content"] for message in request.messages if message["role"] == "user"]
    assert said == ["hello\n\nfirst\n\nsecond", "again\n\nsecond"]
    assert chat.session.messages[0]["content"] == "hello"


def test_the_script_must_fit(host):
    with pytest.raises(ScriptError, match="once more"):
        host.conversation().turn("go", [call("todo_list")])
    with pytest.raises(ScriptError, match="1 replies"):
        host.conversation().turn("go", [say("1"), say("2")])


def test_a_reply_may_depend_on_the_request(host):
    (host.workspace.root / "a").write_text("secret\n")
    script = [call("read_file", path="a"), lambda request: say(request.results[-1])]
    assert "secret" in host.conversation().turn("go", script).answer


def test_stop_ends_the_turn_after_the_call_that_runs(host, recorder):
    chat = host.conversation()
    host.add_tool("slow", lambda args: chat.stop() or str(host.stop_requested()))
    turn = chat.turn("go", [calls(("slow", {}), ("slow", {}))])
    assert turn.interrupted
    assert turn.exit_reason == "interrupted_by_user"
    assert len(recorder.of("post_tool_call")) == 1
    assert "True" in turn.results[0]
    assert not host.stop_requested()


def test_usage_is_as_scripted_or_counted(host, recorder):
    host.conversation().turn("go", [say("1", usage={"input_tokens": 7})])
    usage = recorder.of("post_api_request")[0]["usage"]
    assert usage["input_tokens"] == 7
    assert usage["output_tokens"] == 1


def test_requests_are_counted_over_the_hosts_life(host):
    host.conversation().turn("go", [call("todo_list"), say("1")])
    host.conversation().turn("go", [stop()])
    assert len(host.requests) == 3


def test_a_cancelled_call_is_told_as_cancelled(host, recorder):
    def interrupt(args):
        raise KeyboardInterrupt

    host.add_tool("slow", interrupt)
    host.conversation().turn("go", [call("slow"), say("so")])
    assert recorder.of("post_tool_call")[0]["status"] == "cancelled"


def test_the_example_of_the_package_runs():
    import doctest

    import kata.standin

    assert doctest.testmod(kata.standin).failed == 0
