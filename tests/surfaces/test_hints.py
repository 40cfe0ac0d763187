"""What one reads around an answer: hints, interruptions, counts, words said once."""

import pytest

from kata.surfaces.cli import Terminal, run_cli
from kata.surfaces.exits import INTERRUPTED, REFUSED, USAGE
from kata.surfaces.hints import commanded
from kata.surfaces.show import review
from kata.surfaces.text import explain, speaking
from tests.service.lab import order
from tests.surfaces.test_cli import Screen, shell
from tests.surfaces.test_slash import type_in


@pytest.mark.parametrize(
    ("hint", "wanted"),
    [
        ("Review it again: review 1", "Review it again: kata review 1"),
        ("See `list` for the numbers.", "See `kata list` for the numbers."),
        ("请重新审阅：review 1", "请重新审阅：kata review 1"),
        ("Commands: list, review", "Commands: list, review"),
        ("Run `hermes kata verify`.", "Run `hermes kata verify`."),
        ("It has versions 1 to 3.", "It has versions 1 to 3."),
    ],
)
def test_a_command_in_a_hint_has_what_one_types_before_it(hint, wanted):
    assert commanded(hint, "kata") == wanted


def test_hints_name_whole_commands_in_shell_and_chat(lab):
    lab.proposed()
    assert "See: hermes kata help review" in shell(lab, "review", "1", "--colour")[2]
    assert "`hermes kata list`" in shell(lab, "review", "99")[2]
    assert "/kata review 1" in type_in(lab, "approve 1 as settle_bug")


def test_a_refusal_does_not_allow_what_it_refuses(lab):
    lab.approved("settle_bug")
    code, _, err = shell(lab, "approve", "1", "as", "settle_bug", tty=True)
    [allowed] = [line for line in err.splitlines() if "Allowed here" in line]
    assert (code, "approve" in allowed, "disable" in allowed) == (REFUSED, False, True)


def test_no_pipe_is_told_of_an_approval_that_it_did_not_ask_for(lab):
    assert "pprov" not in shell(lab, "pause")[2]
    assert shell(lab, "pause", "1x")[0] == USAGE


def test_an_interruption_leaves_the_prompt_a_line_of_its_own():
    def interrupted():
        raise KeyboardInterrupt

    terminal = Terminal(input=Screen(tty=True), output=Screen(tty=True), error=Screen(tty=True))
    assert run_cli(["list"], interrupted, terminal=terminal, mark=lambda: None) == INTERRUPTED
    assert terminal.error.getvalue() == "\n"


def test_the_warnings_of_a_version_are_counted_with_its_checks(lab):
    lab.proposed(order)
    view = lab.service.review("1")
    warned = len(view.warnings) + sum(one.status == "warning" for one in view.checks)
    [line] = [line for line in review.chat(view) if line.startswith("Checks")]
    assert f"{warned} warning" in line
    assert ("1 warnings" in line) is False


def test_what_an_argument_is_made_of_is_said_once(lab):
    lab.proposed(
        lambda n: [
            ("find_order", {"customer": f"customer {n}"}, {"order": {"number": f"O-{n:06d}"}}),
            ("ship_order", {"order": f"order O-{n:06d} now", "by": "parcel"}, {"shipped": True}),
        ]
    )
    for said in (shell(lab, "why", "1")[1], type_in(lab, "why 1")):
        assert "text made as order " in said
        assert "made of parts" not in said


def test_how_much_a_version_reproduces_is_said_in_chinese():
    with speaking("zh"):
        told = explain("0% of the held-out examples are reproduced, 90% are needed")
    assert told == "重现了被留出检验的示例的 0%，需要 90%"
