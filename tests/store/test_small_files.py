"""The small files beside the log, and how databases are opened."""

import os
import sqlite3
import threading
from contextlib import closing

import pytest

from kata.errors import StoreError
from kata.store import FileAnchor, Head, Noted, connect, load_key
from kata.store.connect import wal_is_safe
from kata.store.files import replace_file, write_new
from kata.store.generation import generation, touch_generation
from kata.store.locks import held


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced_as_a_whole_and_private(tmp_path):
    path = tmp_path / "small"
    replace_file(path, b"one")
    replace_file(path, b"two")
    assert path.read_bytes() == b"two"
    assert path.stat().st_mode & 0o777 == 0o600
    assert names(tmp_path) == ["small"]


def test_a_replacement_that_fails_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "small"
    replace_file(path, b"one")

    def fail(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(path), "replace", fail)
    with pytest.raises(OSError, match="No space"):
        replace_file(path, b"two")
    assert path.read_bytes() == b"one"
    assert names(tmp_path) == ["small"]


def test_a_new_file_is_never_written_over_an_old_one(tmp_path):
    write_new(tmp_path / "small", b"one")
    with pytest.raises(FileExistsError):
        write_new(tmp_path / "small", b"two")


def test_the_anchor_comes_back_as_it_was_noted(tmp_path):
    anchor = FileAnchor(tmp_path / "anchor.json")
    assert anchor.read() is None
    for noted in (Noted(Head(7, "v1:abc")), Noted(Head(8, "v1:abd"), unproven=7)):
        anchor.write(noted)
        assert anchor.read() == noted


def test_an_anchor_of_an_older_kata_leaves_nothing_in_doubt(tmp_path):
    path = tmp_path / "anchor.json"
    path.write_text('{"count":7,"hash":"v1:abc"}', encoding="ascii")
    assert FileAnchor(path).read() == Noted(Head(7, "v1:abc"))


def test_an_anchor_that_cannot_be_written_harms_nothing(tmp_path):
    FileAnchor(tmp_path / "nowhere" / "anchor.json").write(Noted(Head(1, "v1:a")))


def test_the_generation_changes_with_every_decision_and_only_then(tmp_path):
    seen = [generation(tmp_path)]
    for _ in range(5):
        touch_generation(tmp_path)
        seen.append(generation(tmp_path))
        assert generation(tmp_path) == seen[-1]
    assert seen[0] == (0, 0)
    assert len(set(seen)) == 6


def test_the_key_is_made_once_and_is_private(tmp_path):
    first = load_key(tmp_path / "kata")
    again = load_key(tmp_path / "kata")
    assert first.is_new
    assert not again.is_new
    assert again.secret == first.secret
    assert len(first.secret) == 32
    assert (tmp_path / "kata" / "fingerprint.key").stat().st_mode & 0o777 == 0o600
    assert names(tmp_path / "kata") == ["fingerprint.key"]


def test_the_key_is_shown_nowhere(tmp_path):
    key = load_key(tmp_path)
    assert key.secret.hex() not in repr(key)
    assert str(key.secret) not in repr(key)


def test_a_key_that_others_can_read_is_made_private(tmp_path):
    load_key(tmp_path)
    (tmp_path / "fingerprint.key").chmod(0o644)
    load_key(tmp_path)
    assert (tmp_path / "fingerprint.key").stat().st_mode & 0o777 == 0o600


def test_a_damaged_key_is_set_aside_and_the_new_one_says_that_it_is_new(tmp_path):
    (tmp_path / "fingerprint.key").write_bytes(b"short")
    key = load_key(tmp_path)
    assert key.is_new
    assert (tmp_path / "fingerprint.key.damaged").read_bytes() == b"short"
    assert load_key(tmp_path).secret == key.secret


def test_of_many_who_make_the_key_at_once_one_wins_and_all_have_it(tmp_path):
    keys, ready = [], threading.Barrier(8)

    def make():
        ready.wait()
        keys.append(load_key(tmp_path))

    threads = [threading.Thread(daemon=True, target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({key.secret for key in keys}) == 1
    assert sum(key.is_new for key in keys) == 1


def test_a_file_system_without_links_will_do(tmp_path, monkeypatch):
    def refuse(*args):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "link", refuse)
    key = load_key(tmp_path)
    assert load_key(tmp_path).secret == key.secret
    assert names(tmp_path) == ["fingerprint.key"]


def test_a_key_that_can_neither_be_read_nor_made_is_a_store_error(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(StoreError, match="fingerprint key"):
        load_key(tmp_path / "file")


def test_a_lock_file_is_held_by_one_at_a_time(tmp_path):
    with held(tmp_path / "lock") as first, held(tmp_path / "lock") as second:
        assert (first, second) == (True, False)
    with held(tmp_path / "lock") as again:
        assert again


@pytest.mark.parametrize(
    ("version", "safe"),
    [
        ((3, 40, 1), False),
        ((3, 44, 5), False),
        ((3, 44, 6), True),
        ((3, 45, 0), False),
        ((3, 50, 6), False),
        ((3, 50, 7), True),
        ((3, 50, 12), True),
        ((3, 51, 2), False),
        ((3, 51, 3), True),
        ((3, 54, 1), True),
        ((4, 0, 0), True),
    ],
)
def test_a_write_ahead_log_is_used_only_where_it_loses_nothing(version, safe):
    assert wal_is_safe(version) is safe


@pytest.mark.parametrize(("safe", "mode"), [(True, "wal"), (False, "delete")])
def test_the_journal_mode_is_chosen_when_the_database_is_new_and_kept_for_ever(
    tmp_path, monkeypatch, safe, mode
):
    module = __import__("sys").modules["kata.store.connect"]
    path = tmp_path / "new" / "data.db"

    def journal_mode():
        with closing(connect(path)) as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS t (x)")
            return connection.execute("PRAGMA journal_mode").fetchone()[0]

    monkeypatch.setattr(module, "wal_is_safe", lambda: safe)
    assert journal_mode() == mode
    monkeypatch.setattr(module, "wal_is_safe", lambda: not safe)
    assert journal_mode() == mode


def test_a_mode_that_cannot_be_read_is_left_alone(tmp_path, monkeypatch):
    module = __import__("sys").modules["kata.store.connect"]
    monkeypatch.setattr(module, "wal_is_safe", lambda: True)
    path = tmp_path / "data.db"
    path.write_bytes(b"garbage" * 1000)
    connect(path).close()
    assert path.read_bytes() == b"garbage" * 1000
    with pytest.raises(sqlite3.Error):
        connect(tmp_path)
