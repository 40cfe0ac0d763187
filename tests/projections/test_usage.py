"""What a routine costs by hand: model requests, tokens and seconds, as medians."""

import pytest

from kata.events.catalogue import Baseline
from kata.miner.types import Occurrence
from kata.projections import Usage

from .support import Diary, answered, returned, turn_started


@pytest.fixture
def diary():
    return Diary()


def worked(diary, session, *, tokens=100, pause=0, final=True):
    """Record a turn of two calls after one another, a second between events; return its occurrence."""
    turn = f"{session}:t"
    diary.tell(turn_started(session, turn))
    refs = []
    for number in (1, 2):
        diary.tell(answered(session, turn, f"{turn}:api:{number}", tokens=tokens))
        diary.clock.advance(seconds=pause)
        refs.append(diary.tell(returned(session, turn, "read_file", request=f"{turn}:api:{number}")))
    if final:
        diary.tell(answered(session, turn, f"{turn}:api:3", tokens=tokens))
    return Occurrence(session, turn, tuple(refs))


def usage(diary):
    return Usage(diary.views()[0])


def test_the_requests_that_asked_for_the_calls_are_counted(diary):
    occurrence = worked(diary, "s1")
    cost = usage(diary).cost(occurrence)
    assert (cost.model_requests, cost.tokens) == (2, 200)


def test_seconds_run_from_the_first_request_to_the_one_after_the_last_call(diary):
    occurrence = worked(diary, "s1")
    assert usage(diary).cost(occurrence).seconds == 4.0


def test_a_baseline_is_the_median_of_the_recordings(diary):
    occurrences = [
        worked(diary, f"s{index}", tokens=tokens, pause=pause)
        for index, (tokens, pause) in enumerate([(100, 0), (900, 10), (200, 1)])
    ]
    assert usage(diary).baseline(occurrences) == Baseline(
        recordings=3, model_requests=2.0, tokens=400.0, seconds=6.0
    )


def test_what_was_not_recorded_is_not_counted_as_nothing(diary):
    known = worked(diary, "s1", final=False)
    unknown = Occurrence("s2", "s2:t", (1, 2))
    assert usage(diary).cost(unknown) is None
    assert usage(diary).baseline([known, unknown]) == Baseline(
        recordings=1, model_requests=2.0, tokens=200.0, seconds=None
    )


def test_tokens_are_unknown_when_one_request_does_not_tell(diary):
    occurrence = worked(diary, "s1", tokens=None)
    assert usage(diary).cost(occurrence).tokens is None


def test_no_recordings_have_no_baseline(diary):
    assert usage(diary).baseline([]) == Baseline(recordings=0, model_requests=None, tokens=None, seconds=None)


def test_forgotten_requests_cost_nothing_any_more(diary):
    occurrence = worked(diary, "s1")
    store, projector = diary.views()
    diary.erase((1, diary.log.head().position))
    projector.catch_up()
    assert Usage(store).cost(occurrence) is None
    assert projector.check() == ()
