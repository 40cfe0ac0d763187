"""What only the file on disk can promise."""

import os
import sqlite3
import threading
from contextlib import closing

import attrs
import pytest

from kata.errors import NewerKataError, StoreError
from kata.store import (
    ChainBrokenError,
    Patience,
    SqliteLog,
    StoreBusyError,
    StoreDamagedError,
    StoreFullError,
    StoreReadOnlyError,
    connect,
    verify,
)
from kata.store.pool import Pool
from kata.store.schema import SCHEMA
from tests.store.support import connect_wal

INSERT_FAR = (
    "INSERT INTO events SELECT 9, stream, 9, 'id', type, schema, occurred_at, recorded_at, actor_kind, actor_id,"
    " actor_surface, correlation_id, causation_id, payload_hash, hash FROM events WHERE position = 1"
)
QUICK = Patience(seconds=0.05)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "data.db"


@pytest.fixture
def open_log(path, make):
    logs = []

    def open_one(**options):
        logs.append(SqliteLog(lambda: connect(path), make.clock, **options))
        return logs[-1]

    yield open_one
    for log in logs:
        log.close()


def test_a_database_that_another_one_is_making_just_now_is_opened_a_moment_later(path, make):
    tried = []

    def opens():
        tried.append(1)
        if len(tried) < 3:
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise error
        return connect(path)

    with closing(SqliteLog(opens, make.clock)) as log:
        assert log.head().position == 0
    assert len(tried) == 3


def raw(path):
    return closing(sqlite3.connect(path, isolation_level=None, timeout=0))


def test_making_a_log_touches_no_file(open_log, path):
    open_log()
    assert not path.exists()


def test_a_reader_makes_no_tables(open_log, path):
    assert open_log().head().position == 0
    with raw(path) as connection:
        assert connection.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,)


def test_a_log_is_there_when_it_is_opened_again(open_log, make):
    first = open_log()
    first.append("kata/a", 0, [make.decided("kata/a")])
    first.close()
    again = open_log()
    assert again.head() == first.head()
    assert again.append("kata/a", 1, [make.decided("kata/a")])[0].position == 2


def test_the_file_is_private(open_log, make, path):
    os.umask(os.umask(0o022))
    open_log().append("kata/a", 0, [make.decided("kata/a")])
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE payloads SET body = x'7b7d'",
        "UPDATE payloads SET position = 9 WHERE position = 3",
        "DELETE FROM payloads",
        "INSERT OR REPLACE INTO payloads VALUES (2, x'7b7d')",
        "INSERT INTO payloads VALUES (2, x'7b7d')",
        "UPDATE events SET actor_id = 'mallory'",
        "UPDATE events SET hash = hash || 'x'",
        "DELETE FROM events",
        "DELETE FROM events WHERE position = 3",
        "INSERT OR REPLACE INTO events SELECT * FROM events WHERE position = 1",
        INSERT_FAR,
    ],
)
def test_triggers_refuse_to_change_what_happened(open_log, make, path, statement):
    log = open_log()
    log.append("kata/a", 0, [make.decided("kata/a") for _ in range(3)])
    with raw(path) as connection, pytest.raises(sqlite3.IntegrityError, match=r"(events|payloads) are"):
        connection.execute(statement)
    assert verify(log).count == 3


def test_an_erasure_needs_an_event_that_tells_of_it_at_the_end(open_log, make, path):
    log = open_log()
    log.append("kata/a", 0, [make.decided("kata/a") for _ in range(3)])
    with raw(path) as connection:
        connection.execute("INSERT INTO erasing VALUES (3)")
        with pytest.raises(sqlite3.IntegrityError, match="only erased by an event"):
            connection.execute("DELETE FROM payloads WHERE position = 1")


def test_an_erasure_reaches_neither_itself_nor_an_earlier_one(open_log, make, path):
    log = open_log()
    for number in range(2):
        with log.transaction() as transaction:
            transaction.append("kata/a", number, [make.decided("kata/a")])
            transaction.erase(make.forgotten((2 * number + 1, 2 * number + 1)))
    with raw(path) as connection:
        connection.execute("INSERT INTO erasing VALUES (4)")
        for position in (2, 4):
            with pytest.raises(sqlite3.IntegrityError):
                connection.execute(f"DELETE FROM payloads WHERE position = {position}")


def test_a_newer_database_is_read_and_never_written(open_log, make, path):
    log = open_log()
    log.append("kata/a", 0, [make.decided("kata/a")])
    log.close()
    with raw(path) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA + 1}")
        before = path.read_bytes()
    newer = open_log()
    assert [event.position for event in newer.read()] == [1]
    with pytest.raises(NewerKataError, match="only read"):
        newer.append("kata/a", 1, [make.decided("kata/a")])
    newer.close()
    assert path.read_bytes() == before


def test_a_database_locked_by_another_process_is_busy_and_free_again(open_log, make, path):
    log = open_log(patience=QUICK)
    log.append("kata/a", 0, [make.decided("kata/a")])
    with raw(path) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusyError):
            log.append("kata/a", 1, [make.decided("kata/a")])
        assert log.head().position == 1
    assert log.append("kata/a", 1, [make.decided("kata/a")])


def test_a_wait_for_the_lock_is_broken_off_after_its_time_with_varied_naps(path, make):
    naps, moment = [], [0.0]

    def sleep(seconds):
        naps.append(seconds)
        moment[0] += seconds

    patience = Patience(seconds=1.0, now=lambda: moment[0], sleep=sleep)
    log = SqliteLog(lambda: connect(path), make.clock, patience=patience, read_wait=0)
    with raw(path) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusyError, match="locked for 1 s"):
            log.append("kata/a", 0, [make.decided("kata/a")])
    log.close()
    assert 1.0 <= sum(naps) < 1.1
    assert len(set(naps)) > len(naps) / 2


def test_a_commit_behind_a_reader_that_does_not_end_is_busy_and_rolled_back(open_log, make, path):
    log = open_log(patience=QUICK)
    log.append("kata/a", 0, [make.decided("kata/a")])
    with raw(path) as reader:
        cursor = reader.execute("SELECT * FROM events")
        cursor.fetchone()
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM events").fetchone()
        with pytest.raises(StoreBusyError):
            log.append("kata/a", 1, [make.decided("kata/a")])
    assert log.head().position == 1
    assert log.append("kata/a", 1, [make.decided("kata/a")])[0].position == 2


def test_a_full_disk_fails_the_decision_as_a_whole_and_writing_resumes_by_itself(make, path):
    limit = [12]

    def opened():
        connection = connect(path)
        connection.execute(f"PRAGMA max_page_count = {limit[0]}").fetchall()
        return connection

    log = SqliteLog(opened, make.clock)
    stored = 0
    with pytest.raises(StoreFullError):
        while True:
            log.append("kata/a", stored, [make.decided("kata/a", "x" * 1000)])
            stored += 1
    assert log.head().position == stored > 0
    assert verify(log).count == stored
    for _ in range(5):
        with pytest.raises(StoreFullError):
            log.append("kata/a", stored, [make.decided("kata/a", "x" * 5000)])
    limit[0] = 1000
    assert log.append("kata/a", stored, [make.decided("kata/a", "x" * 5000)])
    assert verify(log).count == stored + 1
    log.close()


def test_a_read_only_database_says_so(make, path, open_log):
    log = open_log()
    log.append("kata/a", 0, [make.decided("kata/a")])
    log.close()
    reader = SqliteLog(
        lambda: sqlite3.connect(f"file:{path}?mode=ro", uri=True, check_same_thread=False), make.clock
    )
    assert reader.head().position == 1
    with pytest.raises(StoreReadOnlyError):
        reader.append("kata/a", 1, [make.decided("kata/a")])
    reader.close()


@pytest.mark.parametrize("content", [b"garbage" * 1000, b"SQLite format 3\0" + b"\xff" * 8000])
def test_a_file_that_is_no_database_is_damaged_and_stays_as_it_is(open_log, path, content):
    path.write_bytes(content)
    log = open_log()
    with pytest.raises(StoreDamagedError):
        log.head()
    with pytest.raises(StoreDamagedError), log.transaction():
        pass
    assert not log.is_readable()
    log.close()
    assert path.read_bytes() == content


def test_garbage_pages_in_the_middle_are_found(open_log, make, path):
    log = open_log()
    with log.transaction() as transaction:
        transaction.add([make.called() for _ in range(200)])
    log.close()
    data = bytearray(path.read_bytes())
    data[40_000:60_000] = os.urandom(20_000)
    path.write_bytes(data)
    log = open_log()
    assert not log.is_readable()
    with pytest.raises((StoreDamagedError, ChainBrokenError)):
        verify(log)
    with pytest.raises(StoreDamagedError):
        list(log.read())


def test_a_place_where_no_file_can_be_made_is_a_store_error(tmp_path, make):
    (tmp_path / "file").write_text("no folder")
    log = SqliteLog(lambda: connect(tmp_path / "file" / "data.db"), make.clock)
    with pytest.raises(StoreError):
        log.head()


def test_whatever_the_host_raises_when_it_opens_is_a_store_error(make):
    def refuse():
        raise RuntimeError("not now")

    with pytest.raises(StoreError, match="not now"):
        SqliteLog(refuse, make.clock).head()


def test_a_file_that_was_replaced_is_opened_anew(open_log, make, path):
    log = open_log()
    log.append("kata/a", 0, [make.decided("kata/a")])
    path.rename(path.with_suffix(".old"))
    assert log.head().position == 0
    log.append("kata/a", 0, [make.decided("kata/a")])
    assert path.exists()
    assert log.head().position == 1


def test_many_threads_read_and_write_through_one_log(open_log, make):
    log = open_log()
    errors = []

    def work(number):
        try:
            for index in range(5):
                log.append(f"run/{number}", index, [make.decided(f"run/{number}")])
                assert len(list(log.read_stream(f"run/{number}"))) == index + 1
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(daemon=True, target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert verify(log).count == 40


def test_connections_are_kept_and_given_back(path, make):
    opened = []

    def counting():
        opened.append(connect(path))
        return opened[-1]

    log = SqliteLog(counting, make.clock)
    for number in range(10):
        log.append("kata/a", number, [make.decided("kata/a")])
        list(log.read())
    assert len(opened) == 1
    log.close()
    with pytest.raises(sqlite3.ProgrammingError):
        opened[0].execute("SELECT 1")


def test_a_connection_that_failed_is_not_lent_again(path):
    pool = Pool(lambda: connect(path))
    with pytest.raises(sqlite3.Error), pool.lend() as lent:
        lent.connection.execute("SELECT * FROM nowhere")
    with pytest.raises(sqlite3.ProgrammingError):
        lent.connection.execute("SELECT 1")
    pool.close()


def test_a_connection_with_an_open_transaction_is_not_kept(path):
    pool = Pool(lambda: connect(path))
    with pool.lend() as lent:
        lent.connection.execute("BEGIN")
    with pytest.raises(sqlite3.ProgrammingError):
        lent.connection.execute("SELECT 1")
    pool.close()


def test_a_forked_child_opens_its_own_connection_and_leaves_the_parents(open_log, make, path):
    log = open_log()
    log.append("kata/a", 0, [make.decided("kata/a")])
    child = os.fork()
    if child == 0:
        try:
            log.append("kata/a", 1, [make.decided("kata/a", "child")])
            os._exit(0)
        except BaseException:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    assert log.append("kata/a", 2, [make.event("kata/a", make.decided("kata/a").payload, event_id="parent")])
    assert verify(log).count == 3


def test_the_journal_mode_of_a_database_is_never_changed(make, path):
    with closing(connect_wal(path)) as connection:
        connection.execute("CREATE TABLE other (x)")
    log = SqliteLog(lambda: connect(path), make.clock)
    log.append("kata/a", 0, [make.decided("kata/a")])
    log.close()
    with raw(path) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_every_connection_overwrites_what_it_deletes_and_syncs_what_it_commits(path):
    pool = Pool(lambda: connect(path))
    with pool.lend() as lent:
        pragmas = [
            lent.connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("secure_delete", "synchronous")
        ]
    assert pragmas == [1, 2]
    pool.close()


def test_a_host_connection_with_implicit_transactions_will_do(make, path):
    log = SqliteLog(lambda: sqlite3.connect(path, check_same_thread=False), make.clock)
    log.append("kata/a", 0, [make.decided("kata/a")])
    log.append("kata/a", 1, [make.decided("kata/a")])
    assert verify(log).count == 2
    log.close()


def test_patience_is_a_value():
    assert attrs.evolve(QUICK, seconds=1).seconds == 1


@pytest.mark.parametrize("answer", ["delete", "locking protocol"])
def test_where_no_write_ahead_log_is_to_be_had_the_rollback_journal_serves_and_is_told_of(
    path, make, monkeypatch, caplog, answer
):
    """Case B047: a file system of the network."""

    class OnTheNetwork(sqlite3.Connection):
        def execute(self, sql, *values):
            if sql != "PRAGMA journal_mode=WAL":
                return super().execute(sql, *values)
            if answer == "delete":
                return super().execute("SELECT 'delete'")
            error = sqlite3.OperationalError(answer)
            error.sqlite_errorcode = sqlite3.SQLITE_PROTOCOL
            raise error

    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **kw: real(*args, **kw, factory=OnTheNetwork))
    monkeypatch.setitem(connect.__globals__, "wal_is_safe", lambda: True)
    with closing(SqliteLog(lambda: connect(path), make.clock)) as log:
        log.append("kata/a", 0, [make.decided("kata/a")])
        log.append("kata/a", 1, [make.decided("kata/a")])
        assert verify(log).count == 2
    (told,) = [record.getMessage() for record in caplog.records]
    assert answer in told
    assert "network" in told
    assert not path.with_name("data.db-wal").exists()
