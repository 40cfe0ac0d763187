"""The shell's manners: exit codes, closed pipes, colour, width, pages, progress."""

import io
import json
import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from kata.errors import NotFoundError, RefusedError, StoreError, UsageError
from kata.events import catalogue as told
from kata.service.views import AuditQuery
from kata.surfaces import exits
from kata.surfaces.cli import Bar, Terminal, run_cli
from kata.surfaces.paging import paged
from kata.surfaces.paint import Page, width_of
from kata.surfaces.show import audit, listing, runs
from kata.surfaces.times import clock
from tests.service.lab import PERSON, order, ticket
from tests.surfaces.test_cli import Screen, shell

ROOT = Path(__file__).parents[2]
LOOK = ROOT / "scripts" / "look.py"
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("x"), exits.USAGE),
        (RefusedError("x"), exits.REFUSED),
        (NotFoundError("x"), exits.NOT_FOUND),
        (StoreError("x"), exits.STORE),
        (KeyboardInterrupt(), exits.INTERRUPTED),
        (RuntimeError("x"), exits.FAILED),
    ],
)
def test_whatever_stops_a_command_has_its_exit_code_and_no_traceback(error, code):
    def fails():
        raise error

    terminal = Terminal(input=Screen(), output=Screen(), error=Screen())
    assert run_cli(["list"], fails, terminal=terminal, mark=lambda: None) == code
    assert "Traceback" not in terminal.error.getvalue()


CODES = [
    ("list", exits.DONE),
    ("blame 1", exits.FAILED),
    ("lst", exits.USAGE),
    ("review", exits.USAGE),
    ("review 1 --colour", exits.USAGE),
    ("enable 1", exits.REFUSED),
    ("approve 2", exits.HUMAN_NEEDED),
    ("approve 2 --no-input", exits.HUMAN_NEEDED),
    ("review nothing", exits.NOT_FOUND),
    ("review 1 --version 9", exits.NOT_FOUND),
    ("run show none", exits.NOT_FOUND),
    ("status --exit-code", exits.WAITING),
    ("status", exits.DONE),
]


@pytest.mark.parametrize(("words", "code"), CODES)
def test_each_kind_of_answer_has_its_exit_code(lab, words, code):
    lab.ran(lab.approved(), told.RunOutcome.FAILED)
    lab.proposed(order)
    assert shell(lab, *words.split(), tty=code == exits.REFUSED)[0] == code


def test_every_exit_code_is_documented():
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    codes = {value for name, value in vars(exits).items() if name.isupper() and isinstance(value, int)}
    assert codes == {int(found) for found in re.findall(r"^\| (\d+) \|", page, re.MULTILINE)}


@pytest.mark.parametrize("words", ["audit --observations --limit 500", "export --history", "help", "--help"])
def test_a_reader_that_leaves_early_is_no_error(lab, words):
    lab.practise(ticket, 12)
    lab.service.refresh()
    lab.close()
    command = f"{sys.executable} {LOOK} {lab.folder} {words} | head -c 1; echo ${{PIPESTATUS[0]}}"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert (ran.stdout[-2:], ran.stderr) == ("0\n", "")


FULL = [
    "",
    "list",
    "list --json",
    "list --plain",
    "status",
    "review 1",
    "why 1",
    "audit",
    "runs",
    "stats",
    "doctor",
    "export 1",
]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device here that is always full")
@pytest.mark.parametrize(
    "words", [*FULL, "export --history", "import-kata /nowhere --json", "help", "--help", "nonsense --json"]
)
def test_an_answer_that_cannot_be_written_is_told_of_and_is_a_failure(lab, words):
    lab.proposed()
    lab.close()
    command = f"{sys.executable} {LOOK} {lab.folder} {words} > /dev/full"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert ran.returncode == exits.FAILED
    assert ran.stderr.splitlines() == ["the answer could not be written to its end: No space left on device"]


def test_where_nothing_at_all_can_be_written_the_code_says_it(lab):
    lab.close()
    command = f"{sys.executable} {LOOK} {lab.folder} list > /dev/full 2> /dev/full"
    assert subprocess.run(["bash", "-c", command], check=False).returncode == exits.FAILED


def test_colour_only_adds(lab, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    lab.ran(lab.approved(), told.RunOutcome.FAILED)
    number = lab.proposed(order)
    for words in (["list"], ["review", str(number)], ["why", "1"], ["runs"], ["blame", "1"]):
        bare = shell(lab, *words, "--color", "never", tty=True)[1]
        painted = shell(lab, *words, "--color", "always")[1]
        assert painted != bare
        assert ESCAPE.sub("", painted) == bare


def test_colour_is_left_out_off_a_terminal_with_no_color_and_in_plain(lab, monkeypatch):
    lab.proposed()
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b" in shell(lab, "list", tty=True)[1]
    assert "\x1b" not in shell(lab, "list")[1]
    assert "\x1b" not in shell(lab, "list", "--plain", "--color", "always", tty=True)[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in shell(lab, "list", tty=True)[1]


PLAIN = [
    "",
    "list --all",
    "review 1",
    "runs",
    "run show RUN",
    "status",
    "audit",
    "plan 1",
    "diff 1",
    "why 1",
    "stats",
]


@pytest.mark.parametrize("words", PLAIN)
def test_plain_is_one_line_an_item_and_never_cut(lab, words):
    number = lab.approved()
    run = lab.ran(number, told.RunOutcome.SUCCEEDED)
    lab.proposed(order)
    out = shell(lab, *words.replace("RUN", run).split(), "--plain")[1]
    assert "\x1b" not in out
    assert all("\t" in line or "only version" in line for line in out.splitlines())
    assert "…" not in out


def test_an_answer_without_a_line_is_no_line(lab):
    assert shell(lab, "--plain")[1] == ""
    assert shell(lab, "complete", "--", "review", "nothing")[1] == ""


@pytest.mark.parametrize("width", [40, 60, 80, 100, 160])
def test_a_list_fits_its_screen_and_cuts_no_name_or_effect(lab, width):
    lab.approved("settle_bug")
    lab.proposed(order)
    lines = listing.lines(lab.service.listing(), Page(width=width), lab.clock.now())
    text = " ".join(" ".join(lines).split())
    assert all(width_of(line) <= width for line in lines)
    assert all(
        word in text for word in ("settle_bug", "ship_order_parcel", "UNKNOWN", "find_order → ship_order")
    )


WHY = "since nobody has looked at what it does to the tickets of last year, and somebody should before that"


def told_at_length(lab):
    number = lab.approved("settle_bug")
    lab.service.decisions.disable(str(number), PERSON, note=WHY)
    lab.service.pause(PERSON, lab.clock.now() + timedelta(hours=1), WHY)


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_an_audit_fits_its_screen_and_cuts_nothing_but_digests(lab, width):
    told_at_length(lab)
    page = lab.service.audit(AuditQuery())
    lines = audit.lines(page, Page(width=width), lab.clock.now())
    assert all(width_of(line) <= width for line in lines)
    assert " ".join(" ".join(lines).split()).count(WHY) == 2
    assert "…" not in "".join(lines)


def test_an_audit_in_a_pipe_is_one_whole_line_an_event_with_local_times(lab):
    told_at_length(lab)
    out = shell(lab, "audit")[1]
    until = clock(lab.clock.now() + timedelta(hours=1))
    assert sum(WHY in line for line in out.splitlines()) == 2
    assert f"until {until}" in out
    assert "digest" in out
    assert "+00:00" not in out


@pytest.mark.parametrize("width", [40, 80])
def test_runs_fit_their_screen(lab, width):
    lab.ran(lab.approved(), told.RunOutcome.FAILED, code="precondition")
    lines = runs.rows(lab.service.runs(), Page(width=width), lab.clock.now())
    assert all(width_of(line) <= width for line in lines)
    assert "precondition" in "".join(lines)


def test_help_about_what_is_no_command_says_what_was_meant(lab):
    code, _, err = shell(lab, "help", "aprove")
    assert (code, "approve" in err) == (exits.USAGE, True)
    assert shell(lab, "help", "ls")[1] == shell(lab, "help", "list")[1]


def test_more_runs_are_told_of(lab):
    number = lab.approved()
    for _ in range(3):
        lab.ran(number, told.RunOutcome.SUCCEEDED)
    assert shell(lab, "runs", "--limit", "2")[1].splitlines()[-1] == "… more: --limit 4"
    assert "more" not in shell(lab, "runs")[1]


def pages(text, **environment):
    seen = []
    shown = paged(text, environment, lambda words, given, _: bool(seen.append((words, given))) or True)
    return shown, seen


def test_a_long_answer_goes_through_the_pager_that_is_named(monkeypatch):
    monkeypatch.setenv("LINES", "10")
    monkeypatch.setenv("COLUMNS", "80")
    long = "\n".join("x" * 30)
    assert pages(long, PAGER="less -S") == (True, [(["less", "-S"], long + "\n")])
    assert pages("short", PAGER="less") == (False, [])
    for off in ("", "cat", "'"):
        assert pages(long, PAGER=off) == (False, [])
    assert not paged(long, {"PAGER": "/nowhere/pager"})


def test_progress_is_a_bar_on_a_terminal_and_lines_elsewhere():
    bar, lines = Screen(tty=True), io.StringIO()
    for stream in (bar, lines):
        shown = Bar(stream, quiet=False)
        for done in range(101):
            shown.show("mining", done, 100)
    assert bar.getvalue().count("\n") == 1
    assert lines.getvalue().splitlines()[-1] == "mining 100 %"
    assert len(lines.getvalue().splitlines()) == 11
    Bar(lines, quiet=True).show("mining", 1, 2)
    assert len(lines.getvalue().splitlines()) == 11


def test_big_integers_come_as_marked_strings_and_nothing_is_nan(lab):
    number = lab.proposed(order)
    out = shell(lab, "plan", str(number), f"customer={2**70}", "--json")[1]
    assert json.loads(out)["data"]["values"] == {"customer": str(2**70)}
    assert "NaN" not in out
