"""Whatever statement fails, nothing is left half done and nothing stays locked (case B044)."""

import sqlite3

import pytest

from kata.errors import StoreError
from kata.store import Patience, Spool, SqliteLog, drain, verify
from tests.store.support import Maker


class Faulty(sqlite3.Connection):
    """Fails at the n-th statement, before or after it is carried out; counts them."""

    count = 0
    fail_at = 0
    after = False

    def execute(self, *args):
        return self._attempt(super().execute, *args)

    def executemany(self, *args):
        return self._attempt(super().executemany, *args)

    def _attempt(self, run, *args):
        Faulty.count += 1
        if Faulty.count != Faulty.fail_at:
            return run(*args)
        if Faulty.after:
            run(*args)
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR
        raise error


@pytest.fixture
def arm(monkeypatch):
    def set_up(at, *, after=False):
        monkeypatch.setattr(Faulty, "count", 0)
        monkeypatch.setattr(Faulty, "fail_at", at)
        monkeypatch.setattr(Faulty, "after", after)

    set_up(0)
    return set_up


def open_log(path, make):
    def opened():
        return sqlite3.connect(path, factory=Faulty, isolation_level=None, check_same_thread=False)

    return SqliteLog(opened, make.clock, patience=Patience(seconds=1.0))


def append(log, spool, make, events):
    log.append("session/1", 0, events)


def spool_and_drain(log, spool, make, events):
    for event in events:
        spool.write(event)
    drain(log, spool.folder, make.clock)


def append_and_erase(log, spool, make, events):
    with log.transaction() as transaction:
        transaction.append("session/1", 0, events)
        transaction.erase(make.forgotten((1, 1)))


PATHS = [append, spool_and_drain, append_and_erase]


def statements_of(work, arm, tmp_path):
    make = Maker()
    log, spool = open_log(tmp_path / "count.db", make), Spool(tmp_path / "count", make.clock, make.ids)
    arm(0)
    work(log, spool, make, [make.noted("session/1", str(number)) for number in range(3)])
    log.close()
    spool.close()
    return Faulty.count


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("work", PATHS)
def test_a_fault_at_any_statement_leaves_all_or_nothing_and_the_next_try_succeeds(work, after, arm, tmp_path):
    total = statements_of(work, arm, tmp_path)
    assert total > 8
    for at in range(1, total + 1):
        make = Maker()
        path = tmp_path / f"{at}.db"
        log, spool = open_log(path, make), Spool(tmp_path / f"{at}", make.clock, make.ids)
        events = [make.noted("session/1", str(number)) for number in range(3)]
        arm(at, after=after)
        try:
            work(log, spool, make, events)
        except StoreError:
            pass
        else:
            assert verify(log).count >= 3
        arm(0)
        stored = verify(log).count
        assert stored in (0, len(events), len(events) + 1)
        other = open_log(path, make)
        other.append("kata/b", 0, [make.decided("kata/b")])
        if stored == 0:
            drain(log, spool.folder, make.clock)
        assert log.append("session/1", 0, events)
        assert [event.event_id for event in log.read_stream("session/1")] == [
            event.event_id for event in events
        ]
        assert verify(log).count == log.head().position
        for one in (log, other, spool):
            one.close()
