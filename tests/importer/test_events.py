"""Imported calls become the observations that a live Hermes would have made of them."""

import uuid

from hypothesis import given
from hypothesis import strategies as st

from kata.clock import NAMESPACE, derived_id
from kata.importer import ImportedCall, Recorder
from kata.redact import Keeper

KEEPER = Keeper(b"k" * 32)


def call(seq=0, **more):
    return ImportedCall(session="s", turn="t", seq=seq, tool="look", args={}, result={"n": seq}, **more)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1))
def test_a_derived_id_is_a_uuid_of_version_five(names):
    assert derived_id(*names) == str(uuid.uuid5(NAMESPACE, "\x1f".join(names)))


def test_the_same_calls_make_the_same_events():
    calls = [call(0), call(1)]
    assert list(Recorder(KEEPER, "x:").turns([calls])) == list(Recorder(KEEPER, "x:").turns([calls]))


def test_a_turn_has_a_start_its_calls_in_order_and_an_end():
    told = [type(event.payload).__name__ for event in Recorder(KEEPER, "x:").turns([[call(0), call(1)]])]
    assert told == ["TurnStarted", "ToolReturned", "ToolReturned", "TurnEnded"]


def test_a_turn_that_comes_in_two_parts_starts_once_and_counts_on():
    recorder = Recorder(KEEPER, "x:")
    events = [*recorder.turns([[call(0)]]), *recorder.turns([[call(1)]])]
    told = [type(event.payload).__name__ for event in events]
    assert told == ["TurnStarted", "ToolReturned", "TurnEnded", "ToolReturned", "TurnEnded"]
    assert len({event.event_id for event in events}) == 5


def test_a_call_with_a_key_has_the_same_id_wherever_it_is_repeated():
    one, two = (
        [event.event_id for event in Recorder(KEEPER, "x:").turns([[call(key="k", group=group)]])][1]
        for group in ("a", "b")
    )
    assert one == two


def test_an_unanswered_call_is_told_by_its_request():
    calls = [call(0, group="g", call_id="a"), call(1, group="g", call_id="b", answered=False)]
    told = [event.payload for event in Recorder(KEEPER, "x:").turns([calls])]
    assert [type(one).__name__ for one in told[1:3]] == ["ModelAnswered", "ToolReturned"]
    assert [one.call_id for one in told[1].announced] == ["a", "b"]


def test_sessions_of_other_programs_have_the_forms_name_before_their_id():
    first, *_ = Recorder(KEEPER, "codex:").turns([[call()]])
    assert (first.stream, first.payload.session_id) == ("session/codex:s", "codex:s")
