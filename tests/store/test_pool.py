"""A lent connection reads what is there, whatever it knew of the file before."""

import sqlite3

import pytest

from kata.store.pool import Lent
from kata.store.schema import STATEMENTS

READ = "SELECT position FROM events"


def opened(path):
    return sqlite3.connect(path, timeout=0, isolation_level=None)


@pytest.fixture
def lent(tmp_path):
    """A connection that saw the file empty, and then heard that there are tables."""
    path = tmp_path / "data.db"
    early = opened(path)
    assert early.execute("SELECT name FROM sqlite_master").fetchall() == []
    yield Lent(early, str(path), None, is_made=True)
    early.close()


@pytest.fixture
def writer(lent):
    late = opened(lent.path)
    yield late
    late.close()


def test_a_reader_from_before_the_tables_is_told_of_a_lock_and_then_reads(lent, writer):
    for statement in STATEMENTS:
        writer.execute(statement)
    writer.execute("BEGIN EXCLUSIVE")
    with pytest.raises(sqlite3.OperationalError) as told:
        lent.query(READ, ())
    assert told.value.sqlite_errorcode == sqlite3.SQLITE_BUSY
    writer.execute("COMMIT")
    assert lent.query(READ, ()) == []


def test_a_table_that_is_truly_gone_is_missed(lent, writer):
    writer.execute("CREATE TABLE another (x)")
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        lent.query(READ, ())
