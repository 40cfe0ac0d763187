"""A data folder that cannot be used is an error of the store that says where to look, whatever is wrong with it."""

import sqlite3
from pathlib import Path

import pytest

from kata.errors import StoreError
from kata.service import assemble


def a_file(folder):
    folder.write_text("not a folder", encoding="utf-8")


def below_a_file(folder):
    folder.parent.rmdir()
    folder.parent.write_text("not a folder", encoding="utf-8")


def a_folder_for_the_log(folder):
    (folder / "data.db").mkdir(parents=True)


def a_folder_for_the_key(folder):
    (folder / "fingerprint.key").mkdir(parents=True)


@pytest.mark.parametrize("spoil", [a_file, below_a_file, a_folder_for_the_log, a_folder_for_the_key])
def test_it_is_told_with_a_hint(tmp_path, spoil):
    folder = tmp_path / "plugin-data" / "kata"
    folder.parent.mkdir()
    spoil(folder)
    with pytest.raises(StoreError) as failure:
        assemble(folder)
    assert str(folder) in failure.value.hint


@pytest.mark.parametrize(
    "error",
    [PermissionError(13, "Permission denied"), sqlite3.OperationalError("unable to open database file")],
)
@pytest.mark.parametrize("call", [1, 2])
def test_so_is_a_folder_without_permission_at_whatever_opening_it_shows(tmp_path, monkeypatch, error, call):
    assemble(tmp_path).close()
    calls, connect = [], sqlite3.connect

    def refuse(*args, **kwargs):
        calls.append(1)
        if len(calls) >= call:
            raise error
        return connect(*args, **kwargs)

    monkeypatch.setattr(sqlite3, "connect", refuse)
    with pytest.raises(StoreError) as failure:
        assemble(tmp_path)
    assert str(tmp_path) in failure.value.hint


def test_a_folder_that_may_not_be_made_is_told(monkeypatch, tmp_path):
    def refuse(path, *_, **__):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(StoreError, match="Permission denied") as failure:
        assemble(tmp_path / "kata")
    assert "you may write in" in failure.value.hint
