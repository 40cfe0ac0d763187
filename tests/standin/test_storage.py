"""Where plugins keep their data, and in which journal mode."""

import sqlite3

import pytest

from kata.standin.storage import journal_mode


@pytest.mark.parametrize(
    ("version", "mode"),
    [
        ((3, 40, 1), "DELETE"),
        ((3, 44, 5), "DELETE"),
        ((3, 44, 6), "WAL"),
        ((3, 45, 0), "DELETE"),
        ((3, 50, 7), "WAL"),
        ((3, 51, 2), "DELETE"),
        ((3, 51, 3), "WAL"),
        ((4, 0, 0), "WAL"),
    ],
)
def test_wal_is_used_where_the_fault_is_mended(version, mode):
    assert journal_mode(version) == mode


def test_a_database_opens_as_the_host_opens_it(host):
    connection = host.plugin_db("kata")
    mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
    assert mode.upper() == journal_mode(sqlite3.sqlite_version_info)
    assert connection.execute("PRAGMA foreign_keys").fetchone()[0] == 1
    assert connection.execute("PRAGMA busy_timeout").fetchone()[0] == 5000
    assert (host.home / "plugin-data" / "kata" / "data.db").exists()
    connection.close()


@pytest.mark.parametrize("name", ["", "../x", "a/b", "a..b"])
def test_a_name_cannot_leave_the_folder(host, name):
    with pytest.raises(ValueError, match="invalid plugin name"):
        host.data_dir(name)


@pytest.mark.parametrize("filename", ["", "../x.db", "a/b.db"])
def test_a_file_name_is_no_path(host, filename):
    with pytest.raises(ValueError, match="invalid plugin db filename"):
        host.plugin_db("kata", filename)
