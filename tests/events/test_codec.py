"""Strict both ways: nothing is coerced, and a wrong field is named by its path."""

import json
from datetime import UTC, datetime

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.events import Unreadable, known_types
from kata.events.catalogue import (
    AnnouncedCall,
    HistoryExpired,
    ModelAnswered,
    Outcome,
    RecordingPaused,
    ToolReturned,
    Usage,
)
from kata.events.codec import MAX_DEPTH, BadEventError, Codec, decode_payload, encode_payload
from kata.events.registry import CatalogueError, EventType
from kata.events.upcast import Upcasters
from tests.events.samples import ELSEWHERE, sample, values

RETURNED = sample(ToolReturned)
ANSWERED = sample(ModelAnswered)
EXPIRED = sample(HistoryExpired)


def changed(payload, **fields):
    return json.dumps(json.loads(encode_payload(payload)) | fields).encode()


@given(
    st.sampled_from(list(known_types().values())).flatmap(
        lambda one: st.tuples(st.just(one), values(one.payload))
    )
)
def test_whatever_is_written_is_read_back_equal_and_written_the_same(pair):
    entry, payload = pair
    raw = encode_payload(payload)
    again = decode_payload(entry.name, entry.schema, raw)
    assert again == payload
    assert encode_payload(again) == raw
    assert raw.isascii()


@pytest.mark.parametrize(
    ("fields", "path", "problem"),
    [
        ({"masked": "1"}, "tool.returned.masked", "expected int, found str"),
        ({"masked": True}, "tool.returned.masked", "expected int, found bool"),
        ({"masked": 1.0}, "tool.returned.masked", "expected int, found float"),
        ({"textual": 1}, "tool.returned.textual", "expected bool, found int"),
        ({"textual": None}, "tool.returned.textual", "expected bool, found NoneType"),
        ({"tool": 7}, "tool.returned.tool", "expected str, found int"),
        ({"exit_code": "0"}, "tool.returned.exit_code", "expected int or None, found str"),
        ({"outcome": "splendid"}, "tool.returned.outcome", "'splendid' is no Outcome"),
        ({"outcome": ["ok"]}, "tool.returned.outcome", "['ok'] is no Outcome"),
        ({"surprise": 1, "another": 2}, "tool.returned", "has unknown fields: another, surprise"),
    ],
)
def test_a_wrong_field_is_named_and_never_coerced(fields, path, problem):
    with pytest.raises(BadEventError) as caught:
        decode_payload("tool.returned", 1, changed(RETURNED, **fields))
    assert (caught.value.path, caught.value.problem) == (path, problem)


@pytest.mark.parametrize(
    ("payload", "fields", "path"),
    [
        (
            ANSWERED,
            {"announced": [{"call_id": "1", "tool": "t"}, {"call_id": "2", "tool": 2}]},
            "model.answered.announced[1].tool",
        ),
        (ANSWERED, {"announced": "ab"}, "model.answered.announced"),
        (ANSWERED, {"usage": [1, 2, 3]}, "model.answered.usage"),
        (ANSWERED, {"usage": {"input_tokens": 1, "output_tokens": 2}}, "model.answered.usage.total_tokens"),
        (EXPIRED, {"positions": [[1, 2], [3, "4"]]}, "history.expired.positions[1][1]"),
        (EXPIRED, {"positions": [[1, 2, 3]]}, "history.expired.positions[0]"),
        (EXPIRED, {"before": "yesterday"}, "history.expired.before"),
        (EXPIRED, {"before": "2026-01-01T09:00:00+05:30"}, "history.expired.before"),
        (EXPIRED, {"before": "2026-01-01T09:00:00"}, "history.expired.before"),
        (EXPIRED, {"before": 1767258000}, "history.expired.before"),
    ],
)
def test_a_wrong_field_deep_inside_is_named_by_its_path(payload, fields, path):
    name = next(entry.name for entry in known_types().values() if entry.payload is type(payload))
    with pytest.raises(BadEventError) as caught:
        decode_payload(name, 1, changed(payload, **fields))
    assert caught.value.path == path


def test_a_missing_field_is_named():
    value = json.loads(encode_payload(RETURNED))
    del value["tool"]
    with pytest.raises(BadEventError, match=r"tool\.returned\.tool: is missing"):
        decode_payload("tool.returned", 1, json.dumps(value).encode())


@pytest.mark.parametrize(
    "raw", [b"", b"nope", b"[]", b"null", b'"text"', b'{"a":NaN}', b"\xff\xfe", '{"a":"ü"}'.encode()]
)
def test_bytes_that_are_no_payload_are_refused(raw):
    with pytest.raises(BadEventError):
        decode_payload("tool.returned", 1, raw)


@pytest.mark.parametrize(
    ("payload", "path"),
    [
        (attrs.evolve(RETURNED, masked="1"), "tool.returned.masked"),
        (attrs.evolve(RETURNED, masked=True), "tool.returned.masked"),
        (attrs.evolve(RETURNED, outcome="ok"), "tool.returned.outcome"),
        (attrs.evolve(RETURNED, tool=None), "tool.returned.tool"),
        (attrs.evolve(RETURNED, args={"x": float("nan")}), "tool.returned.args"),
        (attrs.evolve(RETURNED, args={"x": {1, 2}}), "tool.returned.args"),
        (attrs.evolve(ANSWERED, announced=[]), "model.answered.announced"),
        (attrs.evolve(ANSWERED, announced=("ab",)), "model.answered.announced[0]"),
        (
            attrs.evolve(ANSWERED, usage=attrs.evolve(ANSWERED.usage, total_tokens="3")),
            "model.answered.usage.total_tokens",
        ),
        (attrs.evolve(ANSWERED, usage=AnnouncedCall(call_id="1", tool="t")), "model.answered.usage"),
        (attrs.evolve(EXPIRED, positions=((1, 2, 3),)), "history.expired.positions[0]"),
        (attrs.evolve(EXPIRED, before=datetime(2026, 1, 1)), "history.expired.before"),  # noqa: DTZ001 - the fault under test
    ],
)
def test_what_could_not_be_read_back_is_never_written(payload, path):
    with pytest.raises(BadEventError) as caught:
        encode_payload(payload)
    assert caught.value.path == path


def test_a_class_outside_the_catalogue_is_no_event():
    with pytest.raises(CatalogueError, match="Usage is not in the catalogue"):
        encode_payload(sample(Usage))


def test_an_unknown_type_is_kept_as_it_is():
    assert decode_payload("kata.archived", 1, b'{"a":[1]}') == Unreadable(why="unknown_type", raw={"a": [1]})


def test_a_newer_schema_is_kept_as_it_is():
    assert decode_payload("tool.returned", 99, b'{"a":1}') == Unreadable(why="newer_schema", raw={"a": 1})


def test_an_erased_payload_says_so():
    assert decode_payload("tool.returned", 1, None) == Unreadable(why="erased")


def test_a_moment_is_written_in_utc_wherever_it_was_taken():
    moment = datetime(2026, 1, 1, 9, 0, tzinfo=ELSEWHERE)
    raw = encode_payload(RecordingPaused(until=moment))
    assert raw == b'{"until":"2026-01-01T03:30:00.000000Z","note":""}'
    assert decode_payload("recording.paused", 1, raw).until == moment
    assert decode_payload("recording.paused", 1, raw).until.tzinfo is UTC


def test_numbers_keep_their_kind_inside_free_values():
    payload = attrs.evolve(RETURNED, args=[1, 1.0, True, "1"])
    args = decode_payload("tool.returned", 1, encode_payload(payload)).args
    assert [type(one) for one in args] == [int, float, bool, str]


def test_an_int_in_a_float_field_stays_an_int():
    raw = encode_payload(attrs.evolve(ANSWERED, seconds=3))
    assert b'"seconds":3,' in raw
    assert type(decode_payload("model.answered", 1, raw).seconds) is int


def nested(depth):
    value = "leaf"
    for _ in range(depth):
        value = [value]
    return value


def test_nesting_has_a_limit_that_every_reader_can_bear():
    allowed = attrs.evolve(RETURNED, args=nested(MAX_DEPTH - 1))
    assert decode_payload("tool.returned", 1, encode_payload(allowed)) == allowed
    for depth in (MAX_DEPTH, 100_000):
        with pytest.raises(BadEventError):
            encode_payload(attrs.evolve(RETURNED, args=nested(depth)))


def test_many_brackets_side_by_side_or_inside_texts_are_no_nesting():
    wide = attrs.evolve(RETURNED, args=[[] for _ in range(500)], result='[{"\\' * 500)
    assert decode_payload("tool.returned", 1, encode_payload(wide)) == wide


def test_an_enum_of_another_kind_is_refused():
    assert encode_payload(attrs.evolve(RETURNED, outcome=Outcome.FAILED))
    with pytest.raises(BadEventError, match="expected Outcome"):
        encode_payload(attrs.evolve(RETURNED, outcome="failed"))


@attrs.frozen(kw_only=True)
class Checked:
    door: str = attrs.field(validator=attrs.validators.min_len(1))


def test_an_event_with_behaviour_is_a_mistake_in_the_catalogue():
    codec = Codec([EventType("door.checked", 1, Checked)], Upcasters())
    with pytest.raises(CatalogueError, match="Checked has validators"):
        codec.decode_payload("door.checked", 1, b'{"door":"front"}')
