"""Completion: live ids with their names, and scripts that a shell takes."""

import os
import shutil
import subprocess

import pytest

from kata.surfaces.completing import SCRIPTS, SHELLS, offers
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
    assert (code, out) == (0, (SCRIPTS / f"kata.{name}").read_text(encoding="utf-8"))
    program = shutil.which(name)
    if program is not None:
        assert subprocess.run([program, "-n"], input=out, text=True, check=False).returncode == 0


BASH = """
source "$1"
COMP_WORDS=(hermes kata review sh) COMP_CWORD=3
_hermes_kata
printf '%s\\n' "${COMPREPLY[@]}"
"""


def test_bash_offers_what_kata_answers_and_leaves_the_rest_to_hermes(tmp_path):
    fake = tmp_path / "hermes"
    fake.write_text('#!/bin/sh\nprintf "%s\\t1 (candidate)\\n" "$*"\n')
    fake.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}

    def run(text):
        words = ["bash", "-c", text, "bash", str(SCRIPTS / "kata.bash")]
        return subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout

    assert run(BASH) == "kata complete -- review sh\n"
    before = "_theirs() { COMPREPLY=(theirs); }; complete -F _theirs hermes;"
    other = BASH.replace("hermes kata review sh", "hermes se").replace("COMP_CWORD=3", "COMP_CWORD=1")
    assert run(before + other) == "theirs\n"
