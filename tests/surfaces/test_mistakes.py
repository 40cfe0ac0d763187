"""Wrong words are told before anybody is asked, and dry runs need nobody; deciding needs a person as ever."""

import json

import pytest

from kata.surfaces.exits import DONE, HUMAN_NEEDED, NOT_FOUND, REFUSED, USAGE
from tests.service.lab import order
from tests.surfaces.test_cli import shell


def refusals(lab):
    return [event.payload.verb for event in lab.store.log.read(types=("decision.refused",))]


WRONG = [
    ("approve 1 as note_task colour=plant", "'colour' is no input of it"),
    ("approve 1@aaaaaa as note_task", "no version of kata 1 has the digest aaaaaa"),
    ("approve 1 as find_ticket", "the tool find_ticket has it"),
    ("approve 1 as note-task", "small letters"),
    ("approve 1 as note_task using step9", "means nothing"),
]


@pytest.mark.parametrize(("words", "why"), WRONG)
@pytest.mark.parametrize("tty", [True, False])
def test_wrong_words_of_an_approval_are_told_before_the_review(lab, words, why, tty):
    lab.proposed()
    code, out, err = shell(lab, *words.split(), typed="note_task\n", tty=tty)
    assert (code, out) == (USAGE, "")
    assert why in err
    assert "Would run" not in err
    assert "Type the name" not in err
    assert (lab.state(1), refusals(lab)) == ("candidate", [])


def test_a_state_that_forbids_an_approval_is_told_before_the_review_and_written_down(lab):
    lab.approved("settle_bug")
    code, _, err = shell(lab, "approve", "1", "as", "settle_bug", typed="settle_bug\n", tty=True)
    assert (code, "Would run" in err, refusals(lab)) == (REFUSED, False, ["approve"])


PLAIN = [
    ("pause 1x", USAGE),
    ("forget", USAGE),
    ("defer 1 until never", USAGE),
    ("reject 1 nonsense", USAGE),
    ("rollback 1 9", NOT_FOUND),
    ("disable 99", NOT_FOUND),
    ("undo nothing", NOT_FOUND),
    ("run allow none", NOT_FOUND),
    ("import-kata nowhere.json", NOT_FOUND),
]


@pytest.mark.parametrize(("words", "code"), PLAIN)
@pytest.mark.parametrize("tty", [True, False])
def test_a_plain_mistake_keeps_its_exit_code_and_is_no_refused_decision(lab, words, code, tty):
    lab.approved("settle_bug")
    assert shell(lab, *words.split(), tty=tty)[0] == code
    assert refusals(lab) == []


DRY = ["approve 2 as send_parcel", "reject 2", "defer 2", "rollback 1 1", "undo", "undo 1", "disable 1"]
DRY += ["pause 1h", "resume", "forget --text T-00001"]


@pytest.mark.parametrize("words", DRY)
def test_a_dry_run_needs_nobody_and_changes_nothing(lab, words):
    lab.approved("settle_bug")
    lab.proposed(order)
    before = sum(1 for _ in lab.store.log.read())
    assert shell(lab, *words.split(), "--dry-run")[0] == DONE
    assert sum(1 for _ in lab.store.log.read()) == before
    assert shell(lab, *words.split())[0] == HUMAN_NEEDED


def test_a_dry_run_of_an_adoption_needs_nobody(lab, tmp_path):
    lab.approved("settle_bug")
    file = tmp_path / "one.json"
    file.write_text(shell(lab, "export", "1")[1], encoding="utf-8")
    code, _, err = shell(lab, "import-kata", str(file), "--dry-run")
    assert code in (DONE, REFUSED)
    assert "terminal" not in err
    assert shell(lab, "import-kata", str(file))[0] == HUMAN_NEEDED


def test_a_dry_run_with_a_token_forgets_nothing(lab):
    lab.approved("settle_bug")
    words = ("forget", "--session", "s1")
    token = json.loads(shell(lab, *words, "--dry-run", "--json")[1])["data"]["token"]
    before = sum(1 for _ in lab.store.log.read())
    assert shell(lab, *words, "--token", token, "--dry-run", tty=True)[0] == DONE
    assert sum(1 for _ in lab.store.log.read()) == before


def test_the_question_for_the_name_stands_below_the_review_alone(lab):
    lab.proposed()
    err = shell(lab, "approve", "1", "as", "settle_bug", typed="no\n", tty=True)[2]
    assert "Would run 3 steps" in err
    assert not any(word in err for word in ("Approve:", "Reject:", "Try:"))
