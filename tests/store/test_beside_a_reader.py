"""A reader that never lets go, of whatever program, costs no event and no room that stays (case B045)."""

import sqlite3
from contextlib import closing

import pytest

from kata.projections import ViewStore
from kata.store import Patience, SqliteLog, StoreBusyError, connect, open_store
from tests.store.crew import Crew
from tests.store.support import connect_wal

PROCESSES, EACH = 6, 200
FEW_MB = 4 * 1024 * 1024
MAKE = {"delete": connect, "wal": connect_wal}


@pytest.fixture
def crew(tmp_path):
    crew = Crew(tmp_path)
    yield crew
    crew.dismiss()


@pytest.fixture(params=MAKE)
def mode(request, crew, make):
    """Make the log in one journal mode; every process keeps to it."""
    log = SqliteLog(lambda: MAKE[request.param](crew.folder / "data.db"), make.clock)
    log.append("kata/a", 0, [make.decided("kata/a")])
    log.close()
    return request.param


def hold_open(path):
    """Begin to read as another program may, and stop in the midst of it."""
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM events").fetchone()
    return reader


def size(path):
    return path.stat().st_size if path.exists() else 0


def test_six_processes_lose_nothing_while_a_reader_stays(crew, mode):
    with closing(hold_open(crew.folder / "data.db")):
        workers = [crew.start("note", str(number), EACH) for number in range(PROCESSES)]
        for worker in workers:
            worker.wait_until_done(120)
            assert worker.said() == list(range(1, EACH + 1)), "no call of the host's waits for the log"
        grown = size(crew.folder / "data.db-wal")
    assert crew.dismiss() == ""

    store = open_store(crew.folder)
    while store.drain(seconds=60).left:
        pass
    for worker in workers:
        notes = [event.payload.reason for event in store.log.read_stream(f"session/{worker.name}")]
        assert [int(note.partition(":")[0]) for note in notes] == worker.said()
    assert store.verify().count == 1 + PROCESSES * EACH
    assert list(store.log.read(types=["observations.lost"])) == []
    store.close()
    assert (grown > FEW_MB) == (mode == "wal")


@pytest.mark.parametrize("writer", ["log", "views"])
def test_the_write_ahead_log_is_small_again_once_the_reader_has_left(tmp_path, make, writer):
    path = tmp_path / "data.db"
    log = SqliteLog(lambda: connect_wal(path), make.clock)
    log.append("kata/a", 0, [make.decided("kata/a")])
    views = ViewStore(connect_wal(path))
    with closing(hold_open(path)):
        for version in range(1, 5):
            log.append("kata/a", version, [make.decided("kata/a", "x" * 2_000_000)])
        assert size(tmp_path / "data.db-wal") > FEW_MB
    for version in range(5, 8):
        if writer == "log":
            log.append("kata/a", version, [make.decided("kata/a")])
        else:
            with views.transaction() as connection:
                connection.execute(f"CREATE TABLE view_{version} (x)")
    assert size(tmp_path / "data.db-wal") <= FEW_MB
    views.close()
    log.close()


def test_a_decision_behind_a_reader_waits_with_varied_naps_and_is_whole_or_none(crew, mode, make):
    naps, moment = [], [0.0]

    def sleep(seconds):
        naps.append(seconds)
        moment[0] += seconds

    patience = Patience(seconds=1.0, now=lambda: moment[0], sleep=sleep)
    store = open_store(crew.folder, patience=patience)
    with closing(hold_open(crew.folder / "data.db")):
        if mode == "wal":
            store.log.append("kata/a", 1, [make.decided("kata/a", "anew")])
        else:
            with pytest.raises(StoreBusyError):
                store.log.append("kata/a", 1, [make.decided("kata/a", "anew")])
            assert len(set(naps)) > len(naps) / 2
    assert store.log.head().position == (2 if mode == "wal" else 1)
    store.close()
