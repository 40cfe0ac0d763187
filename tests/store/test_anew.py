"""A damaged log is moved aside, and recording goes on (case B047)."""

import pytest

from kata.errors import StoreError
from kata.events.catalogue import LogRestored
from kata.store import StoreDamagedError, open_store
from kata.store.anew import start_anew
from tests.store.support import PERSON


def damage(store):
    store.log.close()
    path = store.folder / "data.db"
    data = path.read_bytes()
    path.write_bytes(b"\xff" * 200 + data[200:])
    return path.read_bytes()


@pytest.fixture
def damaged(store, make):
    store.log.append("kata/a", 0, [make.decided("kata/a")])
    store.spool.append(make.noted())
    store.drain()
    damage(store)
    with pytest.raises(StoreDamagedError):
        store.log.head()
    return store


def test_the_damaged_files_are_kept_beside_the_new_log_that_says_so(damaged, make):
    content = (damaged.folder / "data.db").read_bytes()
    aside = start_anew(damaged, PERSON, "its pages were garbage")
    assert (aside / "data.db").read_bytes() == content
    assert (aside / "anchor.json").exists()
    (first,) = damaged.log.read()
    assert first.payload == LogRestored(reason="its pages were garbage", set_aside=aside.name)
    assert first.actor == PERSON
    assert damaged.verify().count == 1


def test_what_the_spool_still_holds_comes_into_the_new_log(damaged, make):
    start_anew(damaged, PERSON, "garbage")
    assert damaged.drain().count == 1
    assert damaged.spool.append(make.noted())
    assert damaged.drain().count == 1
    assert damaged.verify().count == 3


def test_a_log_that_can_be_read_is_left_alone(store, make):
    store.log.append("kata/a", 0, [make.decided("kata/a")])
    assert start_anew(store, PERSON, "no reason") is None
    assert store.log.head().position == 1


def test_the_second_of_two_who_start_anew_finds_a_good_log(damaged, make):
    other = open_store(damaged.folder, clock=make.clock, ids=make.ids)
    with pytest.raises(StoreDamagedError):
        other.log.head()
    assert start_anew(damaged, PERSON, "garbage") is not None
    assert start_anew(other, PERSON, "garbage") is None
    assert other.log.head() == damaged.log.head()
    other.close()


def test_a_process_that_has_the_old_file_open_changes_over_to_the_new_one(store, make):
    other = open_store(store.folder, clock=make.clock, ids=make.ids)
    other.log.append("kata/a", 0, [make.decided("kata/a")])
    damage(store)
    start_anew(store, PERSON, "garbage")
    assert other.log.append("kata/a", 0, [make.decided("kata/a")])[0].position == 2
    assert store.verify().count == 2
    other.close()


def test_files_that_cannot_be_moved_are_an_error_and_stay(damaged, monkeypatch):
    def refuse(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(damaged.folder), "rename", refuse)
    with pytest.raises(StoreError, match="cannot be moved aside"):
        start_anew(damaged, PERSON, "garbage")
    assert (damaged.folder / "data.db").exists()
