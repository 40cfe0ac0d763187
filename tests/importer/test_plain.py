"""The plain form: one call a line."""

from datetime import UTC, datetime

import pytest

from kata.importer import ImportedCall, LineError, read_plain
from tests.importer import hand

CALL = {"session_id": "s", "tool": "t", "args": {}}


def read(*values):
    return list(read_plain(hand.lines(*values)))


def test_what_is_missing_is_unknown():
    [call] = read(CALL)
    assert (call.at, call.ok, call.duration_ms, call.result) == (None, None, None, None)


def test_a_result_that_is_json_text_is_decoded():
    [call] = read(CALL | {"result": '{"a": 1}'})
    assert call.result == {"a": 1}


@pytest.mark.parametrize(
    ("ts", "moment"),
    [
        (0, datetime(1970, 1, 1, tzinfo=UTC)),
        ("2026-10-01T09:00:00", datetime(2026, 10, 1, 9, tzinfo=UTC)),
        ("2026-10-01T11:00:00+02:00", datetime(2026, 10, 1, 9, tzinfo=UTC)),
    ],
)
def test_a_moment_is_seconds_or_iso(ts, moment):
    [call] = read(CALL | {"ts": ts})
    assert call.at == moment


@pytest.mark.parametrize(
    "bad",
    [
        {"tool": "t"},
        CALL | {"args": []},
        CALL | {"tool": 1},
        CALL | {"ts": "soon"},
        CALL | {"ts": 1e300},
        [],
        3,
    ],
)
def test_a_line_that_is_no_call_is_named_and_the_rest_is_read(bad):
    first, second = read(bad, CALL)
    assert isinstance(first, LineError)
    assert first.line == 1
    assert isinstance(second, ImportedCall)


def test_empty_lines_count_but_say_nothing():
    found = list(read_plain([b"\n", b"  \n", b"{\n"]))
    assert [one.line for one in found] == [3]


def test_an_endless_duration_is_unknown():
    [call] = read_plain([b'{"session_id": "s", "tool": "t", "args": {}, "duration_ms": 1e999}'])
    assert call.duration_ms is None


def test_what_is_no_moment_is_not_repeated():
    secret = "ghp_" + "0mX5" * 9
    [error] = read(CALL | {"ts": secret})
    assert str(error) == "line 1: ts is no moment"
