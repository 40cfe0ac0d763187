"""What every store promises of writing."""

import threading
from contextlib import suppress

import pytest

from kata.events import Actor, ActorKind, Surface, Unreadable
from kata.events.catalogue import KataEnabled
from kata.events.record import encode_new
from kata.store import Head, IdConflictError, StoreBusyError, WrongVersionError


def positions(log):
    return [(event.position, event.stream, event.version) for event in log.read()]


def test_a_new_log_is_empty(log):
    assert log.head() == Head(0, "")
    assert list(log.read()) == list(log.read_stream("kata/1")) == []
    assert log.get([1]) == log.spool_offsets() == {}


def test_positions_count_through_the_log_and_versions_through_each_stream(log, make):
    log.append("kata/a", 0, [make.decided("kata/a"), make.decided("kata/a")])
    log.append("kata/b", 0, [make.decided("kata/b")])
    log.append("kata/a", 2, [make.decided("kata/a")])
    assert positions(log) == [(1, "kata/a", 1), (2, "kata/a", 2), (3, "kata/b", 1), (4, "kata/a", 3)]
    assert log.head().position == 4


def test_what_is_appended_comes_back_as_it_is_stored(log, make):
    event = make.decided("kata/a", "caf\udce9 \ud83d")
    (stored,) = log.append("kata/a", 0, [event])
    assert stored.payload == event.payload
    assert (stored.type, stored.schema, stored.actor) == ("kata.rejected", 1, event.actor)
    assert (stored.occurred_at, stored.recorded_at) == (event.occurred_at, make.clock.now())
    assert [stored] == list(log.read()) == list(log.read_stream("kata/a")) == list(log.get([1]).values())


@pytest.mark.parametrize("expected", [0, 2, 7])
def test_a_writer_at_the_wrong_version_is_told_the_right_one(log, make, expected):
    log.append("kata/a", 0, [make.decided("kata/a")])
    with pytest.raises(WrongVersionError) as caught:
        log.append("kata/a", expected, [make.decided("kata/a")])
    error = caught.value
    assert (error.stream, error.expected, error.actual) == ("kata/a", expected, 1)
    assert log.head().position == 1


def test_an_event_of_another_stream_is_refused(log, make):
    with pytest.raises(ValueError, match="must belong to kata/a"):
        log.append("kata/a", 0, [make.decided("kata/b")])


def test_the_same_event_again_is_no_second_event_and_says_so(log, make):
    events = [make.decided("kata/a", "one"), make.decided("kata/a", "two")]
    first = log.append("kata/a", 0, events)
    again = log.append("kata/a", 0, events)
    assert not first.repeated
    assert again.repeated
    assert again == first
    assert log.head().position == 2


@pytest.mark.parametrize(
    "change",
    [
        {"payload": KataEnabled(version=1, digest="d")},
        {"correlation_id": "something else"},
        {"causation_id": "cause"},
        {"actor": Actor(kind=ActorKind.HUMAN, id="bob", surface=Surface.CLI)},
        {"actor": Actor(kind=ActorKind.HUMAN, id="ann", surface=Surface.SLASH)},
    ],
)
def test_an_id_that_another_event_has_is_a_conflict(log, make, change):
    event = make.decided("kata/a")
    log.append("kata/a", 0, [event])
    with pytest.raises(IdConflictError) as caught:
        log.append("kata/a", 1, [event._replace(**change)])
    assert caught.value.event_id == event.event_id
    assert log.head().position == 1


def test_an_id_taken_in_another_stream_is_a_conflict(log, make):
    event = make.decided("kata/a")
    log.append("kata/a", 0, [event])
    with pytest.raises(IdConflictError):
        log.append("kata/b", 0, [event._replace(stream="kata/b")])


def test_a_batch_of_which_a_part_is_stored_is_a_conflict(log, make):
    event = make.decided("kata/a")
    log.append("kata/a", 0, [event])
    with pytest.raises(IdConflictError):
        log.append("kata/a", 1, [event, make.decided("kata/a")])


def test_one_id_twice_in_a_batch_is_a_conflict(log, make):
    event = make.decided("kata/a")
    with pytest.raises(IdConflictError):
        log.append("kata/a", 0, [event, event])
    assert log.head().position == 0


def test_nothing_appended_is_nothing_stored(log):
    receipt = log.append("kata/a", 0, [])
    assert receipt == ()
    assert not receipt.repeated
    assert log.head().position == 0


def test_added_events_need_no_version_and_twins_are_skipped(log, make):
    first, second = make.noted("session/1"), make.noted("session/2")
    with log.transaction() as transaction:
        assert len(transaction.add([first])) == 1
        assert len(transaction.add([first, second])) == 1
    assert positions(log) == [(1, "session/1", 1), (2, "session/2", 1)]


def test_an_added_event_with_the_id_of_another_is_a_conflict(log, make):
    event = make.noted(note="one")
    with log.transaction() as transaction:
        transaction.add([event])
        with pytest.raises(IdConflictError):
            transaction.add([event._replace(stream="session/2")])


def test_records_are_taken_whatever_their_type_and_conflicts_returned(log, make):
    known = encode_new(make.noted())
    unknown = encode_new(make.noted())._replace(type="kata.archived", schema=4, payload=b'{"new":[1]}')
    changed = known._replace(stream="session/9")
    with log.transaction() as transaction:
        first = transaction.take([known, unknown, known, changed])
        second = transaction.take([known, changed])
    assert (first.added, first.conflicts) == (2, (changed,))
    assert (second.added, second.conflicts) == (0, (changed,))
    assert log.get([2])[2].payload == Unreadable(why="unknown_type", raw={"new": [1]})


def test_a_transaction_sees_what_it_wrote(log, make):
    with log.transaction() as transaction:
        assert transaction.version("kata/a") == 0
        transaction.append("kata/a", 0, [make.decided("kata/a")])
        assert transaction.version("kata/a") == 1
        assert transaction.count_streams("kata/") == 1
        transaction.append("kata/a", 1, [make.decided("kata/a")])
    assert [version for _, _, version in positions(log)] == [1, 2]


def test_streams_are_counted_by_their_very_beginning(log, make):
    for stream in ("kata/a", "kata/b", "kata_c", "katas", "Kata/d", "kata%e", "run/kata/f"):
        log.append(stream, 0, [make.decided(stream), make.decided(stream)])
    with log.transaction() as transaction:
        assert transaction.count_streams("kata/") == 2
        assert transaction.count_streams("kata%") == 1
        assert transaction.count_streams("kata_") == 1
        assert transaction.count_streams("") == 7


class StoppedError(Exception):
    pass


def test_a_block_that_raises_leaves_nothing_and_holds_nothing(log, make):
    log.append("kata/a", 0, [make.decided("kata/a")])
    before = log.head()
    with pytest.raises(StoppedError), log.transaction() as transaction:
        transaction.append("kata/a", 1, [make.decided("kata/a")])
        transaction.move_spool_offset("segment", 9)
        raise StoppedError
    assert log.head() == before
    assert log.spool_offsets() == {}
    other = threading.Thread(daemon=True, target=lambda: log.append("kata/a", 1, [make.decided("kata/a")]))
    other.start()
    other.join(1.0)
    assert log.head().position == 2


def test_a_transaction_that_is_over_writes_nothing(log, make):
    with log.transaction() as transaction:
        transaction.add([make.noted()])
    with suppress(RuntimeError):
        transaction.add([make.noted()])
    assert log.head().position == 1


def test_a_transaction_inside_a_transaction_is_an_error_not_a_wait(log):
    with log.transaction(), pytest.raises(RuntimeError, match="open in this thread"), log.transaction():
        pass


def test_a_writer_does_not_wait_for_ever(log):
    refused = []

    def write():
        try:
            with log.transaction(wait=0.01):
                pass
        except StoreBusyError as error:
            refused.append(error)

    with log.transaction():
        thread = threading.Thread(daemon=True, target=write)
        thread.start()
        thread.join()
    assert len(refused) == 1


def test_offsets_are_noted_moved_and_dropped(log):
    with log.transaction() as transaction:
        assert transaction.spool_offset("a") == 0
        transaction.move_spool_offset("a", 10)
        transaction.move_spool_offset("a", 20)
        transaction.move_spool_offset("b", 5)
        assert transaction.spool_offset("a") == 20
    assert log.spool_offsets() == {"a": 20, "b": 5}
    with log.transaction() as transaction:
        transaction.forget_spool_offsets(["a", "unknown"])
    assert log.spool_offsets() == {"b": 5}


def test_a_clock_that_runs_backwards_disorders_nothing(log, make):
    log.append("kata/a", 0, [make.decided("kata/a", "first")])
    make.clock.advance(days=-400)
    log.append("kata/a", 1, [make.decided("kata/a", "second")])
    first, second = log.read()
    assert (first.payload.note, second.payload.note) == ("first", "second")
    assert second.recorded_at < first.recorded_at


def test_threads_that_race_for_versions_leave_no_gap_and_no_twin(log, make):
    lost = []

    def write(number):
        for _ in range(10):
            event = make.event("kata/a", KataEnabled(version=number, digest="d"))
            version = 0
            while True:
                try:
                    log.append("kata/a", version, [event])
                    break
                except WrongVersionError as error:
                    version = error.actual
                except StoreBusyError as error:
                    lost.append(error)

    threads = [threading.Thread(daemon=True, target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert positions(log) == [(one, "kata/a", one) for one in range(1, 41)]
    assert len({event.event_id for event in log.read()}) == 40
    assert lost == []
