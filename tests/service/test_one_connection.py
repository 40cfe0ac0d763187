"""No room of Kata opens the database's file beside its connection: closing such a file drops this process's locks (case B046)."""

import subprocess
import sys
from contextlib import contextmanager

import pytest

from kata.events import Surface
from kata.service.forgetting import Target
from tests.service.lab import PERSON, order

OPENED = []
"""What was opened since `watched` began; an audit hook stays for ever, so there is one."""
_watching = [False]


def _note(event, arguments):
    if _watching[0] and event == "open":
        OPENED.append(str(arguments[0]))


sys.addaudithook(_note)


@contextmanager
def watched():
    OPENED.clear()
    _watching[0] = True
    try:
        yield OPENED
    finally:
        _watching[0] = False


def is_the_database(path):
    return "data.db" in path


def every_room(lab):
    """Do in one process what a person can ask of the service."""
    service = lab.service
    service.doctor()
    service.status()
    service.overview("cli")
    service.verify()
    service.replay(check=True)
    service.replay()
    service.export_kata("1")
    service.export_history()
    service.stats()
    service.upkeep(Surface.CLI)
    service.tell_hooks()
    service.forget_preview(Target(session="s1"))


@pytest.fixture
def busy(lab):
    lab.approved()
    lab.practise(order)
    lab.service.mine()
    return lab


def test_no_room_opens_the_file_of_the_database(busy):
    with watched() as opened:
        every_room(busy)
        preview = busy.service.forget_preview(Target(session="s1"))
        busy.service.forget(Target(session="s1"), preview.token, PERSON)
        busy.store.log.compact()
    assert opened
    assert [path for path in opened if is_the_database(path)] == []


def test_what_is_watched_would_be_seen(busy):
    with watched() as opened:
        (busy.folder / "data.db").read_bytes()
    assert [path for path in opened if is_the_database(path)]


TRY = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
try:
    connection.execute("BEGIN IMMEDIATE")
except sqlite3.OperationalError as error:
    print(error)
"""


def test_a_write_under_way_keeps_its_lock_while_other_rooms_read(busy):
    def asked_elsewhere():
        command = [sys.executable, "-c", TRY, str(busy.folder / "data.db")]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout

    with busy.store.log.transaction():
        for look in (
            busy.service.doctor,
            busy.service.status,
            busy.service.export_history,
            lambda: busy.service.export_kata("1"),
        ):
            look()
            assert "locked" in asked_elsewhere()
    assert asked_elsewhere() == ""
