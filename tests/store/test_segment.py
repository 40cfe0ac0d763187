"""The spool's files as the drain sees them."""

import pytest

from kata.events.record import encode_new
from kata.json import loads
from kata.store.owned import OwnedSegment
from kata.store.segment import (
    BadRecordError,
    delete_finished,
    ends_a_line,
    frame,
    list_segments,
    parse,
    read_part,
)


@pytest.fixture
def record(make):
    return encode_new(make.called())


@pytest.fixture
def finished(tmp_path, record):
    path = tmp_path / "a.jsonl"
    path.write_bytes(frame(record) * 3)
    return path


def test_a_line_is_a_json_array_whose_last_parts_are_header_and_payload(record):
    mark, length, checksum, header, payload = loads(frame(record))
    assert (mark, len(length), len(checksum)) == ("v1", 8, 8)
    assert header[:3] == [record.stream, record.event_id, record.type]
    assert payload == loads(record.payload)


def test_every_byte_of_a_line_counts(record):
    line = frame(record)[:-1]
    assert parse(line) == record
    for at in range(len(line)):
        with pytest.raises(BadRecordError):
            parse(line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :])


def test_no_beginning_of_a_line_is_a_line(record):
    line = frame(record)[:-1]
    for length in range(len(line)):
        with pytest.raises(BadRecordError):
            parse(line[:length])


def test_a_segment_with_more_bytes_than_are_drained_is_never_deleted(finished):
    size = finished.stat().st_size
    delete_finished(finished, size - 1)
    assert finished.exists()
    delete_finished(finished, size)
    assert not finished.exists()


def test_a_segment_with_an_owner_is_never_deleted(tmp_path, record):
    owned = OwnedSegment(tmp_path / "a.jsonl")
    owned.write(frame(record))
    delete_finished(owned.path, 10_000)
    assert owned.path.exists()
    owned.close()
    delete_finished(owned.path, 10_000)
    assert not owned.path.exists()


def test_a_part_ends_where_there_is_no_more_room(finished, record):
    line = len(frame(record))
    part = read_part(finished, 0, 2)
    assert (len(part.records), part.start, part.end) == (2, 0, 2 * line)
    rest = read_part(finished, part.end, 2)
    assert (len(rest.records), rest.end) == (1, 3 * line)


def test_a_torn_end_waits_until_there_is_room_for_it(finished, record):
    line = len(frame(record))
    with finished.open("ab") as file:
        file.write(b"torn")
    part = read_part(finished, 0, 3)
    assert (len(part.records), part.bad, part.end) == (3, [], 3 * line)
    assert [one.raw for one in read_part(finished, part.end, 3).bad] == [b"torn"]


def test_a_segment_that_is_gone_has_nothing(tmp_path):
    part = read_part(tmp_path / "none.jsonl", 7, 5)
    assert (part.records, part.bad, part.end) == ([], [], 7)
    delete_finished(tmp_path / "none.jsonl", 0)


def test_only_segments_are_listed_oldest_first(tmp_path):
    for name in ("b.jsonl", "a.jsonl", "c.txt"):
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / "set-aside").mkdir()
    assert list_segments(tmp_path) == {"a.jsonl": 7, "b.jsonl": 7}
    assert list_segments(tmp_path / "none") == {}


def test_the_end_of_a_line_is_known(finished, record):
    line = len(frame(record))
    ends = [offset for offset in range(3 * line + 1) if ends_a_line(finished, offset)]
    assert ends == [0, line, 2 * line, 3 * line]
