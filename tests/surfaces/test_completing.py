"""Completion: live ids with their names, and scripts that a shell takes."""

import os
import shutil
import subprocess

import pytest

from kata.surfaces.completing import SHELLS, _fish_quoted, fixed_offers, offers, script
from kata.surfaces.parser import VERBS
from tests.service.lab import order
from tests.service.test_choosing import TOOLS, wipe
from tests.surfaces.test_cli import shell


def words(lab, *typed):
    return [word for word, _ in offers(lab.service, typed)]


def test_first_come_the_verbs_with_what_they_do(lab):
    assert words(lab, "") == list(VERBS)
    assert offers(lab.service, ["appr"]) == [("approve", "turn a proposal into a tool")]


def test_ids_and_names_are_live_and_say_what_they_are(lab):
    assert words(lab, "review", "") == []
    lab.approved("settle_bug")
    lab.proposed(order)
    assert offers(lab.service, ["review", ""]) == [
        ("1", "settle_bug (active)"),
        ("2", "ship_order_parcel (candidate)"),
        ("settle_bug", "1 (active)"),
        ("ship_order_parcel", "2 (candidate)"),
    ]
    assert words(lab, "review", "sh") == ["ship_order_parcel"]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (("run", ""), ["show", "allow"]),
        (("hooks", "install", ""), ["gateway", "shell"]),
        (("rollback", "1", ""), ["1"]),
        (("diff", "1", "1", ""), ["1"]),
        (("plan", "1", "ti"), ["title="]),
        (("approve", "1", "as", ""), ["settle_bug"]),
        (("help", "und"), ["undo"]),
        (("audit", "--kata", "set"), ["settle_bug"]),
        (("completion", ""), list(SHELLS)),
        (("nothing", ""), []),
        (("review", "9", ""), []),
        (("plan", "9", ""), []),
    ],
)
def test_each_place_has_its_own_offers(lab, typed, offered):
    lab.approved("settle_bug")
    assert words(lab, *typed) == offered


def test_options_are_offered_after_a_dash(lab):
    assert {"--json", "--version", "--url"} <= set(words(lab, "review", "--"))


def test_the_sources_to_choose_between_are_offered(lab):
    for tool, schema in TOOLS.items():
        lab.describe(tool, schema)
    number = lab.proposed(wipe)
    assert "step2.disk=step1.main" in words(lab, "approve", str(number), "st")


def test_the_scripts_ask_in_words_and_get_lines(lab):
    lab.proposed(order)
    assert shell(lab, "complete", "--", "review", "sh")[:2] == (0, "ship_order_parcel\t1 (candidate)\n")
    assert shell(lab, "complete", "review", "sh")[1] == "ship_order_parcel\t1 (candidate)\n"


@pytest.mark.parametrize("name", SHELLS)
def test_each_shell_takes_its_script(lab, name):
    code, out, _ = shell(lab, "completion", name)
    assert (code, out) == (0, script(name))
    program = shutil.which(name)
    if program is not None:
        assert subprocess.run([program, "-n"], input=out, text=True, check=False).returncode == 0


def test_what_the_script_offers_is_what_kata_would_answer(lab):
    for place, found in fixed_offers():
        if found is None or place.endswith("*"):
            continue
        verb, _, at = place.partition(" ")
        typed = [verb, "--"] if at == "-" else [verb, *["1"] * int(at or 0), ""] if verb else [""]
        assert list(found) == offers(lab.service, typed), place


def test_a_text_with_quotes_stays_one_text_in_fish():
    assert _fish_quoted("a\\b's") == "'a\\\\b\\'s'"


@pytest.fixture
def press(tmp_path):
    """Press TAB behind words in a bash whose ``hermes`` writes down that it was started."""
    fake = tmp_path / "bin" / "hermes"
    fake.parent.mkdir()
    fake.write_text(f'#!/bin/sh\ntouch {tmp_path}/started\nprintf "sh%s\\t1 (candidate)\\n" "$*"\n')
    fake.chmod(0o755)
    (tmp_path / "kata.bash").write_text(script("bash"), encoding="utf-8")
    environment = {**os.environ, "PATH": f"{fake.parent}:{os.environ['PATH']}"}

    def press(*typed, before=""):
        text = (
            f'{before}source "$1"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); '
            "_hermes_kata; printf '%s\\n' \"${COMPREPLY[@]}\""
        )
        words = ["bash", "-c", text, "bash", str(tmp_path / "kata.bash"), "hermes", *typed]
        ran = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
        return ran.stdout.split("\n")[:-1], (tmp_path / "started").exists()

    return press


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (("kata", "appr"), ["approve"]),
        (("kata", ""), list(VERBS)),
        (("kata", "review", "--ver"), ["--version"]),
        (("kata", "show", "1", "--ur"), ["--url"]),
        (("kata", "run", ""), ["show", "allow"]),
        (("kata", "completion", "z"), ["zsh"]),
        (("kata", "help", "und"), ["undo"]),
        (("kata", "nothing", ""), [""]),
        (("kata", "status", ""), [""]),
    ],
)
def test_no_hermes_starts_for_a_verb_an_option_or_a_fixed_word(press, typed, offered):
    assert press(*typed) == (offered, False)


@pytest.mark.parametrize(
    "typed",
    [
        ("kata", "review", "sh"),
        ("kata", "review", "--json", "sh"),
        ("kata", "plan", "1", "sh"),
        ("kata", "plan", "1", "a=1", "sh"),
        ("kata", "audit", "--kata", "sh"),
        ("kata", "run", "show", "sh"),
    ],
)
def test_ids_names_and_values_are_asked_of_kata(press, typed):
    words = " ".join(("kata complete --", *typed[1:]))
    assert press(*typed) == ([f"sh{words}"], True)


def test_bash_leaves_the_rest_to_what_completed_hermes_before(press):
    before = "_theirs() { COMPREPLY=(theirs); }; complete -F _theirs hermes;"
    assert press("se", before=before) == (["theirs"], False)
