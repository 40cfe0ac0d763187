"""The health line: stored, lost, hidden, paused, mined."""

from datetime import timedelta

import pytest

from kata.events import catalogue as told
from kata.projections import open_views

from .support import KATA, PERSON, START, Diary, answered, turn_ended, turn_started

READ = ("read_file", {"path": "a"}, {"content": "x"})


@pytest.fixture
def diary():
    return Diary()


def health(diary):
    return open_views(diary.views()[0], diary.log).health


def mined(position, seen=()):
    return told.MiningCompleted(
        position=position,
        conversations=2,
        calls=9,
        proposed=(),
        seen=seen,
        counts={"support": 4},
        duration_ms=12,
    )


def test_an_empty_log_is_an_empty_line(diary):
    line = health(diary).line(START)
    assert (line.stored, line.lost, line.last_event_at, line.pause, line.calls) == (0, 0, None, None, 0)


def test_the_line_counts_what_is_there(diary):
    diary.turn("s1", [READ], [READ])
    diary.turn("s2", [READ])
    line = health(diary).line(diary.clock.now())
    assert (line.stored, line.calls, line.conversations) == (10, 3, 2)
    assert line.last_event_at == diary.clock.now()
    assert health(diary).counts()["tool.returned"] == 3


def test_hidden_calls_are_counted(diary):
    diary.tell(turn_started("s1", "t"))
    diary.tell(answered("s1", "t", "t:api:1", [("a", "memory"), ("b", "clarify"), ("c", "x")]))
    diary.tell(turn_ended("s1", "t"))
    assert health(diary).line(START).hidden_calls == 3


def test_losses_add_up_and_the_last_reason_is_told(diary):
    diary.tell(told.ObservationsLost(count=30, reason="disk full"), KATA)
    diary.tell(told.ObservationsLost(count=7, reason="torn record", set_aside="x.jsonl"), KATA)
    diary.tell(told.FingerprintRebased(reason="new key"), KATA)
    line = health(diary).line(START)
    assert (line.lost, line.lost_reason) == (37, "torn record")
    assert [one.type for one in health(diary).incidents()] == [
        "observations.lost",
        "observations.lost",
        "fingerprint.rebased",
    ]


class TestPauses:
    def test_a_pause_holds_until_it_is_ended(self, diary):
        diary.tell(told.RecordingPaused(until=None, note="private"), PERSON)
        assert health(diary).pause(START + timedelta(days=9)).note == "private"
        diary.tell(told.RecordingResumed(), PERSON)
        assert health(diary).pause(START) is None

    def test_a_pause_with_a_time_ends_by_itself(self, diary):
        until = START + timedelta(hours=1)
        diary.tell(told.RecordingPaused(until=until), PERSON)
        assert health(diary).pause(START).until == until
        assert health(diary).pause(until) is None

    def test_the_last_pause_counts(self, diary):
        diary.tell(told.RecordingPaused(until=START + timedelta(hours=9)), PERSON)
        diary.tell(told.RecordingPaused(until=START + timedelta(hours=1)), PERSON)
        assert health(diary).pause(START + timedelta(hours=2)) is None


def test_the_last_look_at_the_history_replaces_the_one_before(diary):
    seen = told.Unproposed(
        key="k", steps=[{"tool": "a"}], support=2, confidence=0.6, blocked_by=("support",), detail="too few"
    )
    diary.tell(mined(1), KATA)
    position = diary.tell(mined(2, (seen,)), KATA)
    last = health(diary).last_mining()
    assert (last.position, last.summary["seen"][0]["steps"]) == (position, [{"tool": "a"}])
    assert health(Diary()).last_mining() is None


def test_forgetting_the_last_look_shows_the_one_before(diary):
    diary.tell(mined(1), KATA)
    last = diary.tell(mined(2), KATA)
    store, projector = diary.views()
    diary.erase((last, last))
    projector.catch_up()
    assert open_views(store, diary.log).health.last_mining().summary["position"] == 1
    assert projector.check() == ()


def test_a_look_that_was_forgotten_was_still_had_at_its_time(diary):
    assert health(diary).last_at("mining.completed") is None
    position = diary.tell(mined(1), KATA)
    before = health(diary).last_at("mining.completed")
    diary.erase((position, position))
    assert (health(diary).last_mining(), health(diary).last_at("mining.completed")) == (None, before)


def test_imports_are_kept(diary):
    imported = told.ImportFinished(
        source="a.jsonl", form="plain", sessions=3, calls=9, left_out={"broken": 1}
    )
    diary.tell(imported, PERSON)
    assert health(diary).imports()[0]["left_out"] == {"broken": 1}
