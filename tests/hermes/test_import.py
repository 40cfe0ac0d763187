"""A Hermes that was used for a while without Kata: its history is brought in, and has a proposal at once."""

import shutil

from kata.projections import PROJECTIONS, History, Projector, ViewStore
from kata.service import assemble
from kata.store import open_store
from kata.store.keyfile import KEY_NAME
from tests.hermes.story import BRANCHES, FILES, by_hand, make_repository, practise
from tests.hermes.support import call, calls, say
from tests.hermes.support.fixtures import KATA


def test_what_was_done_before_kata_was_there_is_proposed(model, hermes):
    home = hermes(plugins=[])
    make_repository(home)
    practise(model, home)
    sessions = [row["id"] for row in home.rows("SELECT id FROM sessions ORDER BY started_at")]
    calls = 3 * len(BRANCHES)

    home.configure(plugins={"enabled": [home.install(KATA)]})
    with home.session(resume=sessions[0]) as session:
        by_hand(model, session, "invoices")
        session.finalize()

    path = str(home.home / "state.db")
    data = home.cli("kata", "import", path, "--json", "--no-input").json["data"]
    [source] = data["sources"]
    assert (source["form"], source["calls"], dict(source["left_out"])) == ("hermes", calls, {"live": 3})
    [kata] = data["mined"]["proposed"]
    assert [step["tool"] for step in kata["steps"]] == ["search_files", "terminal", "terminal"]
    assert (kata["support"], kata["blocked_by"]) == (3, [])

    exported = home.workspace.parent / "out.jsonl"
    assert home.cli("sessions", "export", str(exported)).code == 0
    for again in (path, str(exported)):
        [source] = home.cli("kata", "import", again, "--json").json["data"]["sources"]
        assert (source["calls"], source["new_events"]) == (calls, 0)

    with home.shell("kata", "import") as terminal:
        terminal.wait_for("Type yes")
        terminal.type("yes")
        assert terminal.wait_end() == 0
        assert "Nothing new in state.db" in terminal.text


def test_a_history_of_dozens_of_conversations_is_what_was_recorded_live(model, hermes, tmp_path):
    home = hermes()
    make_repository(home)
    with home.session() as session:
        for number in range(CONVERSATIONS):
            KINDS[number % len(KINDS)](model, session, number)
            session.finalize() if number + 1 == CONVERSATIONS else session.new()
    live = mined_from(home.data)
    assert len({row[0] for row in live}) == CONVERSATIONS

    afresh = tmp_path / "kata"
    afresh.mkdir()
    shutil.copy(home.data / KEY_NAME, afresh)
    service = assemble(afresh)
    found = service.import_history(home.home / "state.db")
    service.close()
    passed_over = CONVERSATIONS // len(KINDS)  # `todo`, which mining looks through
    assert (found.sessions, found.calls, found.left_out) == (CONVERSATIONS, len(live) + passed_over, ())
    assert mined_from(afresh) == live


def mined_from(folder):
    """Return what mining reads of a log: calls in order, by conversation and turn, with their values."""
    store = open_store(folder)
    store.drain()
    views = ViewStore(store.connect())
    Projector(store.log, views, PROJECTIONS).catch_up()
    history = History(views, store.log)
    rows = list(history.rows())
    values = history.values(row.ref for row in rows)
    views.close()
    store.close()
    turns = {row.turn: number for number, row in enumerate(rows)}
    return [
        (
            row.conversation,
            turns[row.turn],
            row.tool,
            row.ok,
            row.breaks,
            told.args,
            told.result,
            told.textual,
        )
        for row in rows
        for told in [values[row.ref]]
    ]


def _pushed(model, session, number):
    by_hand(model, session, list(FILES)[number % len(FILES)])


def _looked_at_together(model, session, number):
    together = [("read_file", {"path": name}) for name in FILES.values()]
    model.then(
        calls(*together, ("search_files", {"pattern": "TODO", "path": "."})),
        call("terminal", {"command": f"echo found {number}"}),
        say("done"),
    )
    assert session.say(f"look {number}").answer == "done"


def _failed_and_went_on(model, session, number):
    model.then(
        call("terminal", {"command": f"ls nothing-{number}"}),
        call("terminal", {"command": f'echo ghp_{"A1b2" * 9} café > /dev/null; echo "a\\tb {number}"'}),
        say("done"),
    )
    assert session.say(f"fail {number}").answer == "done"


def _wrote_in_two_turns(model, session, number):
    path = f"notes-{number}.txt"
    model.then(call("write_file", {"path": path, "content": f"- one\n- {number}\n"}), say("written"))
    assert session.say(f"write {number}").answer == "written"
    model.then(call("read_file", {"path": path}), call("todo", {"todos": []}), say("done"))
    assert session.say("read it").answer == "done"


CONVERSATIONS = 36
KINDS = (_pushed, _looked_at_together, _failed_and_went_on, _wrote_in_two_turns)
