"""A Hermes that was used for a while without Kata: its history is brought in, and has a proposal at once."""

from tests.hermes.story import BRANCHES, by_hand, make_repository, practise
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
