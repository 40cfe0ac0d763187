"""``hermes kata import``: what this machine has after asking, paths without asking, and the first proposals at once."""

import json
import shutil
from pathlib import Path

import pytest

from kata.service.sources import Place
from kata.surfaces.exits import DONE, HUMAN_NEEDED, NOT_FOUND, REFUSED, USAGE
from tests.importer import hand
from tests.service.lab import ticket
from tests.surfaces.test_cli import shell

HISTORY = Path(__file__).parents[2] / "docs" / "tutorial-history.jsonl"
MANY = {f"h{number}": hand.rows(ticket(number)) for number in range(1, 5)}


@pytest.fixture
def history(tmp_path):
    return hand.state_db(tmp_path / "state.db", MANY)


@pytest.fixture
def machine(lab, history, monkeypatch):
    """A machine that has one history."""
    place = Place(form="hermes", path=history, size=history.stat().st_size)
    monkeypatch.setattr(lab.service, "histories", lambda: (place,))


def test_a_path_is_imported_without_asking_and_its_routine_is_proposed(lab, history):
    code, out, _ = shell(lab, "import", str(history), "--no-input")
    assert code == 0
    assert "Imported 12 calls of 4 conversations from state.db" in out
    assert "/kata review 1" in out or "kata review 1" in out


def test_json_has_the_sources_and_what_was_found_in_them(lab, history):
    code, out, _ = shell(lab, "import", str(history), "--json")
    data = json.loads(out)["data"]
    assert (code, data["sources"][0]["calls"], data["failed"]) == (0, 12, [])
    assert [row["support"] for row in data["mined"]["proposed"]] == [4]


def test_a_second_time_nothing_is_new(lab, history):
    shell(lab, "import", str(history))
    code, out, _ = shell(lab, "import", str(history), "--json")
    assert (code, json.loads(out)["data"]["mined"]) == (0, None)


def test_what_the_next_proposal_waits_for_is_said(lab, tmp_path):
    path = hand.state_db(tmp_path / "two.db", dict(list(MANY.items())[:2]))
    _, out, _ = shell(lab, "import", str(path))
    assert "Nearest to a proposal" in out
    assert "too few conversations" in out


def test_several_paths_are_imported_and_a_bad_one_is_named(lab, history, tmp_path):
    other = hand.write(tmp_path / "p.jsonl", *hand.plain())
    code, out, _ = shell(lab, "import", str(history), str(other), str(tmp_path / "none"))
    assert code == NOT_FOUND
    assert "from state.db" in out
    assert "from p.jsonl" in out
    assert "Not imported" in out


def test_without_a_path_the_person_is_asked(lab, machine):
    code, out, err = shell(lab, "import", typed="yes\n", tty=True)
    assert (code, "state.db" in err, "Imported 12 calls" in out) == (0, True, True)


def test_a_person_who_does_not_agree_imports_nothing(lab, machine):
    head = lab.store.log.head()
    assert shell(lab, "import", typed="no\n", tty=True)[0] == REFUSED
    assert lab.store.log.head() == head


def test_without_a_path_and_without_a_person_nothing_is_imported(lab, machine):
    assert shell(lab, "import")[0] == HUMAN_NEEDED


def test_a_dry_run_needs_nobody(lab, machine):
    code, out, _ = shell(lab, "import", "--dry-run")
    assert (code, "Would import 12 calls" in out) == (0, True)


def test_a_machine_without_a_history_says_so(lab, monkeypatch):
    monkeypatch.setattr(lab.service, "histories", lambda: ())
    code, _, err = shell(lab, "import")
    assert (code, "import PATH" in err) == (NOT_FOUND, True)


def test_another_format_is_a_usage_error(lab, tmp_path):
    assert shell(lab, "import", str(hand.write(tmp_path / "x.jsonl", {"a": 1})))[0] == USAGE


def test_since_takes_a_span(lab, history):
    _, out, _ = shell(lab, "import", str(history), "--since", "1h", "--session", "h1", "--json")
    [source] = json.loads(out)["data"]["sources"]
    assert dict(source["left_out"])["other_session"] == 9


@pytest.mark.parametrize("kind", [PermissionError, IsADirectoryError])
@pytest.mark.parametrize("beside", [0, 1])
def test_a_history_that_may_not_be_read_is_named_with_the_reason(lab, tmp_path, monkeypatch, kind, beside):
    """Alone it is the answer; in a folder it is a problem of its own."""
    open_, folder = Path.open, tmp_path / "histories"
    folder.mkdir()
    locked = folder / "locked.jsonl"
    locked.write_text("{}\n")
    if beside:
        shutil.copy(HISTORY, folder / "open.jsonl")

    def refuse(path, *how, **more):
        if path == locked:
            raise kind(13, "Permission denied", str(path))
        return open_(path, *how, **more)

    monkeypatch.setattr(Path, "open", refuse)
    code, out, err = shell(lab, "import", str(folder if beside else locked))
    assert "locked.jsonl cannot be read: Permission denied" in out + err
    assert "went wrong inside Kata" not in out + err
    assert code == (DONE if beside else NOT_FOUND)


def test_a_link_to_nothing_is_no_history(lab, tmp_path):
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    code, _, err = shell(lab, "import", str(tmp_path / "gone.jsonl"))
    assert (code, "gone.jsonl" in err) == (NOT_FOUND, True)
