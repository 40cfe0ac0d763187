"""Lines come one at a time, and none of them fills the memory."""

import io

import pytest

from kata.importer import LineError, lines


def test_a_line_that_is_too_long_is_left_out_and_the_next_is_read(monkeypatch):
    monkeypatch.setattr(lines, "LONGEST", 8)
    monkeypatch.setattr(lines, "PIECE", 4)
    found = list(lines.bounded(io.BytesIO(b"12345\n" + b"x" * 30 + b"\nlast")))
    assert (found[0], found[2]) == (b"12345\n", b"last")
    assert isinstance(found[1], LineError)
    assert found[1].line == 2


def test_a_file_that_is_one_endless_line_says_so(monkeypatch):
    monkeypatch.setattr(lines, "LONGEST", 8)
    [found] = lines.bounded(io.BytesIO(b"y" * 100))
    assert isinstance(found, LineError)


def test_a_line_in_which_the_file_ends_says_so():
    broken, _, cut = (str(value) for _, value in lines.parsed([b'{"a"\n', b'{"a": 1}\n', b'{"a": ']))
    assert broken.startswith("line 1: no JSON")
    assert cut.startswith("line 3: no JSON")
    assert [told.endswith("the file ends in this line") for told in (broken, cut)] == [False, True]


@pytest.mark.parametrize(
    "odd",
    [
        *("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "9999-12-31", "0001-01-01", "soon", ""),
        *(-1, -1e18, 1e18, 253402300799, float("nan"), float("inf"), 10**40),
    ],
)
def test_a_moment_of_no_history_is_none_and_breaks_nothing(odd):
    with pytest.raises(ValueError, match=r"."):
        lines.moment(odd)
    assert lines.moment_or_none(odd) is None
