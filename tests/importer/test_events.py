"""Imported calls become the observations that a live Hermes would have made of them."""

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.clock import NAMESPACE, derived_id
from kata.importer import ImportedCall, ImportedLink, Recorder
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


SECRET = "ghp_" + "0mX5" * 9


@pytest.mark.parametrize("field", ["session", "turn", "tool", "group", "call_id"])
@pytest.mark.parametrize("answered", [True, False])
def test_no_name_of_a_source_brings_a_secret_in(field, answered):
    calls = [call(0)._replace(**{field: f"a {SECRET}"}, answered=answered), call(1)]
    assert SECRET not in repr(list(Recorder(KEEPER, "x:").turns([calls])))


def test_no_name_of_a_linked_session_brings_a_secret_in():
    link = ImportedLink(session=SECRET, parent=SECRET, relation="scheduled", job=SECRET)
    recorder = Recorder(KEEPER, "x:")
    assert SECRET not in repr(recorder.link(link))
    assert recorder.link(link).payload.session_id == recorder.session(SECRET)


def test_a_masked_name_gives_the_same_ids_beside_whatever_else_is_read():
    odd = call(0)._replace(session=SECRET, call_id=SECRET)
    alone = list(Recorder(KEEPER, "x:").turns([[odd]]))
    crowd = [[call(number, call_id=f"c{number}")] for number in range(300)]
    among = list(Recorder(KEEPER, "x:").turns([*crowd, [odd]]))
    assert among[-len(alone) :] == alone


def test_a_session_keeps_its_masked_name_however_many_are_read():
    recorder = Recorder(KEEPER, "x:")
    odd = call(0)._replace(session=SECRET, tool=SECRET)
    for number in range(30):
        crowd = [[call(0)._replace(session=f"a longer name {number}-{one}")] for one in range(300)]
        assert SECRET not in repr(list(recorder.turns([[odd], *crowd, [odd]])))


def test_an_ordinary_name_stays_as_it_is_however_many_are_read():
    recorder = Recorder(KEEPER, "x:")
    for number in range(30):
        names = [f"s{number}-{one}" for one in range(300)]
        turns = [[call(0)._replace(session=name, call_id=f"call_{name}")] for name in names]
        events = list(recorder.turns(turns))
        told = [event.payload for event in events if type(event.payload).__name__ == "ToolReturned"]
        assert [one.session_id for one in told] == [f"x:{name}" for name in names]
        assert [one.call_id for one in told] == [f"call_{name}" for name in names]
