"""Several processes of one profile, and what an agent may not do through any of them."""

import time

import pytest

from tests.hermes.story import NAME, TOOL
from tests.hermes.support import call, find_hermes, say


def state(home):
    return home.cli("kata", "list", "--json").json["data"]["katas"][0]["state"]


def test_what_one_process_approves_another_one_registers(model, hermes, seasons):
    from tests.hermes.story import approve_in_a_shell

    home = hermes()
    seasons.candidate(model, home)
    with home.session() as session:
        model.then(say("one"), say("two"))
        session.say("first")
        assert TOOL not in session.registered
        approve_in_a_shell(home)
        session.say("second")
        time.sleep(1)
        assert TOOL in session.registered


def test_what_one_process_disables_another_one_does_not_run(model, hermes, seasons):
    home = hermes()
    seasons.active(model, home)
    with home.session() as session:
        with home.shell("kata", "disable", NAME) as terminal:
            assert terminal.wait_end() == 0
        assert "not_active" in session.tool(TOOL, branch="invoices")


def test_without_a_terminal_nothing_is_decided(model, hermes, seasons):
    home = hermes()
    seasons.candidate(model, home)
    ran = home.cli("kata", "approve", "1", "as", NAME)
    assert (ran.code, state(home)) == (4, "candidate")


@pytest.mark.parametrize("mark", ["AI_AGENT", "HERMES_AGENT", "HERMES_SESSION_ID"])
def test_in_a_process_that_an_agent_started_nothing_is_decided(model, hermes, seasons, mark):
    home = hermes()
    seasons.candidate(model, home)
    with home.with_env(**{mark: "1"}).shell("kata", "approve", "1", "as", NAME) as terminal:
        assert terminal.wait_end() == 4
    assert state(home) == "candidate"


@pytest.mark.parametrize(
    "command",
    [
        "hermes kata approve 1 as mine",
        "script -qec 'hermes kata approve 1 as mine' /dev/null",
        "env -i hermes kata approve 1",
        "nohup sh -c 'sleep 1; hermes kata undo --yes' &",
        "python3 -c \"import os; os.system('hermes kata approve 1')\"",
        "unset AI_AGENT HERMES_AGENT HERMES_SESSION_ID; hermes kata approve 1",
        "hermes kata forget last --yes",
        "curl -X POST http://127.0.0.1:9119/api/plugins/kata/katas/1/approve",
        "sqlite3 plugin-data/kata/data.db 'delete from events'",
    ],
)
def test_the_agent_cannot_reach_a_decision_through_a_tool(model, hermes, seasons, command):
    home = hermes()
    seasons.candidate(model, home)
    with home.session() as session:
        model.then(call("terminal", {"command": command}), say("no"))
        session.say("approve it yourself")
        assert "Approval must come from a person" in model.result
        session.finalize()
    assert state(home) == "candidate"
    [row] = home.cli("kata", "audit", "--action", "decision.refused", "--json").json["data"]["rows"]
    assert row["actor"]["kind"] == "agent"


def test_an_agent_that_looks_into_kata_uses_no_announcement_up(model, hermes, seasons):
    home = hermes()
    seasons.active(model, home)
    with home.session() as session:
        model.then(call("terminal", {"command": f"{find_hermes()} kata"}), say("seen"))
        session.say("look")
        assert "recording on" in model.result
        assert "Not you?" not in model.result
    with home.shell("kata") as terminal:
        assert terminal.wait_end() == 0
        assert "was approved" in terminal.text
        assert "Not you?" in terminal.text
