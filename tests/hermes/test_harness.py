"""The harness itself: each test also shows one way of driving Hermes."""

import json
import threading
from pathlib import Path

import pytest

from tests.hermes.support import TOOL_SEARCH, call, calls, fail, say, through_search

DEMO = Path(__file__).parent / "support" / "demo"


@pytest.fixture
def home(hermes):
    return hermes(plugins=[DEMO])


def test_a_chat_in_its_own_process_runs_real_tools(model, hermes):
    home = hermes(plugins=[])
    (home.workspace / "a.txt").write_text("a needle here\n")
    model.then(
        calls(("read_file", {"path": "a.txt"}), ("search_files", {"pattern": "needle"})),
        call("write_file", {"path": "out.txt", "content": "made\n"}),
        say("all done"),
    )
    ran = home.chat("please")
    assert (ran.code, ran.answer) == (0, "all done")
    assert (home.workspace / "out.txt").read_text() == "made\n"
    assert "needle" in model.main[1].results[0]
    assert len(home.rows("select * from messages where session_id = ?", ran.session_id)) == 7


def test_a_chat_goes_on_in_a_second_process(model, hermes):
    home = hermes(plugins=[])
    model.then(say("first"), say("second"))
    home.chat("two", resume=home.chat("one").session_id)
    assert model.last.said == ["one", "two"]


def test_a_failing_model_fails_the_chat(model, hermes):
    model.then(fail(400, "bad"))
    assert hermes(plugins=[]).chat("go").code == 1


def test_a_chat_alone_refuses_what_needs_a_person(model, home):
    model.then(call("terminal", {"command": "echo guarded"}), say("a"))
    home.chat("go")
    assert "single-query mode" in model.result


def test_plugin_tools_stand_behind_tool_search_when_it_is_on(model, hermes):
    home = hermes(plugins=[DEMO], config=TOOL_SEARCH)
    model.then(through_search("demo_double", {"n": 4}), say("ok"))
    home.chat("go")
    assert "demo_double" not in model.last.offered
    assert json.loads(model.result) == {"doubled": "8"}


def test_a_session_runs_many_turns_and_answers_for_the_person(model, home):
    with home.session() as session:
        model.then(call("demo_double", {"n": 21}), say("ok"))
        assert session.say("go").answer == "ok"
        assert json.loads(model.result) == {"doubled": "42"}
        assert session.plugins["demo"]["tools"] == ["demo_double"]
        session.answer("once")
        model.then(
            call("terminal", {"command": "echo guarded"}), call("terminal", {"command": "echo guarded"})
        )
        model.then(say("over"))
        session.say("go")
        assert json.loads(model.results[-2])["output"] == "guarded"
        assert "denied" in model.result
        assert [prompt["choice"] for prompt in session.asked] == ["once", "deny"]


def test_a_session_serves_slash_commands_functions_and_tools(home):
    with home.session() as session:
        assert session.slash("/demo hello you") == "demo heard 'hello you'"
        assert session.call("os.path:basename", p="a/b") == "b"
        assert json.loads(session.tool("terminal", command="echo hi"))["output"] == "hi"
        assert "demo_double" in session.registered


def test_a_session_ends_and_begins_anew_as_the_chat_does(model, home):
    with home.session() as session:
        model.then(say("one"), say("two"))
        first = session.say("first").session_id
        assert session.new() == ["demo saw the end: session_boundary"]
        assert session.say("second").session_id != first
        assert model.last.said == ["second"]
        assert session.finalize() == ["demo saw the end: shutdown"]


def test_a_session_can_be_resumed(model, hermes):
    home = hermes(plugins=[])
    model.then(say("one"), say("two"))
    first = home.chat("first").session_id
    with home.session(resume=first) as session:
        session.say("second")
    assert model.last.said == ["first", "second"]


def test_a_turn_can_be_interrupted(model, home):
    release = threading.Event()
    with home.session() as session:
        model.then(say("late", hold=release))
        session.begin("go")
        model.wait_asked(1)
        session.interrupt()
        assert session.wait().interrupted
        release.set()


def test_a_session_without_a_person_refuses(model, home):
    with home.session(person=False) as session:
        model.then(call("terminal", {"command": "echo guarded"}), say("a"))
        session.say("go")
        assert "no interactive user" in model.result


def test_a_planned_turn_may_look_at_the_request(model, hermes):
    model.then(lambda request: say(request.said[-1].upper()))
    assert hermes(plugins=[]).chat("loud").answer == "LOUD"


def test_a_second_profile_has_its_own_home(model, hermes):
    here, there = hermes(plugins=[DEMO]), hermes(plugins=[], profile="work")
    model.then(say("a"), say("b"))
    here.chat("one")
    there.chat("two")
    assert "demo_double" in model.main[0].offered
    assert "demo_double" not in model.main[1].offered
    assert len(there.rows("select * from sessions")) == 1


def test_a_plugin_command_runs_in_the_shell(home):
    ran = home.cli("demo", "hello")
    assert (ran.code, ran.out) == (3, "hello, nobody\n")


def test_hermes_validates_a_plugin(home):
    assert home.cli("plugins", "validate", str(DEMO), "--json").json["ok"]


def test_the_interactive_chat_shows_commands_and_asks_the_person(model, home):
    with home.interactive() as chat:
        chat.type("/demo hello")
        chat.wait_for("demo heard 'hello'")
        model.then(call("terminal", {"command": "echo guarded"}), say("that was all"))
        chat.type("go")
        chat.wait_for("demo asks first")
        chat.press("enter")
        chat.wait_for("that was all")
        chat.type("/exit")
        chat.wait_for("demo saw the end: shutdown")
        assert chat.wait_end() == 0
    assert json.loads(model.result)["output"] == "guarded"


def test_a_shell_command_can_ask_at_its_terminal(home):
    with home.shell("demo", "hello", "--ask") as shell:
        shell.wait_for("your name?")
        shell.type("Ada")
        shell.wait_for("hello, Ada")
        assert shell.wait_end() == 3


def test_the_gateway_asks_for_approval_over_http(model, home):
    with home.gateway() as gateway:
        model.then(say("hello"), say("again"))
        assert gateway.say("hi", session="one") == "hello"
        assert gateway.say("more", session="one") == "again"
        assert model.last.said == ["hi", "more"]
        model.then(call("terminal", {"command": "echo guarded"}), say("over"))
        run = gateway.run("go", "once")
        assert (run["status"], run["asked"][0]["description"]) == ("completed", "demo asks first")
    assert json.loads(model.result)["output"] == "guarded"


def test_the_dashboard_serves_a_plugin_to_who_has_the_token(home):
    with home.dashboard() as dashboard:
        assert dashboard.request("GET", "/api/plugins/demo/state", headers={})[0] == 401
        assert dashboard.get("/api/plugins/demo/state") == {"ok": True}
        assert [each["tab"]["path"] for each in dashboard.get("/api/dashboard/plugins")] == ["/demo"]
