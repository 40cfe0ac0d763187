"""A run that stopped goes on, on the real Hermes: the remote was away, and is back."""

import json

from tests.hermes.story import TOOL, pushed
from tests.hermes.support import call, say


def calling(model, session, tool, **args):
    """Have the model call a tool; return what it was answered."""
    model.then(call(tool, args), say("so be it"))
    session.say("go on")
    return json.loads(model.result)


def test_a_mended_run_goes_on_and_the_person_is_asked_again(model, hermes, seasons):
    home = hermes()
    remote = seasons.active(model, home)
    away = remote.rename(remote.with_name("away.git"))
    with home.session() as session:
        session.answer("once", "once")
        stopped = calling(model, session, TOOL, branch="invoices")
        assert (stopped["failed_step"], stopped["resume"]["from_step"]) == (3, 3)
        away.rename(remote)
        answer = calling(model, session, "kata_resume", handle=stopped["resume"]["handle"])
        session.finalize()
        assert len(session.asked) == 2
        assert "git push origin invoices" in json.dumps(session.asked[1])
    assert answer["ok"] is True
    assert "invoices" in pushed(remote)
    runs = home.cli("kata", "runs", "--json").json["data"]["runs"]
    assert [run["outcome"] for run in runs] == ["succeeded", "failed"]
    told = home.cli("kata", "audit", "--action", "run.resumed", "--json").json["data"]["rows"]
    assert [row["fields"]["resumes"] for row in told] == [runs[1]["run_id"]]


def test_a_handle_is_worth_nothing_in_another_process(model, hermes, seasons):
    home = hermes()
    remote = seasons.active(model, home)
    remote.rename(remote.with_name("away.git"))
    with home.session() as session:
        session.answer("once")
        handle = calling(model, session, TOOL, branch="invoices")["resume"]["handle"]
    with home.session() as session:
        answer = calling(model, session, "kata_resume", handle=handle)
        assert session.asked == []
    assert answer["code"] == "unknown_handle"
