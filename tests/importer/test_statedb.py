"""Hermes' own database: read only, and clear when it cannot be read."""

import hashlib
import sqlite3

import pytest

from kata.importer import ImportedCall, SchemaError, SourceBusyError, SourceDamagedError, StateDb, statedb
from tests.importer import hand


def read(path):
    database = StateDb(path)
    try:
        return [one for session in database.sessions() for one in session if isinstance(one, ImportedCall)]
    finally:
        database.close()


def test_the_calls_of_every_session_are_read_and_nothing_is_written(tmp_path):
    path = hand.state_db(tmp_path / "state.db", {"h1": hand.rows(), "h2": hand.rows()})
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    assert [(one.session, one.tool) for one in read(path)] == [
        (name, tool) for name in ("h1", "h2") for tool, _, _ in hand.TICKETS
    ]
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    assert [one.name for one in tmp_path.iterdir()] == ["state.db"]


def test_a_session_longer_than_a_page_is_read_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(statedb, "PAGE", 2)
    assert len(read(hand.state_db(tmp_path / "state.db", {"h1": hand.rows()}))) == len(hand.TICKETS)


def test_while_it_is_read_others_can_write(tmp_path):
    path = hand.state_db(tmp_path / "state.db", {"h1": hand.rows(), "h2": hand.rows()})
    database = StateDb(path)
    sessions = database.sessions()
    next(next(sessions))
    with sqlite3.connect(path, timeout=0) as writer:
        writer.execute("UPDATE sessions SET end_reason = 'later'")
    database.close()


def test_a_database_in_use_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(statedb, "PATIENCE_S", 0.0)
    path = hand.state_db(tmp_path / "state.db", {"h1": hand.rows()})
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(SourceBusyError):
        read(path)
    holder.close()


def test_an_older_schema_without_the_optional_columns_is_read(tmp_path):
    path = tmp_path / "state.db"
    connection = sqlite3.connect(path)
    connection.executescript(
        "CREATE TABLE sessions (id TEXT, source TEXT);"
        "CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, tool_call_id TEXT,"
        " tool_calls TEXT, timestamp REAL);"
    )
    connection.close()
    assert read(path) == []


def test_a_newer_schema_is_read_while_its_columns_are_there(tmp_path):
    path = hand.state_db(tmp_path / "state.db", {"h1": hand.rows()}, version=99)
    assert len(read(path)) == len(hand.TICKETS)


def test_a_newer_schema_without_a_column_is_named(tmp_path):
    path = hand.state_db(tmp_path / "state.db", {"h1": hand.rows()}, version=99)
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE messages RENAME COLUMN tool_calls TO calls")
    connection.close()
    with pytest.raises(SchemaError) as caught:
        read(path)
    assert (caught.value.version, caught.value.missing) == (99, "messages.tool_calls")
    assert "Update Kata" in caught.value.hint


def test_another_database_is_none_of_hermes(tmp_path):
    sqlite3.connect(tmp_path / "other.db").execute("CREATE TABLE t (a)").connection.close()
    with pytest.raises(SchemaError):
        read(tmp_path / "other.db")


def test_a_cut_database_is_damaged(tmp_path):
    path = hand.state_db(tmp_path / "state.db", {f"h{number}": hand.rows() for number in range(50)})
    path.write_bytes(path.read_bytes()[:9000])
    with pytest.raises(SourceDamagedError):
        read(path)
