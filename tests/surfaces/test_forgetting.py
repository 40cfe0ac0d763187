"""``forget`` in chat and shell: shown first, then by a yes or by the token of what was shown; never by an agent."""

import json
import shlex

import pytest

from kata.events import ActorKind
from kata.service.forgetview import Target
from kata.surfaces.exits import HUMAN_NEEDED, NOT_FOUND, REFUSED, USAGE
from tests.service.lab import PERSON, ticket
from tests.surfaces.test_cli import shell
from tests.surfaces.test_slash import DIRECT, GROUP, type_in


@pytest.fixture
def told(lab):
    lab.practise(ticket, 2)
    lab.service.refresh()
    return lab


def left(lab) -> int:
    lab.service.refresh()
    return lab.service.call_count()


def forget_first(lab) -> None:
    target = Target(session="s1")
    lab.service.forget(target, lab.service.forget_preview(target).token, PERSON)


def command_of(answer: str) -> str:
    line = next(line for line in answer.splitlines() if line.startswith("Forget it: "))
    return line.removeprefix("Forget it: /kata ")


def test_a_chat_shows_first_and_forgets_by_the_command_it_gave(told):
    shown = type_in(told, "forget last")
    assert "session s2" in shown
    assert "3 calls, 5 events around them" in shown
    assert left(told) == 6
    assert "Forgotten" in type_in(told, command_of(shown))
    assert left(told) == 3


def test_a_text_with_blanks_and_quotes_comes_back_in_the_command(told):
    told.by_hand([("find_ticket", {"title": 'Ana\'s "big" order'}, {})])
    wanted = shlex.quote('\'s "big"')
    shown = type_in(told, f"forget --text {wanted}")
    assert "Forgotten" in type_in(told, command_of(shown))
    assert left(told) == 6


def test_yes_alone_forgets_nothing_in_a_chat(told):
    assert "Forget it: " in type_in(told, "forget last yes")
    assert left(told) == 6


def test_a_shell_shows_asks_and_forgets(told):
    code, out, err = shell(told, "forget", "--session", "s1", typed="yes\n", tty=True)
    assert (code, out) == (0, "Forgotten: session s1 (8 events).\n")
    assert "This cannot be undone" in err
    assert left(told) == 3


def test_a_shell_that_is_told_no_forgets_nothing(told):
    assert shell(told, "forget", "--session", "s1", typed="no\n", tty=True)[0] == REFUSED
    assert left(told) == 6


def test_a_shell_with_yes_is_not_asked(told):
    assert shell(told, "forget", "last", "--yes", "-m", "by wish", tty=True)[0] == 0
    [event] = told.store.log.read(types=("history.forgotten",))
    assert (event.actor.kind, event.payload.note) == (ActorKind.HUMAN, "by wish")


def test_a_dry_run_shows_and_changes_nothing(told):
    code, out, _ = shell(told, "forget", "--session", "s1", "--dry-run", "--json", tty=True)
    answer = json.loads(out)
    assert (code, answer["data"]["events"], answer["data"]["sessions"]) == (0, 8, ["s1"])
    assert answer["next"] == [f"hermes kata forget --session s1 --token {answer['data']['token']}"]
    assert left(told) == 6


def test_a_stale_token_is_refused(told):
    token = json.loads(shell(told, "forget", "last", "--dry-run", "--json", tty=True)[1])["data"]["token"]
    assert shell(told, "forget", "--session", "s1", "--token", token, tty=True)[0] == REFUSED
    assert left(told) == 6


def test_what_is_not_there_and_what_is_no_target_have_their_codes(told):
    assert shell(told, "forget", "--session", "nope", tty=True)[0] == NOT_FOUND
    assert shell(told, "forget", tty=True)[0] == USAGE
    code, out, _ = shell(told, "forget", "--text", "never said", tty=True)
    assert (code, "Nothing that is recorded" in out) == (0, True)


def test_an_agent_forgets_nothing_and_its_attempt_is_announced_without_the_text(told):
    assert shell(told, "forget", "--text", "words 1", "--yes", tty=True, mark="AI_AGENT")[0] == HUMAN_NEEDED
    assert shell(told, "forget", "--text", "words 1", "--yes")[0] == HUMAN_NEEDED
    assert "person" in type_in(told, "forget --text 'words 1'", mark="AI_AGENT").lower()
    assert left(told) == 6
    refused = [event.payload for event in told.store.log.read(types=("decision.refused",))]
    assert {one.verb for one in refused} == {"forget"}
    assert not any("words" in str(one) for one in refused)


def test_a_preview_says_how_much_a_kata_can_be_checked_against_afterwards(lab):
    lab.approved()
    said = type_in(lab, "forget --session s1")
    assert "1 of 3 examples go; it stays as it is, with 2 left to check it against" in said


def test_what_was_seen_is_told_beside_what_is_left_of_it(lab):
    lab.approved()
    forget_first(lab)
    for verb, said in (("review", "Was seen 3 times in 3 conversations"), ("why", "Rested on 3 times")):
        shown = type_in(lab, f"{verb} settle_bug")
        assert said in shown
        assert "2 of 3 examples are left, of 1 day" in shown


def test_when_the_history_was_mined_is_known_after_what_it_found_was_forgotten(lab):
    lab.practise(ticket, 2)
    lab.service.mine()
    before = lab.service.status()
    target = Target(text="find_ticket")
    lab.service.forget(target, lab.service.forget_preview(target).token, PERSON)
    after = lab.service.status()
    assert before.last_mining is not None
    assert (after.last_mining, after.last_mining_at) == (None, before.last_mining_at)


def test_a_group_forgets_only_for_approvers(told):
    assert "Forget it" not in type_in(told, "forget last", GROUP)
    assert "Forget it" in type_in(told, "forget last", DIRECT)


def test_another_surface_hears_of_it_once(told):
    shell(told, "forget", "last", "--yes", tty=True)
    assert "session s2 was forgotten" in type_in(told, "")
    assert "was forgotten" not in type_in(told, "")
