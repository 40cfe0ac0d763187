"""Runs of a compiled tool on the real Hermes: asked, denied, vetoed, failing, unattended, dangerous, stale."""

import json
import textwrap

from tests.hermes.story import BRANCHES, TOOL, found_path, make_repository, pushed, wait_for_proposal
from tests.hermes.support import call, say


def called(model, session, branch="invoices"):
    """Have the model call the compiled tool; return what it was answered."""
    model.then(call(TOOL, {"branch": branch}), say("so be it"))
    session.say(f"push {branch}")
    return json.loads(model.result)


def runs(home):
    return home.cli("kata", "runs", "--json").json["data"]["runs"]


def test_a_denied_approval_runs_nothing(model, hermes, seasons):
    home = hermes()
    remote = seasons.active(model, home)
    with home.session() as session:
        session.answer("deny")
        answer = called(model, session)
        assert ("error" in answer, len(session.asked)) == (True, 1)
    assert "invoices" not in pushed(remote)
    assert runs(home) == []


def test_always_on_one_call_does_not_open_the_next(model, hermes, seasons):
    home = hermes()
    seasons.active(model, home)
    with home.session() as session:
        session.answer("always", "once")
        called(model, session)
        called(model, session, "login")
        assert len(session.asked) == 2


def test_the_prompt_says_what_will_run(model, hermes, seasons):
    home = hermes()
    seasons.active(model, home)
    with home.session() as session:
        session.answer("deny")
        called(model, session)
        [asked] = session.asked
        assert "git push origin" in json.dumps(asked)


def test_an_unattended_call_is_refused_by_hermes_policy(model, hermes, seasons):
    home = hermes()
    remote = seasons.active(model, home)
    model.then(call(TOOL, {"branch": "invoices"}), say("refused"))
    home.chat("push invoices")
    assert "requires approval" in model.result
    assert "invoices" not in pushed(remote)


def test_a_failing_step_stops_the_run_and_is_in_its_trace(model, hermes, seasons):
    home = hermes()
    seasons.active(model, home)
    with home.session() as session:
        session.answer("once")
        answer = called(model, session, "no_such_branch")
        session.finalize()
    assert "error" in answer
    [run] = runs(home)
    assert (run["outcome"], run["failed_step"]) == ("failed", 2) or run["code"] == "precondition"


def test_another_plugins_veto_stops_a_step(model, hermes, seasons, tmp_path):
    veto = tmp_path / "veto"
    veto.mkdir()
    (veto / "plugin.yaml").write_text(
        "name: veto\nversion: 1.0.0\ndescription: no pushing\nprovides_hooks: [pre_tool_call]\n"
    )
    (veto / "__init__.py").write_text(
        textwrap.dedent("""
        def no_pushing(tool_name="", args=None, **_):
            if tool_name == "terminal" and "git push" in str((args or {}).get("command")):
                return {"action": "block", "message": "nobody pushes here"}

        def register(ctx):
            ctx.register_hook("pre_tool_call", no_pushing)
        """)
    )
    from tests.hermes.support.fixtures import KATA

    home = hermes(plugins=[KATA, veto])
    remote = seasons.active(model, home)
    with home.session() as session:
        session.answer("once")
        answer = called(model, session)
        session.finalize()
    assert "nobody pushes here" in json.dumps(answer)
    assert "invoices" not in pushed(remote)
    [run] = runs(home)
    assert (run["outcome"], run["failed_step"]) == ("blocked", 3)


def test_a_tool_whose_schema_changed_makes_the_kata_stale(model, hermes, seasons):
    home = hermes()
    seasons.active(model, home)
    with home.session() as session:
        session.call(f"{STRICTER}:demand_limit")
        model.then(call("search_files", {"pattern": "TODO", "path": "."}), say("looked"))
        session.say("look")
        session.finalize()
        assert TOOL not in session.registered
    [kata] = home.cli("kata", "list", "--json").json["data"]["katas"]
    assert kata["state"] == "stale"
    assert "why" in kata["detail"]


def test_a_dangerous_command_inside_a_step_is_asked_of_the_person_and_denied(model, hermes):
    home = hermes()
    make_repository(home)
    with home.session() as session:
        for branch in BRANCHES:
            session.answer("once")
            model.then(
                call("search_files", {"pattern": f"TODO: {branch}", "path": "."}),
                lambda request: call("terminal", {"command": f"rm -rf {found_path(request)}.d"}),
                say("done"),
            )
            session.say(f"clean {branch}")
            session.finalize() if branch == BRANCHES[-1] else session.new()
    wait_for_proposal(home)
    with home.shell("kata", "approve", "1", "as", "sweep_leftovers", "pattern=branch") as terminal:
        terminal.wait_for("Type the name")
        terminal.type("sweep_leftovers")
        assert terminal.wait_end() == 0
    kept = home.workspace / "pdf.py.d"
    kept.mkdir()
    with home.session() as session:
        session.answer("deny")
        model.then(call("kata_sweep_leftovers", {"branch": "invoices"}), say("so be it"))
        session.say("clean invoices")
        session.finalize()
        assert any("rm -rf" in json.dumps(asked) for asked in session.asked)
    assert kept.exists()
    [run] = runs(home)
    assert (run["outcome"], run["failed_step"]) == ("blocked", 2)


STRICTER = __file__.replace("test_runs.py", "stricter.py")
