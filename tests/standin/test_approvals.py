"""The gate where a person allows or refuses a call."""

import pytest

from kata.standin import call, say

ASK = {"action": "approve", "message": "be careful", "rule_key": "rule:1"}


@pytest.fixture
def asking(host):
    host.load(lambda ctx: ctx.register_hook("pre_tool_call", lambda **_: ASK), "asking")
    return host


def once_more(host, **options):
    chat = host.conversation(**options)
    return chat.turn("go", [call("terminal", command="echo hi"), say("so")]).results[0]


def test_once_allows_one_call(asking):
    asking.person.will_answer("once", "deny")
    chat = asking.conversation()
    turn = chat.turn(
        "go", [call("terminal", command="echo 1"), call("terminal", command="echo 2"), say("so")]
    )
    assert '"output": "1"' in turn.results[0]
    assert "BLOCKED" in turn.results[1]


def test_session_is_remembered_in_that_session_alone(asking):
    asking.person.will_answer("session", "deny")
    chat = asking.conversation()
    two = [call("terminal", command="echo 1"), call("terminal", command="echo 2"), say("so")]
    assert all("BLOCKED" not in result for result in chat.turn("go", two).results)
    assert "BLOCKED" in once_more(asking)


def test_always_is_written_into_the_configuration(asking):
    asking.person.will_answer("always")
    assert "BLOCKED" not in once_more(asking)
    assert asking.settings.get("command_allowlist") == ["plugin_rule:rule:1"]
    assert "BLOCKED" not in once_more(asking)


def test_no_answer_is_a_time_out_and_no_consent(asking, recorder):
    assert "timed out" in once_more(asking)
    assert recorder.of("post_approval_response")[0]["choice"] == "timeout"


def test_approvals_switched_off_ask_nobody(asking):
    asking.settings.set("approvals.mode", "off")
    assert "BLOCKED" not in once_more(asking)
    assert asking.person.asked == []


@pytest.mark.parametrize("mode", ["single_query", "cron", "unattended"])
def test_without_a_person_the_setting_decides(asking, recorder, mode):
    assert f"approvals.{mode}_mode" in once_more(asking, mode=mode)
    asking.settings.set(f"approvals.{mode}_mode", "approve")
    assert "BLOCKED" not in once_more(asking, mode=mode)
    assert "pre_approval_request" not in recorder.names()


def test_a_question_tells_plugins_before_and_after(asking, recorder):
    asking.person.will_answer("once")
    once_more(asking)
    around = [name for name in recorder.names() if "approval" in name or "human" in name]
    assert around == [
        "pre_approval_request",
        "on_human_input_request",
        "on_human_input_resolved",
        "post_approval_response",
    ]
    assert recorder.of("pre_approval_request")[0]["command"] == "<terminal> (plugin approval rule)"


def test_a_thread_of_a_plugins_own_reaches_no_person_unless_carried(host):
    answers = []

    def ask(args):
        answers.append(host.approvals.tool("x", "reason", "rule"))
        return "asked"

    def register(ctx):
        schema = {"name": "ask", "description": "Ask.", "parameters": {"type": "object"}}
        ctx.register_tool("ask", "own", schema, lambda args: run_apart(lambda: ask(args)))
        ctx.register_tool(
            "ask_carried", "own", schema, lambda args: run_apart(host.carry_to_thread(lambda: ask(args)))
        )

    host.load(register, "own")
    host.person.will_answer("once")
    host.conversation().turn("go", [call("ask"), call("ask_carried"), say("so")])
    assert "no interactive user" in answers[0]
    assert answers[1] is None


def run_apart(work):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def test_an_unknown_choice_is_refused(host):
    with pytest.raises(ValueError, match="maybe"):
        host.person.will_answer("maybe")
