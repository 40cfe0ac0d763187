"""What a doubt about the terminal comes to: no decision, exit code 4, an event, and words on what to do instead."""

import pytest

from kata.origin import Doubt
from kata.service.views import AuditQuery
from kata.surfaces.actors import Chat
from kata.surfaces.cli import Terminal, run_cli
from kata.surfaces.exits import DONE, HUMAN_NEEDED
from kata.surfaces.fences import Watch
from kata.surfaces.slash import run_slash
from tests.surfaces.test_cli import Screen

KINDS = ("stranger", "unattended", "not_typed")


def watch(found=None, typed=None, seen=None):
    return Watch(
        terminal=lambda record: (seen is not None and seen.append(record)) or found,
        typed=lambda record, since: typed,
    )


def shell(lab, *words, typed="", looks, language="en"):
    terminal = Terminal(input=Screen(typed, tty=True), output=Screen(tty=True), error=Screen(tty=True))
    code = run_cli(
        words, lambda: lab.service, terminal=terminal, mark=lambda: None, watch=looks, language=language
    )
    return code, terminal.output.getvalue() + terminal.error.getvalue()


def refused(lab):
    rows = lab.service.audit(AuditQuery()).rows
    return [(row.actor.kind, row.fields["verb"]) for row in rows if row.action == "decision.refused"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_doubted_terminal_decides_nothing_and_is_written_down(lab, kind):
    number = lab.proposed()
    doubted = watch(Doubt(kind=kind, program="script"))
    code, said = shell(lab, "approve", str(number), "as", "settle_bug", typed="settle_bug\n", looks=doubted)
    assert (code, lab.state(number), refused(lab)) == (HUMAN_NEEDED, "candidate", [("agent", "approve")])
    assert "script" in said
    assert "in a terminal that you opened yourself" in said


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("language", "word"), [("en", "agent"), ("zh", "智能体")])
def test_the_reason_is_told_in_each_language(lab, kind, language, word):
    lab.proposed()
    _, said = shell(lab, "reject", "1", looks=watch(Doubt(kind=kind, program="x")), language=language)
    assert word in said or "x" in said
    assert "fence." not in said


@pytest.mark.parametrize("verb", ["reject", "disable", "pause", "resume", "defer", "undo"])
def test_every_deciding_verb_is_refused(lab, verb):
    number = lab.approved("settle_bug")
    words = {"pause": (), "resume": (), "defer": (str(number), "until", "changed")}.get(verb, (str(number),))
    verb = "reject" if verb == "defer" else verb
    code, _ = shell(lab, verb, *words, typed="yes\n", looks=watch(Doubt(kind="stranger", program="x")))
    assert (code, lab.state(number), len(refused(lab))) == (HUMAN_NEEDED, "active", 1)


def test_an_answer_that_nobody_typed_approves_nothing_and_is_written_down(lab):
    number = lab.proposed()
    doubted = watch(typed=Doubt(kind="not_typed", program="tmux"))
    code, said = shell(lab, "approve", str(number), "as", "settle_bug", typed="settle_bug\n", looks=doubted)
    assert (code, lab.state(number), refused(lab)) == (HUMAN_NEEDED, "candidate", [("agent", "approve")])
    assert "keys of anybody attached" in said


@pytest.mark.parametrize("words", [("rollback", "1", "1"), ("undo", "1"), ("forget", "--text", "T-00001")])
def test_nor_does_it_confirm_anything_else(lab, words):
    number = lab.approved("settle_bug")
    doubted = watch(typed=Doubt(kind="not_typed", program="tmux"))
    before = lab.state(number)
    code, _ = shell(lab, *words, typed="yes\n", looks=doubted)
    assert (code, refused(lab)) == (HUMAN_NEEDED, [("agent", words[0])])
    assert lab.state(number) == before


def test_who_is_not_doubted_decides(lab):
    number = lab.proposed()
    code, _ = shell(lab, "approve", str(number), "as", "settle_bug", typed="settle_bug\n", looks=watch())
    assert (code, lab.state(number)) == (DONE, "active")


@pytest.mark.parametrize("words", [("list",), ("review", "1"), ("status",), ("audit",), ("verify",)])
def test_only_a_decision_is_looked_at(lab, words):
    lab.proposed()
    seen = []
    shell(lab, *words, looks=watch(seen=seen))
    assert seen == []


def test_what_is_looked_at_is_told_where_the_log_lies_and_when_agents_worked(lab):
    number = lab.proposed()
    seen = []
    shell(lab, "reject", str(number), looks=watch(seen=seen))
    [record] = seen
    now = lab.service.now().timestamp()
    assert record.data == lab.folder
    assert record.worked(0.0, now)
    assert not record.worked(now + 3600, now + 7200)


def test_who_is_doubted_is_shown_no_announcement_and_uses_none_up(lab):
    lab.approved("settle_bug")
    _, said = shell(lab, looks=watch(Doubt(kind="stranger", program="x")))
    assert "Not you?" not in said
    assert "Not you?" in shell(lab, looks=watch())[1]


@pytest.mark.parametrize(("platform", "state"), [("cli", "candidate"), ("telegram", "rejected")])
def test_a_chat_in_a_doubted_terminal_decides_nothing_and_a_messenger_has_none(lab, platform, state):
    number = lab.proposed()
    chat = Chat(platform=platform, user_id="ana", session="s")
    doubted = watch(Doubt(kind="stranger", program="x"))
    said = run_slash(f"reject {number}", lab.service, chat, mark=lambda: None, watch=doubted)
    assert lab.state(number) == state
    assert ("hangs from x" in said) == (platform == "cli")
