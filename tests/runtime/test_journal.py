"""A run's events reach the spool in order, many in one append, and at once where something depends on it."""

import pytest

from kata.clock import CountingIds, ManualClock
from kata.errors import StoreError
from kata.events.catalogue import StepFinished, StepOutcome, StepPerformed, StepStarted
from kata.events.codec import BadEventError
from kata.runtime import journal
from kata.runtime.journal import RunRecorder, joined
from kata.store.owned import SpoolError


class Spool:
    def __init__(self):
        self.appends, self.syncs, self.full = [], 0, False

    def write(self, *events):
        if self.full:
            raise SpoolError("the disk is full")
        for event in events:
            if getattr(event.payload, "reason", "") == "bad":
                raise BadEventError("reason", "is bad")
        self.appends.append([event.payload.index for event in events])

    def sync(self):
        self.syncs += 1


@pytest.fixture
def spool():
    return Spool()


@pytest.fixture
def recorder(spool):
    return RunRecorder(spool, ManualClock(), CountingIds(), "turn")


def step(index, reason=""):
    return StepFinished(
        run_id="r",
        index=index,
        step=1,
        outcome=StepOutcome.SUCCEEDED,
        reason=reason,
        exit_code=None,
        duration_ms=0,
        result=None,
        element=None,
    )


def test_events_wait_for_a_flush_and_go_in_one_append(spool, recorder):
    recorder.record(step(1))
    recorder.record(step(2))
    assert spool.appends == []
    recorder.flush()
    recorder.flush()
    assert spool.appends == [[1, 2]]


def test_a_synced_event_takes_all_before_it_to_the_disk(spool, recorder):
    recorder.record(step(1))
    recorder.record(step(2), synced=True)
    assert (spool.appends, spool.syncs) == ([[1, 2]], 1)


def test_no_more_than_so_many_wait(spool, recorder):
    for index in range(journal.MOST + 3):
        recorder.record(step(index))
    assert [len(one) for one in spool.appends] == [journal.MOST]


def test_a_synced_event_that_cannot_be_written_raises_and_is_not_synced(spool, recorder):
    recorder.record(step(1))
    spool.full = True
    with pytest.raises(StoreError):
        recorder.record(step(2), synced=True)
    assert spool.syncs == 0


def test_one_bad_event_costs_no_other(spool, recorder):
    for index, reason in ((1, ""), (2, "bad"), (3, "")):
        recorder.record(step(index, reason))
    recorder.record(step(4), synced=True)
    assert (spool.appends, spool.syncs) == ([[1], [3], [4]], 1)


def test_a_bad_event_that_should_be_on_the_disk_raises(spool, recorder):
    recorder.record(step(1))
    with pytest.raises(BadEventError):
        recorder.record(step(2, "bad"), synced=True)
    assert (spool.appends, spool.syncs) == ([[1]], 0)


def test_an_event_has_the_time_at_which_it_was_taken(spool):
    clock, seen = ManualClock(), []
    spool.write = lambda *events: seen.extend(event.occurred_at for event in events)
    recorder = RunRecorder(spool, clock, CountingIds(), "turn")
    first = clock.now()
    recorder.record(step(1))
    clock.advance(seconds=3)
    recorder.flush()
    assert seen == [first]


def begun(index):
    return StepStarted(run_id="r", index=index, step=1, tool="read_file", effect="read", args={"path": "a"})


def told(waiting):
    return [(type(payload), payload.index) for payload, _ in joined([(one, None) for one in waiting])]


def test_a_step_that_began_and_ended_unwritten_is_one_event(spool):
    clock, seen = ManualClock(), []
    spool.write = lambda *events: seen.extend(events)
    recorder = RunRecorder(spool, clock, CountingIds(), "turn")
    first = clock.now()
    recorder.record(begun(1))
    clock.advance(seconds=3)
    recorder.record(step(1))
    recorder.flush()
    (event,) = seen
    assert (type(event.payload), event.payload.started_at) == (StepPerformed, first)
    assert event.occurred_at == clock.now()


def test_a_step_whose_intent_is_written_ends_by_an_event_of_its_own(spool, recorder):
    recorder.record(begun(1), synced=True)
    recorder.record(step(1))
    recorder.flush()
    assert spool.appends == [[1], [1]]


def test_only_the_start_and_the_finish_of_one_call_are_joined():
    assert told([begun(1), begun(2), step(2), step(3)]) == [
        (StepStarted, 1),
        (StepPerformed, 2),
        (StepFinished, 3),
    ]
    assert told([step(1), begun(1)]) == [(StepFinished, 1), (StepStarted, 1)]
    assert told([begun(1), step(1), begun(2), step(2)]) == [(StepPerformed, 1), (StepPerformed, 2)]
