"""A log on a bad disk: the agent keeps working, nothing is deleted, and the status says what happened (case B047)."""

import logging
import sqlite3

from kata import register
from kata.runtime import host as hosts
from kata.standin import StandIn, call, say
from kata.standin.modules import installed

GARBAGE = b"SQLite format 3\0" + b"\xff" * 8000


def talk(host, text="hi"):
    chat = host.conversation()
    answer = chat.turn("please", [call("terminal", command=f"echo {text}"), say("done")]).answer
    chat.finalize()
    return answer


def damage(host):
    path = host.data_dir("kata") / "data.db"
    path.write_bytes(GARBAGE)
    return path


def test_a_damaged_log_is_kept_aside_and_recording_goes_on(host):
    assert talk(host) == "done"
    host.unload()
    damage(host)
    host.load(register)
    assert talk(host, "again") == "done"
    status = host.slash("/kata status")
    assert "1 call in 1 conversation" in status
    (aside,) = host.data_dir("kata").glob("damaged-*")
    assert (aside / "data.db").read_bytes() == GARBAGE
    assert "the log was damaged" in status
    assert aside.name in status


def test_a_log_that_is_damaged_under_a_running_agent_is_left_for_a_new_one(host):
    talk(host)
    host.slash("/kata status")
    path = host.data_dir("kata") / "data.db"
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + b"\xff" * (len(whole) - 100))
    assert talk(host, "again") == "done"
    status = host.slash("/kata status")
    assert "the log was damaged" in status
    assert talk(host, "once more") == "done"
    assert host.cli(["kata", "verify"]).exit_code == 0


def test_a_log_that_another_process_moved_aside_is_left_as_well(host):
    talk(host)
    assert "1 call in 1 conversation" in host.slash("/kata status")
    folder = host.data_dir("kata")
    for path in (folder / "data.db", folder / "anchor.json"):
        path.rename(path.with_suffix(".aside"))
    talk(host)
    talk(host)
    assert "2 calls in 2 conversations" in host.slash("/kata status")


def test_what_is_told_goes_with_the_files(host):
    talk(host)
    host.unload()
    damage(host)
    host.load(register)
    host.slash("/kata status")
    (aside,) = host.data_dir("kata").glob("damaged-*")
    for path in aside.iterdir():
        path.unlink()
    aside.rmdir()
    assert "damaged" not in host.slash("/kata status")


def test_where_no_lock_is_to_be_had_the_agent_works_and_the_status_says_so(tmp_path, monkeypatch):
    """A network file system: ``locking protocol`` (15) at whatever touches the database."""

    def refuse(self):
        error = sqlite3.OperationalError("locking protocol")
        error.sqlite_errorcode = sqlite3.SQLITE_PROTOCOL
        raise error

    monkeypatch.setattr(hosts.Host, "connect", refuse)
    host = StandIn(tmp_path)
    with installed(host):
        host.load(register)
        assert talk(host) == "done"
        assert "locked" in host.slash("/kata status")
        assert host.cli(["kata", "status"]).exit_code == 6
        host.unload()
    logging.getLogger("kata").setLevel(logging.NOTSET)
