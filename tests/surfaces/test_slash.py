"""``/kata`` in a chat: forgiving, short, and never a way round the person."""

import json

import attrs
import pytest

from kata.errors import HumanNeededError
from kata.events import Surface
from kata.surfaces.actors import Chat
from kata.surfaces.slash import LONGEST, run_slash, short
from kata.surfaces.typed import split
from tests.service.lab import AGENT, PERSON, order
from tests.service.test_choosing import TOOLS, wipe
from tests.surfaces.test_cli import shell

TERMINAL = Chat(platform="cli", session="1")
DIRECT = Chat(platform="telegram", user_id="42", session="dm")
GROUP = Chat(platform="telegram", user_id="42", session="room", group=True)


def type_in(lab, line, chat=TERMINAL, mark=None):
    return run_slash(line, lab.service, chat, mark=lambda: mark)


def test_nothing_to_do_fits_on_few_lines(lab):
    assert len(type_in(lab, "").splitlines()) <= 5


def test_the_first_day_says_what_is_recorded_so_far(lab):
    lab.practise(lambda n: [("find_ticket", {"title": f"t{n}"}, {"tickets": []})], 2)
    assert "2 calls in 2 conversations" in type_in(lab, "")


def test_a_proposal_needs_you_and_says_what_to_type(lab):
    number = lab.proposed()
    assert f"/kata review {number}" in type_in(lab, "")


def test_the_decision_line_of_a_review_is_last(lab):
    number = lab.proposed()
    assert type_in(lab, f"review {number}").splitlines()[-1] == f"Reject: /kata reject {number}"


def test_approving_right_after_the_review_acts_at_once(lab):
    number = lab.proposed()
    type_in(lab, f"review {number}")
    assert "is active" in type_in(lab, f"approve {number} as settle_bug")
    assert lab.state(number) == "active"


def test_approving_without_a_review_in_this_chat_is_refused(lab):
    number = lab.proposed()
    type_in(lab, f"review {number}", DIRECT)
    assert f"review {number}" in type_in(lab, f"approve {number} as settle_bug")
    assert lab.state(number) == "candidate"


def test_another_review_in_between_takes_the_first_ones_place(lab):
    first, second = lab.proposed(), lab.proposed(order)
    type_in(lab, f"review {first}")
    type_in(lab, f"review {second}")
    type_in(lab, f"approve {first} as settle_bug")
    assert lab.state(first) == "candidate"


def test_in_a_process_that_an_agent_started_nothing_is_decided(lab):
    number = lab.proposed()
    type_in(lab, f"review {number}", mark="AI_AGENT")
    assert "agent's tool" in type_in(lab, f"approve {number} as settle_bug", mark="AI_AGENT")
    assert lab.state(number) == "candidate"


def test_in_a_group_only_approvers_decide(lab):
    number = lab.proposed()
    type_in(lab, f"review {number}", GROUP)
    assert "group" in type_in(lab, f"approve {number} as settle_bug", GROUP)
    lab.settings = attrs.evolve(lab.settings, approvers=("telegram:42",))
    assert "is active" in type_in(lab, f"approve {number} as settle_bug", GROUP)


def test_a_direct_chat_decides_and_is_named_in_the_trail(lab):
    number = lab.proposed()
    type_in(lab, f"reject {number} because too rare", DIRECT)
    assert "telegram:42 in chat" in type_in(lab, "audit", DIRECT)
    assert "too rare" in type_in(lab, "audit", DIRECT)


def test_rollback_and_undo_ask_to_repeat_with_yes(lab):
    number = lab.approved("settle_bug")
    assert f"/kata rollback {number} 1 yes" in type_in(lab, f"rollback {number} 1")
    assert "undo yes" in type_in(lab, "undo")
    assert lab.state(number) == "active"
    type_in(lab, "undo yes")
    assert lab.state(number) == "disabled"


def test_a_misspelt_verb_is_answered_with_the_near_one(lab):
    assert "approve" in type_in(lab, "aprove 2")


def test_a_shell_only_verb_says_where_it_lives(lab):
    assert "hermes kata replay" in type_in(lab, "replay")


def test_json_is_allowed(lab):
    assert json.loads(type_in(lab, "list --json"))["data"] == {"katas": []}


def test_a_decision_made_elsewhere_is_announced_once(lab):
    number = lab.proposed()
    lab.service.overview("slash")
    person = attrs.evolve(PERSON, surface=Surface.CLI)
    lab.service.decisions.reject(str(number), person)
    assert "was rejected" in type_in(lab, "")
    assert "was rejected" not in type_in(lab, "")


def test_what_an_agent_started_is_not_shown_a_decision_and_uses_no_announcement_up(lab):
    number = lab.proposed()
    lab.service.decisions.reject(str(number), PERSON)
    for line in (shell(lab, mark="AI_AGENT", tty=True)[1], shell(lab, "--json", mark="AI_AGENT")[1]):
        assert "was rejected" not in line
        assert '"announcements":[{' not in line
    assert "was rejected" not in type_in(lab, "", mark="HERMES_SESSION_ID")
    assert "was rejected" in shell(lab, tty=True)[1]


def test_a_proposal_that_only_an_agent_saw_is_still_to_be_told(lab):
    lab.proposed()
    shell(lab, mark="AI_AGENT", tty=True)
    lab.service.refresh()
    assert len(lab.service.untold()) == 1
    shell(lab, tty=True)
    lab.service.refresh()
    assert lab.service.untold() == ()


def test_where_nobody_may_decide_an_announcement_is_shown_and_stays_for_the_person(lab):
    number = lab.proposed()
    lab.service.decisions.reject(str(number), attrs.evolve(PERSON, surface=Surface.CLI))
    assert "was rejected" in shell(lab)[1]
    assert "was rejected" in type_in(lab, "", GROUP)
    assert "was rejected" in type_in(lab, "", DIRECT)
    assert "was rejected" not in type_in(lab, "", DIRECT)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("Approve 2 as x", ["approve", "2", "as", "x"]),
        ("review ２", ["review", "2"]),
        ("reject 2 because it’s “odd”", ["reject", "2", "because", 'it\'s "odd"']),
        ("list —all", ["list", "--all"]),
        ('reject 2 because "two words"', ["reject", "2", "because", "two words"]),
    ],
)
def test_phones_are_forgiven(typed, words):
    assert split(typed) == words


def test_a_long_answer_keeps_its_last_lines():
    text = "\n".join([f"line {n}" for n in range(2000)] + ["Approve: x"])
    cut = short(text, "list")
    assert len(cut) <= LONGEST
    assert cut.splitlines()[-1] == "Approve: x"


def test_an_effect_with_two_possible_sources_asks_for_a_choice_in_the_words_to_type(lab):
    for tool, schema in TOOLS.items():
        lab.describe(tool, schema)
    number = lab.proposed(wipe)
    assert "using step2.disk=shown | step2.disk=step1.main" in type_in(lab, f"review {number}")
    assert "using step2.disk=shown" in type_in(lab, f"approve {number} as clear_host")
    assert "is active" in type_in(lab, f"approve {number} as clear_host using step2.disk=step1.main")


def test_only_the_last_decision_about_a_kata_offers_an_undo_and_names_the_kata(lab):
    number = lab.approved("settle_bug")
    lab.clock.advance(seconds=1)
    lab.service.decisions.disable(str(number), PERSON)
    with pytest.raises(HumanNeededError):
        lab.service.decisions.enable(str(number), AGENT)
    told = [line for line in shell(lab)[1].splitlines() if line.startswith("!")]
    assert len(told) > 2
    assert [line for line in told if "Not you?" in line] == [line for line in told if "was disabled" in line]
    assert all(line.endswith(f"Not you? hermes kata undo {number}") for line in told if "Not you?" in line)
