"""Another process reads what this one would have read; what it cannot read is left to this one."""

import os
import signal
import sys
import threading
from datetime import UTC, datetime

import pytest

from kata.importer import Reading, Wish, intake
from kata.importer import apart as own
from kata.importer.apart import ReaderGoneError, batch_of, order_of, plain, read_apart
from kata.redact import Keeper
from kata.store import open_store
from tests.importer import hand

TOKEN = "ghp_" + "A1b2" * 9


@pytest.fixture
def store(tmp_path):
    opened = open_store(tmp_path / "kata")
    yield opened
    opened.close()


@pytest.fixture
def history(tmp_path):
    steps = [("read_file", {"path": f"{n}.py"}, {"text": f"line {n} {TOKEN}"}) for n in range(5)]
    return [hand.write(tmp_path / "h.jsonl", *(one for n in range(40) for one in hand.plain(f"s{n}", steps)))]


def told(batches):
    """Return all that batches say; payloads stand in the records as well."""
    batches = list(batches)
    records = [record for batch in batches for record in batch.records]
    return records, [(batch.seen, batch.done, batch.whole) for batch in batches]


def threads():
    return [thread for thread in threading.enumerate() if thread.name == "kata-import"]


def test_it_reads_what_this_process_would_read(store, history, tmp_path):
    wish = Wish(since=datetime(2020, 1, 1, tzinfo=UTC))
    here = told(Reading(Keeper(store.key.secret), store.log, wish).batches(history))
    apart = told(read_apart(tmp_path / "kata", history, wish))
    assert here == apart
    assert len(here[0]) == 40 * 7
    assert TOKEN not in str(here[0])


def test_an_error_is_left_to_this_process(store, tmp_path):
    store.key  # noqa: B018 - makes it
    with pytest.raises(ReaderGoneError):
        list(read_apart(tmp_path / "kata", [tmp_path / "nothing.jsonl"], Wish()))
    assert not threads()


def test_a_python_that_cannot_be_started_is_an_early_end(history, tmp_path, monkeypatch):
    monkeypatch.setattr(own, "command", lambda *words: [str(tmp_path / "no-python"), *words])
    with pytest.raises(ReaderGoneError):
        list(read_apart(tmp_path, history, Wish()))


def test_a_reader_that_dies_before_it_has_heard_all_is_an_early_end(tmp_path, monkeypatch):
    monkeypatch.setattr(own, "command", lambda *words: [sys.executable, "-c", "pass"])
    many_files = [tmp_path / f"{'f' * 100}-{number}" for number in range(30_000)]
    with pytest.raises(ReaderGoneError):
        list(read_apart(tmp_path, many_files, Wish()))
    assert not threads()


def test_a_reader_that_dies_is_an_early_end(store, tmp_path, monkeypatch):
    store.key  # noqa: B018 - makes it
    started = []
    popen = own.subprocess.Popen

    def noted(*words, **options):
        started.append(popen(*words, **options))
        return started[-1]

    monkeypatch.setattr(own.subprocess, "Popen", noted)
    batches = read_apart(tmp_path / "kata", many(tmp_path), Wish())
    assert next(batches).seen.calls
    os.kill(started[0].pid, signal.SIGKILL)
    with pytest.raises(ReaderGoneError, match="early"):
        list(batches)
    assert not threads()


def test_nobody_waits_for_a_reader_that_is_not_asked_any_more(store, tmp_path):
    store.key  # noqa: B018 - makes it
    batches = read_apart(tmp_path / "kata", many(tmp_path), Wish())
    next(batches)
    batches.close()
    assert not threads()


def many(folder):
    """Write a history of many batches; return its only file."""
    steps = [("read_file", {"path": f"{n}.py"}, {"text": f"line {n}"}) for n in range(5)]
    lines = (one for n in range(5 * intake.EVENTS // 7) for one in hand.plain(f"s{n}", steps))
    return [hand.write(folder / "many.jsonl", *lines)]


def test_a_batch_and_an_order_are_the_same_after_they_were_plain(store, history):
    wish = Wish(since=datetime(2026, 1, 1, tzinfo=UTC), session="s1", dry=True)
    assert order_of(own._order(history, wish)) == (history, wish)
    for batch in Reading(Keeper(store.key.secret), store.log, Wish()).batches(history):
        again = batch_of(plain(batch))
        assert (again.records, again.seen, again.done) == (batch.records, batch.seen, batch.done)
