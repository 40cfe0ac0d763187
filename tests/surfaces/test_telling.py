"""``stats``, ``blame``, ``doctor``, ``watch``, ``open``, ``--url``, and ``reject --until``."""

import argparse
import json

import attrs
import pytest

from kata.errors import StoreError
from kata.events import Surface
from kata.events import catalogue as told
from kata.service.views import AuditQuery
from kata.store import StoreBusyError
from kata.surfaces import links
from kata.surfaces.cli import Terminal, run_cli
from kata.surfaces.exits import FAILED, NOT_FOUND, STORE
from kata.surfaces.watching import as_line, follow
from tests.service.lab import PERSON, SCHEMAS, order
from tests.surfaces.test_cli import Screen, shell
from tests.surfaces.test_slash import type_in

GOOD, BAD = told.RunOutcome.SUCCEEDED, told.RunOutcome.FAILED


def test_stats_claim_nothing_without_a_run(lab):
    assert "nothing is claimed" in shell(lab, "stats")[1]


def test_stats_show_each_number_with_its_basis(lab):
    lab.ran(lab.approved(), GOOD)
    out = shell(lab, "stats")[1]
    assert "settle_bug  v1  1 run  2 calls  2 requests  220 tokens  ? s" in out
    assert "median of 3 recordings" in out
    assert "done by hand 0 times" in out


def test_blame_points_at_the_first_bad_run_and_exits_with_1(lab):
    number = lab.approved()
    lab.ran(number, GOOD)
    bad = lab.ran(number, BAD)
    code, out, _ = shell(lab, "blame", str(number))
    assert (code, f"fails since run {bad[-12:]}" in out) == (FAILED, True)
    assert "→" in out
    assert out.splitlines()[-1] == f"Look: hermes kata run show {bad[-12:]}"
    assert type_in(lab, f"blame {number}").splitlines()[-1] == f"Look: /kata run show {bad[-12:]}"


def test_blame_of_a_kata_that_is_well_exits_with_0(lab):
    number = lab.approved()
    assert (shell(lab, "blame", str(number))[0], "not run yet" in shell(lab, "blame", "1")[1]) == (0, True)
    lab.ran(number, GOOD)
    assert "is well" in shell(lab, "blame", str(number))[1]


def test_a_sound_installation_says_so(lab):
    code, out, _ = shell(lab, "doctor")
    assert (code, out.splitlines()[-1]) == (0, "Kata is sound: 0 faults, 0 warnings.")


def test_each_fault_says_how_to_mend_it_and_exits_with_1(lab):
    lab.service.status()
    [key] = lab.folder.glob("*key*")
    key.chmod(0o644)
    code, out, _ = shell(lab, "doctor")
    assert (code, f"mend: chmod 600 {key}" in out) == (FAILED, True)
    assert json.loads(shell(lab, "doctor", "--json")[1])["data"]["sound"] is False


def test_the_doctor_answers_where_the_log_cannot_be_opened():
    def broken():
        raise StoreBusyError("another program holds the log")

    def ask(*words):
        terminal = Terminal(input=Screen(), output=Screen(), error=Screen())
        return run_cli(words, broken, terminal=terminal, mark=lambda: None), terminal.output.getvalue()

    code, out = ask("doctor")
    assert (code, "FAULT" in out, "another program holds the log" in out) == (FAILED, True, True)
    assert ask("list")[0] == STORE


def desk_of(lab):
    from kata.surfaces.cli import _desk, parse
    from kata.surfaces.fences import UNWATCHED
    from kata.surfaces.parser import build

    terminal = Terminal(input=Screen(), output=Screen(), error=Screen())
    return _desk(parse(build("hermes kata"), ["watch"]), lab.service, terminal, lambda: None, UNWATCHED)


def test_what_happens_is_told_once_and_in_order(lab):
    number = lab.proposed()
    looks = iter(range(3))
    todo = iter(
        [
            lambda: lab.service.decisions.reject(str(number), PERSON, note="no"),
            lambda: None,
            lambda: lab.service.decisions.reconsider(str(number), PERSON),
        ]
    )
    rows = list(follow(desk_of(lab), lambda: next(looks, None) is not None, lambda seconds: next(todo)()))
    assert [row.action for row in rows] == ["kata.rejected", "kata.reconsidered"]
    assert "kata.rejected" in as_line(rows[0], desk_of(lab).page)


def test_watching_for_a_span_ends_by_itself(lab):
    assert shell(lab, "watch", "--for", "0s")[:2] == (0, "")
    assert shell(lab, "watch", "--for", "long")[0] == 2


def test_every_place_has_an_address(lab, monkeypatch):
    monkeypatch.delenv(links.PUBLIC, raising=False)
    number = lab.approved()
    run = lab.ran(number, GOOD)
    here = "http://127.0.0.1:9119/kata"
    wanted = {
        ("open", "--url"): here,
        ("open", "settle_bug", "--url"): f"{here}?kata=1",
        ("open", "--run", run[-12:], "--url"): f"{here}?kata=1&tab=runs&run={run}",
        ("review", "1", "--version", "1", "--url"): f"{here}?kata=1&version=1",
        ("runs", "--url"): f"{here}?view=runs",
        ("runs", "1", "--url"): f"{here}?kata=1&tab=runs",
        ("run", "show", run, "--url"): f"{here}?kata=1&tab=runs&run={run}",
        ("audit", "actor:human", "no", "way", "--url"): f"{here}?view=audit&actor=human&q=no+way",
    }
    for words, url in wanted.items():
        assert shell(lab, *words)[:2] == (0, f"{url}\n"), words
    assert shell(lab, "open", "9", "--url")[0] == NOT_FOUND


def test_the_address_goes_by_where_the_dashboard_is_and_keeps_the_profile(monkeypatch):
    monkeypatch.setenv(links.PUBLIC, "https://agent.example.test/")
    assert links.link("work", kata=2) == "https://agent.example.test/kata?kata=2&profile=work"


def test_the_browser_is_opened_or_the_address_is_said(lab):
    asked = argparse.Namespace(kata="", run="", url=False)
    opened = []
    answer = links.open_tab(desk_of(lab), asked, browse=lambda url: bool(opened.append(url)) or True)
    assert answer.lines == (f"Opened {opened[0]}",)
    with pytest.raises(StoreError) as refused:
        links.open_tab(desk_of(lab), asked, browse=lambda url: False)
    assert opened[0] in refused.value.hint


def test_reject_until_sets_aside_and_shows_again(lab):
    number = lab.proposed(order)
    for words in (("--until", "seen:2"), ("until", "2w")):
        code, out, _ = shell(lab, "reject", str(number), *words, tty=True)
        assert (code, "Set aside" in out, lab.state(number)) == (0, True, "candidate")
    assert "Set aside" in type_in(lab, f"reject {number} until changed because not now")
    [row, *_] = lab.service.audit(AuditQuery(action="kata.deferred")).rows
    assert (row.fields["note"], row.actor.kind) == ("not now", "human")
    assert shell(lab, "reject", str(number), "--until", "never", tty=True)[0] == 2


def test_a_pause_for_an_hour_ends_by_itself(lab):
    shell(lab, "pause", "1h", tty=True)
    assert not lab.service.recording()
    assert "PAUSED until" in shell(lab)[1]
    lab.clock.advance(minutes=61)
    assert lab.service.recording()


def test_the_answer_of_a_stream_is_no_list():
    from kata.surfaces.desk import Answer

    assert attrs.fields(Answer).stream.default is None


def test_a_dry_run_of_a_pause_changes_nothing(lab):
    assert "Nothing was done" in shell(lab, "pause", "1h", "--dry-run", tty=True)[1]
    assert lab.service.recording()
    shell(lab, "pause", tty=True)
    assert "Nothing was done" in shell(lab, "resume", "--dry-run", tty=True)[1]
    assert not lab.service.recording()


def test_a_decision_that_reaches_outside_asks_for_a_reason_and_does_not_insist(lab):
    number = lab.proposed(order)
    words = ("approve", str(number), "as", "send_parcel")
    _, _, err = shell(lab, *words, typed="no\n", tty=True)
    assert "No reason is given" in err
    _, _, err = shell(lab, *words, "-m", "weekly", typed="send_parcel\n", tty=True)
    assert "No reason is given" not in err
    [row] = lab.service.audit(AuditQuery(action="kata.approved")).rows
    assert row.fields["note"] == "weekly"


def test_a_rollback_shows_what_it_changes_before_it_asks(lab):
    number = lab.approved("settle_bug")
    schema = SCHEMAS["close_ticket"]
    properties = {**schema["properties"], "why": {"type": "string"}}
    lab.describe("close_ticket", {**schema, "properties": properties, "required": ["id", "why"]})
    lab.service.refresh()
    lab.service.upkeep(Surface.HOOK)
    lab.approve(number, "settle_bug")
    lab.describe("close_ticket", schema)
    lab.service.refresh()
    _, _, err = shell(lab, "rollback", str(number), "1", typed="no\n", tty=True)
    assert "v2 (" in err.splitlines()[0]
    assert "- {why}" in err
    assert err.index("- {why}") < err.index("Would run") < err.index("Type yes")
    assert "- {why}" in type_in(lab, f"rollback {number} 1")
