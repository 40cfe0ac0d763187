"""The story of one routine on the real Hermes: recorded, found, proposed, reviewed, approved, run, audited, rebuilt."""

import json
import time

from tests.hermes.story import (
    TOOL,
    approve_in_a_shell,
    make_repository,
    practise,
    pushed,
    wait_for_proposal,
)
from tests.hermes.support import TOOL_SEARCH, call, say, through_search


def test_a_routine_done_by_hand_three_times_becomes_one_call(model, hermes):
    home = hermes()
    remote = make_repository(home)

    practise(model, home)
    kata = wait_for_proposal(home)
    assert (kata["state"], kata["support"]) == ("candidate", 3)
    assert [step["tool"] for step in kata["steps"]] == ["search_files", "terminal", "terminal"]

    assert "send_branch" in approve_in_a_shell(home)
    assert home.cli("kata", "list", "--json").json["data"]["katas"][0]["state"] == "active"

    model.forget()
    with home.session() as session:
        session.answer("once")
        model.then(call(TOOL, {"branch": "invoices"}), say("sent"))
        assert session.say("push invoices").answer == "sent"
        session.finalize()
    assert TOOL in model.main[0].offered
    assert len(model.main) == 2, "two model requests instead of four"
    assert "invoices" in pushed(remote)

    runs = home.cli("kata", "runs", "--json").json["data"]["runs"]
    assert [run["outcome"] for run in runs] == ["succeeded"]
    audit = home.cli("kata", "audit", "--observations", "--limit", "500", "--json").json["data"]["rows"]
    told = {row["action"] for row in audit}
    assert {"kata.proposed", "kata.approved", "run.started", "step.finished", "run.finished"} <= told
    checked = home.cli("kata", "replay", "--check", "--json")
    assert (checked.code, checked.json["data"]["drift"]) == (0, [])
    assert home.cli("kata", "verify").code == 0


def test_with_tool_search_a_new_tool_is_usable_in_the_same_session(model, hermes, seasons):
    home = hermes(config=TOOL_SEARCH)
    remote = seasons.candidate(model, home)
    with home.session() as session:
        model.then(say("hello"))
        session.say("hello")
        assert "git push origin" in session.slash("/kata review 1")
        assert "now" in session.slash("/kata approve 1 as send_branch pattern=branch")
        time.sleep(1)
        session.answer("once")
        model.then(through_search(TOOL, {"branch": "invoices"}), say("sent"))
        assert session.say("push invoices").answer == "sent"
        assert "error" not in json.loads(model.result)
    assert "invoices" in pushed(remote)


def test_the_interactive_chat_takes_an_approval_right_after_the_review(model, hermes, seasons):
    home = hermes()
    seasons.candidate(model, home)
    with home.interactive() as terminal:
        terminal.type("/kata review 1")
        terminal.wait_for("Reject: /kata reject 1")
        terminal.type("/kata approve 1 as send_branch")
        terminal.wait_for("is active")
    [kata] = home.cli("kata", "list", "--json").json["data"]["katas"]
    assert (kata["state"], kata["name"]) == ("active", "send_branch")
    [row] = home.cli("kata", "audit", "--action", "kata.approved", "--json").json["data"]["rows"]
    assert (row["actor"]["kind"], row["actor"]["surface"]) == ("human", "slash")


def test_a_proposal_is_told_once_at_the_end_of_a_session(model, hermes, seasons):
    home = hermes()
    seasons.candidate(model, home)
    with home.session() as session:
        model.then(say("hello"), say("again"))
        session.say("hello")
        first = session.new()
        session.say("hello again")
        second = session.finalize()
    assert any("/kata review 1" in text for text in first)
    assert not any("/kata review 1" in text for text in second)


def test_a_second_profile_is_untouched(model, hermes, seasons):
    home = hermes()
    seasons.active(model, home)
    other = hermes(profile="work")
    assert other.cli("kata", "list", "--json").json["data"]["katas"] == []
    assert other.cli("kata", "status", "--json").json["profile"] == "work"
    assert home.cli("kata", "list", "--json").json["data"]["katas"][0]["state"] == "active"


def test_as_pip_installs_it_kata_records_and_answers_as_well(model, hermes, pip_kata):
    home = hermes(plugins=[], enabled=["kata"], overlay=pip_kata)
    with home.session() as session:
        model.then(call("terminal", {"command": "echo hi"}), say("done"))
        session.say("please")
        session.finalize()
    status = home.cli("kata", "status", "--json").json["data"]
    assert status["recording"]["calls"] == 1
