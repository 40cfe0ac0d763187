"""``hermes kata``: answers on standard output, the rest on standard error, one exit code for each kind of answer."""

import argparse
import io
import json

import pytest

from kata.store.anchor import ANCHOR_NAME
from kata.surfaces.cli import Terminal, run_cli, set_up
from kata.surfaces.exits import FAILED, HUMAN_NEEDED, NOT_FOUND, REFUSED, USAGE, WAITING
from kata.surfaces.parser import VERBS
from tests.service.lab import ticket
from tests.service.test_choosing import TOOLS, wipe


class Screen(io.StringIO):
    encoding = "utf-8"

    def __init__(self, text="", tty=False):
        super().__init__(text)
        self._tty = tty

    def isatty(self):
        return self._tty


def shell(lab, *words, typed="", tty=False, mark=None):
    terminal = Terminal(input=Screen(typed, tty), output=Screen(tty=tty), error=Screen(tty=tty))
    code = run_cli(words, lambda: lab.service, terminal=terminal, mark=lambda: mark)
    return code, terminal.output.getvalue(), terminal.error.getvalue()


def test_an_answer_is_on_standard_output(lab):
    code, out, err = shell(lab, "list")
    assert (code, "No katas yet" in out, err) == (0, True, "")


def test_json_has_one_envelope(lab):
    code, out, _ = shell(lab, "list", "--json")
    answer = json.loads(out)
    assert (code, answer["schema"], answer["ok"], answer["data"]) == (0, "kata.cli/1", True, {"katas": []})


def test_what_was_proposed_stands_in_the_list_with_its_steps(lab):
    lab.proposed()
    [kata] = json.loads(shell(lab, "list", "--json")[1])["data"]["katas"]
    assert [step["tool"] for step in kata["steps"]] == ["find_ticket", "read_ticket", "close_ticket"]
    assert (kata["number"], kata["state"], kata["blocked_by"]) == (1, "candidate", [])


def test_what_was_only_seen_has_no_number_and_a_reason(lab):
    lab.practise(
        lambda n: [
            ("find_user", {"mail": f"a{n}"}, {"x": n}),
            ("find_order", {"customer": f"b{n}"}, {"y": n}),
        ]
    )
    lab.service.mine()
    seen = [
        one
        for one in json.loads(shell(lab, "list", "--all", "--json")[1])["data"]["katas"]
        if one["state"] == "seen"
    ]
    assert seen
    assert all(one["number"] is None and one["blocked_by"] for one in seen)


def test_an_unknown_verb_is_a_usage_error_with_the_near_one(lab):
    code, out, err = shell(lab, "aprove", "2")
    assert (code, out, "approve" in err) == (USAGE, "", True)


def test_an_unknown_kata_is_not_found(lab):
    assert shell(lab, "review", "99")[0] == NOT_FOUND


def test_an_error_in_json_is_an_envelope_too(lab):
    code, out, _ = shell(lab, "review", "99", "--json")
    answer = json.loads(out)
    assert (code, answer["ok"], answer["error"]["code"]) == (NOT_FOUND, False, "not_found")


def test_without_a_terminal_nothing_is_decided(lab):
    number = lab.proposed()
    code, _, err = shell(lab, "approve", str(number), "as", "settle_bug")
    assert (code, "terminal" in err, lab.state(number)) == (HUMAN_NEEDED, True, "candidate")


def test_an_agents_terminal_decides_nothing(lab):
    number = lab.proposed()
    code, *_ = shell(
        lab, "approve", str(number), "as", "settle_bug", typed="settle_bug\n", tty=True, mark="AI_AGENT"
    )
    assert (code, lab.state(number)) == (HUMAN_NEEDED, "candidate")
    actions = [
        row.action
        for row in lab.service.audit(__import__("kata.service.views", fromlist=["x"]).AuditQuery()).rows
    ]
    assert "decision.refused" in actions


def test_approving_asks_to_type_the_name_after_showing_the_plan(lab):
    number = lab.proposed()
    code, out, err = shell(lab, "approve", str(number), "as", "settle_bug", typed="settle_bug\n", tty=True)
    assert (code, lab.state(number)) == (0, "active")
    assert "Would run 3 steps" in err
    assert out.startswith("Approved: settle_bug")


def test_another_word_than_the_name_declines(lab):
    number = lab.proposed()
    code, *_ = shell(lab, "approve", str(number), "as", "settle_bug", typed="yes\n", tty=True)
    assert (code, lab.state(number)) == (REFUSED, "candidate")


def test_yes_is_not_honoured_for_an_approval(lab):
    number = lab.proposed()
    code, *_ = shell(lab, "approve", str(number), "as", "settle_bug", "--yes", typed="\n", tty=True)
    assert (code, lab.state(number)) == (REFUSED, "candidate")


def test_no_input_never_asks(lab):
    number = lab.proposed()
    assert shell(lab, "approve", str(number), "as", "settle_bug", "--no-input", tty=True)[0] == HUMAN_NEEDED


def test_rollback_asks_for_yes(lab):
    number = lab.approved("settle_bug")
    assert shell(lab, "rollback", str(number), "1", typed="yes\n", tty=True)[0] == 0
    assert shell(lab, "rollback", str(number), "7", typed="yes\n", tty=True)[0] == NOT_FOUND


def test_a_dry_run_says_what_and_does_nothing(lab):
    number = lab.proposed()
    code, out, _ = shell(lab, "reject", str(number), "--dry-run", tty=True)
    assert (code, "Nothing was done" in out, lab.state(number)) == (0, True, "candidate")


def test_status_tells_scripts_that_something_waits(lab):
    assert shell(lab, "status", "--exit-code")[0] == 0
    lab.proposed()
    assert shell(lab, "status", "--exit-code")[0] == WAITING


def test_replay_check_and_verify_pass_and_progress_is_on_standard_error(lab):
    lab.proposed()
    code, out, err = shell(lab, "replay", "--check")
    assert (code, "byte for byte" in out, "replaying" in err) == (0, True, True)
    assert shell(lab, "verify")[0] == 0


def test_a_table_that_was_edited_is_drift(lab):
    lab.proposed()
    lab.reads.store.connection.execute("UPDATE view_katas SET state = 'active'")
    code, out, _ = shell(lab, "replay", "--check")
    assert (code, "view_katas" in out) == (FAILED, True)
    assert shell(lab, "replay")[0] == 0
    assert shell(lab, "replay", "--check")[0] == 0


def test_the_state_at_a_position_is_shown_without_touching_anything(lab):
    lab.proposed()
    code, out, _ = shell(lab, "replay", "--until", "5", "--json")
    assert (code, json.loads(out)["data"]["until"]) == (0, 5)


def test_the_words_behind_an_option_still_count(lab):
    number = lab.proposed()
    assert (
        shell(lab, "approve", str(number), "-m", "fine", "as", "settle_bug", typed="settle_bug\n", tty=True)[
            0
        ]
        == 0
    )


@pytest.mark.parametrize(
    "words", [["list", "--json"], ["approve", "2@ab12", "as", "x", "-m", "why"], ["--help"], []]
)
def test_hermes_own_parser_hands_every_word_on(words):
    parser = argparse.ArgumentParser(prog="hermes")
    parser.add_argument("--yes", action="store_true")
    set_up(parser.add_subparsers().add_parser("kata"))
    assert parser.parse_args(["kata", *words]).words == words


def test_help_lists_every_command(lab):
    code, out, _ = shell(lab, "help")
    assert code == 0
    assert all(name in out for name in VERBS)


def test_every_command_has_help_of_its_own(lab):
    for name in VERBS:
        assert shell(lab, name, "--help")[0] == 0


def test_a_missing_choice_is_refused_before_anything_is_asked(lab):
    for tool, schema in TOOLS.items():
        lab.describe(tool, schema)
    number = lab.proposed(wipe)
    code, out, err = shell(lab, "approve", str(number), "as", "clear_host", tty=True)
    assert (code, out, "Type the name" in err) == (REFUSED, "", False)
    words = ("approve", str(number), "as", "clear_host", "using", "step2.disk=shown")
    assert shell(lab, *words, typed="clear_host\n", tty=True)[0] == 0


def test_verify_asks_a_person_before_it_takes_the_logs_end_as_it_is(lab):
    lab.by_hand(ticket(1))
    (lab.folder / ANCHOR_NAME).unlink()
    lab.by_hand(ticket(2))
    assert "--accept" in shell(lab, "verify", tty=True)[1]
    assert shell(lab, "verify", "--accept")[0] == HUMAN_NEEDED
    assert shell(lab, "verify", "--accept", tty=True, typed="no\n")[0] == REFUSED
    assert lab.service.verify().unproven
    code, out, _ = shell(lab, "verify", "--accept", "-m", "the disk was full", tty=True, typed="yes\n")
    assert (code, "taken as it is" in out, lab.service.verify().unproven) == (0, True, 0)


def test_where_nothing_is_in_doubt_there_is_nothing_to_accept(lab):
    head = lab.store.log.head()
    code, out, _ = shell(lab, "verify", "--accept", tty=True)
    assert (code, "every stored byte" in out, lab.store.log.head()) == (0, True, head)
