"""Forgetting: the payload is gone, the event stays in its place, the chain still verifies."""

import pytest

from kata.errors import RefusedError
from kata.events import Unreadable
from kata.store import IdConflictError, verify

ERASED = Unreadable(why="erased")


@pytest.fixture
def full(log, make):
    with log.transaction() as transaction:
        transaction.add([make.noted(note=f"secret {number}") for number in range(1, 11)])
    return log


def erase(log, event):
    with log.transaction() as transaction:
        return transaction.erase(event)


def test_an_erased_payload_is_gone_and_its_place_is_kept(full, make):
    covering = erase(full, make.forgotten((2, 4), (9, 9)))
    assert covering.position == 11
    events = list(full.read())
    assert [event.position for event in events if event.payload == ERASED] == [2, 3, 4, 9]
    assert [event.type for event in events[:10]] == ["session.reset"] * 10
    verified = verify(full)
    assert (verified.count, verified.erased) == (11, 4)


def test_what_is_erased_may_be_erased_again(full, make):
    erase(full, make.forgotten((2, 4)))
    erase(full, make.forgotten((1, 5)))
    assert verify(full).erased == 5


def test_a_twin_of_an_erased_event_is_still_known(full, make):
    event = make.decided("kata/a")
    full.append("kata/a", 0, [event])
    erase(full, make.forgotten((11, 11)))
    receipt = full.append("kata/a", 0, [event])
    assert receipt.repeated
    assert receipt[0].payload == ERASED
    with pytest.raises(IdConflictError):
        full.append("kata/a", 1, [event._replace(correlation_id="another")])


@pytest.mark.parametrize("ranges", [((0, 3),), ((5, 4),), ((8, 12),), ((11, 11),), ((-2, -1),)])
def test_a_range_outside_the_log_erases_nothing(full, make, ranges):
    with pytest.raises(RefusedError):
        erase(full, make.forgotten(*ranges))
    assert full.head().position == 10
    assert verify(full).erased == 0


def test_the_record_of_an_erasure_is_never_erased(full, make):
    erase(full, make.forgotten((1, 1)))
    with pytest.raises(RefusedError, match="record of an erasure"):
        erase(full, make.forgotten((2, 11)))


def test_only_an_event_that_names_the_positions_erases(full, make):
    with pytest.raises(RefusedError):
        erase(full, make.decided("kata/a"))


def test_an_erasure_that_is_not_finished_erased_nothing(full, make):
    with pytest.raises(ZeroDivisionError), full.transaction() as transaction:
        transaction.erase(make.forgotten((1, 10)))
        raise ZeroDivisionError
    assert verify(full).erased == 0
    assert full.get([1])[1].payload.reason == "secret 1"


def test_the_same_erasure_again_is_no_second_one(full, make):
    event = make.forgotten((1, 2))
    first = erase(full, event)
    assert erase(full, event).position == first.position
    assert verify(full).count == 11
    with pytest.raises(IdConflictError):
        erase(full, event._replace(correlation_id="another"))


def test_erasing_nothing_is_noted_like_any_other(full, make):
    erase(full, make.forgotten())
    assert verify(full).erased == 0
    assert full.head().position == 11


def test_what_is_written_in_the_same_transaction_may_be_erased(log, make):
    with log.transaction() as transaction:
        transaction.add([make.noted(note="secret"), make.noted(note="open")])
        transaction.erase(make.forgotten((1, 1)))
    assert [event.payload == ERASED for event in log.read()] == [True, False, False]
    assert verify(log).erased == 1
