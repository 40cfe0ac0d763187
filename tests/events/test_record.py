"""A header as text: checked before anything is stored, kept as it is when a newer Kata wrote it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.clock import CountingIds, ManualClock
from kata.events import Actor, ActorKind, NewEvent, Surface
from kata.events.catalogue import RecordingResumed
from kata.events.codec import BadEventError
from kata.events.record import Record, actor_of, check_header, encode_new, header_text, read_header
from kata.json import dumps, loads

EVENT = NewEvent(
    stream="session/1",
    event_id=CountingIds().new(),
    payload=RecordingResumed(note="n"),
    occurred_at=ManualClock().now(),
    actor=Actor(kind=ActorKind.HUMAN, id="ann", surface=Surface.SLASH),
    correlation_id="turn",
    causation_id=None,
)
RECORD = encode_new(EVENT)


def test_a_record_comes_back_from_its_text():
    assert read_header(loads(header_text(RECORD)), RECORD.payload) == RECORD


@given(st.lists(st.text(), min_size=8, max_size=8), st.integers(1, 9), st.none() | st.text())
def test_a_header_is_written_as_json_is_written_elsewhere(texts, schema, cause):
    record = Record(*texts[:3], schema, *texts[3:], cause, b"{}")
    assert header_text(record) == dumps(list(record[:-1]))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("stream", ""),
        ("stream", 5),
        ("event_id", ""),
        ("type", None),
        ("schema", 0),
        ("schema", True),
        ("schema", "1"),
        ("schema", 1 << 31),
        ("occurred_at", "2026-01-01"),
        ("occurred_at", "2026-01-01T09:00:00+00:00"),
        ("occurred_at", "2026-01-01T09:00:00.000000+01:00"),
        ("occurred_at", "soon"),
        ("actor_id", "caf\udce9"),
        ("correlation_id", None),
        ("causation_id", 3),
    ],
)
def test_a_header_that_no_store_should_hold_names_its_field(field, value):
    with pytest.raises(BadEventError) as caught:
        check_header(RECORD._replace(**{field: value}))
    assert caught.value.path == field


@pytest.mark.parametrize("value", [None, {}, [], [1], list(range(11))])
def test_something_else_is_no_header(value):
    with pytest.raises(BadEventError):
        read_header(value, b"{}")


@pytest.mark.parametrize(
    "change",
    [
        {"stream": None},
        {"occurred_at": "2026-01-01"},
        {"actor": Actor(kind="robot", id="x", surface=Surface.CLI)},
        {"actor": Actor(kind=ActorKind.HUMAN, id="x", surface="api")},
        {"payload": RecordingResumed(note=7)},
    ],
)
def test_an_event_that_does_not_keep_to_its_classes_is_never_encoded(change):
    with pytest.raises(BadEventError):
        encode_new(EVENT._replace(**change))


def test_an_actor_of_a_newer_kata_is_kept_and_is_nobody_known():
    actor = actor_of("robot", "r2", "api")
    assert (actor.kind, actor.kind.value, actor.surface.value) == ("robot", "robot", "api")
    assert actor.kind not in list(ActorKind)
    assert actor_of("human", "ann", "cli") == Actor(kind=ActorKind.HUMAN, id="ann", surface=Surface.CLI)
