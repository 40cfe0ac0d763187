"""Odd numbers, times, words and places are the asker's mistake, said as such, in every surface and form."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kata.errors import UsageError
from kata.surfaces.cli import Terminal, run_cli
from kata.surfaces.deciding import read_until
from kata.surfaces.exits import DONE, FAILED, NOT_FOUND, STORE, USAGE
from kata.surfaces.exporting import _written
from kata.surfaces.paths import path_of
from kata.surfaces.times import FIRST, LAST, parse_moment, parse_span
from tests.surfaces.test_cli import Screen, shell
from tests.surfaces.test_slash import type_in

HUGE = "9" * 23
ODD = [
    ("pause 999999w", USAGE),
    ("defer 1 --until 999999w", USAGE),
    ("defer 1 --until 9999-12-31T23:59:59-14:00", USAGE),
    ("defer 1 --until seen:²", USAGE),
    (f"defer 1 --until seen:{HUGE}", USAGE),
    ("audit --since 999999w", USAGE),
    ("audit --since 0001-01-01T00:00+14:00", USAGE),
    ("audit --limit -1", USAGE),
    ("audit --limit 0", USAGE),
    (f"audit --before {HUGE}", USAGE),
    (f"runs --limit {HUGE}", USAGE),
    ("run show \udcff", USAGE),
    ("review \udcff", USAGE),
]
IN_SHELLS = [
    ("replay --until ²", USAGE),
    (f"replay --until {HUGE}", USAGE),
    (f"replay --until {'9' * 5000}", USAGE),
    ("replay --until 999999", NOT_FOUND),
    ("import --since 999999w x", USAGE),
    (f"import {'x' * 5000}", NOT_FOUND),
    ("import ~nobody-of-that-name/x", NOT_FOUND),
    (f"import-kata {'x' * 5000} --dry-run", NOT_FOUND),
]


@pytest.mark.parametrize(("words", "code"), [*ODD, *IN_SHELLS])
def test_an_odd_word_is_a_mistake_in_a_shell(lab, words, code):
    lab.proposed()
    found, out, err = shell(lab, *words.split(), tty=True)
    assert (found, out, "inside Kata" in err) == (code, "", False)
    assert err


@pytest.mark.parametrize(("words", "code"), [*ODD, *IN_SHELLS])
def test_an_odd_word_is_an_envelope_for_machines(lab, words, code):
    lab.proposed()
    found, out, _ = shell(lab, *words.split(), "--json", tty=True)
    answer = json.loads(out)
    assert (found, answer["ok"], answer["error"]["code"] in ("usage", "not_found")) == (code, False, True)


@pytest.mark.parametrize("words", [words for words, _ in ODD])
def test_an_odd_word_is_a_mistake_in_a_chat(lab, words):
    lab.proposed()
    assert "inside Kata" not in type_in(lab, words)
    assert lab.state(1) == "candidate"


@pytest.mark.parametrize("words", ["list --json", "status --json"])
def test_what_nobody_foresaw_is_an_envelope_as_well(words):
    def fails():
        raise RuntimeError("of no kind")

    terminal = Terminal(input=Screen(), output=Screen(), error=Screen())
    assert run_cli(words.split(), fails, terminal=terminal, mark=lambda: None) == FAILED
    error = json.loads(terminal.output.getvalue())["error"]
    assert (error["code"], "of no kind" in error["message"]) == ("unexpected", True)


def test_a_data_folder_that_cannot_be_one_is_a_matter_of_the_store(tmp_path):
    (tmp_path / "file").write_text("")

    def fails():
        (tmp_path / "file" / "kata").mkdir()

    terminal = Terminal(input=Screen(), output=Screen(), error=Screen())
    assert run_cli(["list", "--json"], fails, terminal=terminal, mark=lambda: None) == STORE
    assert json.loads(terminal.output.getvalue())["error"]["code"] == "store_unavailable"
    assert run_cli(["doctor"], fails, terminal=terminal, mark=lambda: None) == FAILED


def test_the_farthest_moments_and_spans_are_read():
    now = FIRST.replace(year=2026)
    assert parse_moment("1900-01-01", now) == FIRST
    assert parse_span("36525d").days == 36525
    with pytest.raises(UsageError):
        parse_moment(LAST.isoformat(), now)
    assert read_until("seen:999999", now).seen == 999999


def test_replay_up_to_the_last_event_is_there(lab):
    lab.proposed()
    last = lab.store.log.head().position
    assert shell(lab, "replay", "--until", str(last))[0] == DONE
    assert shell(lab, "replay", "--until", str(last + 1))[0] == NOT_FOUND


def test_a_home_that_is_not_there_is_taken_as_it_stands():
    assert path_of("~nobody-of-that-name/x") == Path("~nobody-of-that-name/x")
    assert path_of("~/x") == Path.home() / "x"


def test_an_export_that_fails_leaves_no_file(lab, tmp_path):
    def lines():
        yield "one"
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = tmp_path / "out.json"
    with pytest.raises(Exception, match=os.strerror(errno.ENOSPC)):
        _written(str(path), lines())
    assert not path.exists()
    number = lab.proposed()
    assert shell(lab, "export", str(number), "-o", str(path))[0] == DONE


def test_what_is_no_regular_file_is_not_waited_for(lab, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    code, _, err = shell(lab, "import-kata", str(tmp_path / "pipe"), "--dry-run")
    assert (code, "no regular file" in err) == (USAGE, True)


def test_streams_that_were_closed_before_are_no_mistake():
    script = (
        "import sys; sys.stdin = sys.stdout = sys.stderr = None\n"
        "from kata.surfaces.cli import run_cli\n"
        "def fails(): raise RuntimeError\n"
        "raise SystemExit(run_cli(['list', '--json'], fails, mark=lambda: None) + 40)"
    )
    done = subprocess.run([sys.executable, "-c", script], check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == 40 + FAILED
