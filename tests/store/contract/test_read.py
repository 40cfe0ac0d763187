"""What every store promises of reading."""

import threading

import pytest

from kata.events.catalogue import KataRejected
from kata.store import verify
from kata.store.sqlite import PAGE

MANY = 2 * PAGE + 7


@pytest.fixture
def full(log, make):
    with log.transaction() as transaction:
        transaction.add([make.noted(f"session/{number % 3}", str(number)) for number in range(1, MANY + 1)])
        transaction.append("kata/a", 0, [make.decided("kata/a")])
    return log


@pytest.mark.parametrize("after", [0, 1, PAGE - 1, PAGE, PAGE + 1, MANY, MANY + 1, MANY + 100])
def test_reading_goes_on_after_any_position(full, after):
    assert [event.position for event in full.read(after)] == list(range(after + 1, MANY + 2))


@pytest.mark.parametrize("limit", [0, 1, PAGE - 1, PAGE, PAGE + 1, MANY, MANY + 1, MANY + 100])
def test_reading_stops_at_a_limit(full, limit):
    assert [event.position for event in full.read(limit=limit)] == list(range(1, min(limit, MANY + 1) + 1))


def test_only_some_types_are_read(full):
    assert [event.position for event in full.read(types=["kata.rejected", "kata.approved"])] == [MANY + 1]
    assert [event.position for event in full.read(types=["session.reset"], after=3, limit=2)] == [4, 5]
    assert list(full.read(types=["no.such"])) == []


def test_a_stream_is_read_by_version(full):
    versions = [event.version for event in full.read_stream("session/1")]
    assert versions == list(range(1, len(versions) + 1))
    assert [event.version for event in full.read_stream("session/1", after_version=330)] == versions[330:]
    assert list(full.read_stream("session/none")) == []


def test_events_are_got_by_position(full):
    wanted = [*range(1, MANY + 1, 2), MANY + 500, 0, -1]
    assert list(full.get(wanted)) == list(range(1, MANY + 1, 2))


def test_a_reader_that_stopped_half_way_holds_up_no_writer(full, make):
    reader = full.read()
    next(reader)
    full.append("kata/a", 1, [make.decided("kata/a")])
    assert [event.position for event in reader] == list(range(2, MANY + 3))


def test_a_tail_sees_each_event_once_in_order_and_only_when_it_is_there(log, make):
    seen = []
    done = threading.Event()

    def follow():
        while not done.is_set() or log.head().position > len(seen):
            seen.extend(event.position for event in log.read(after=len(seen)))

    thread = threading.Thread(daemon=True, target=follow)
    thread.start()
    try:
        for number in range(30):
            log.append("kata/a", number, [make.event("kata/a", KataRejected(note=str(number)))])
    finally:
        done.set()
        thread.join()
    assert seen == list(range(1, 31))


def test_the_chain_of_a_full_log_verifies(full):
    verified = verify(full)
    assert (verified.count, verified.hash, verified.erased) == (MANY + 1, full.head().hash, 0)
