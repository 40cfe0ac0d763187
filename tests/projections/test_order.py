"""A turn's calls stand as the model announced them, whatever the order in which they came back."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.projections.codec import text_key
from kata.projections.order import BREAKS, NESTED, OK, PAIR, ROW, Fact, Kind, ordered


def pairs(*announced):
    return b"".join(PAIR.pack(text_key(call) if call else 0, text_key(tool)) for call, tool in announced)


def answered(position, request, *announced):
    return Fact(position, 1, Kind.ANSWERED, 1, request, pairs(*announced), float(position))


def returned(position, request, call, tool="t", flags=OK):
    key = text_key(call) if call else 0
    seen = {"call": key, "tool": text_key(tool), "signature": position, "flags": flags}
    return Fact(position, 1, Kind.RETURNED, 1, request, at=float(position), **seen)


def ended(position):
    return Fact(position, 1, Kind.ENDED, 1)


def shape(*facts):
    """Return ``(position, group, breaks)`` of each row."""
    return [(row[0], row[3], bool(row[4] & BREAKS)) for row in ROW.iter_unpack(ordered(facts).rows)]


@pytest.mark.parametrize("arrival", list(itertools.permutations("abc")))
def test_parallel_calls_stand_as_announced_in_whatever_order_they_end(arrival):
    position = {call: index for index, call in enumerate(arrival, 2)}
    facts = [answered(1, "r", ("a", "t"), ("b", "t"), ("c", "t"))]
    facts += [returned(position[call], "r", call) for call in arrival]
    assert [row[0] for row in shape(*facts)] == [position[call] for call in "abc"]


def test_calls_of_one_request_share_a_group_and_the_next_request_has_another():
    facts = (answered(1, "r", ("a", "t"), ("b", "t")), returned(2, "r", "a"), returned(3, "r", "b"))
    later = (answered(4, "q", ("c", "t")), returned(5, "q", "c"))
    assert [group for _, group, _ in shape(*facts, *later)] == [0, 0, 1]


def test_a_call_announced_and_never_seen_is_a_break_in_its_place():
    facts = (
        answered(1, "r", ("a", "t"), ("m", "memory"), ("b", "t")),
        returned(2, "r", "a"),
        returned(3, "r", "b"),
    )
    assert shape(*facts) == [(2, 0, False), (1, 0, True), (3, 0, False)]
    assert ordered((*facts, ended(4))).hidden == 1


def test_a_call_still_under_way_is_not_counted_as_hidden():
    assert ordered((answered(1, "r", ("a", "t")),)).hidden == 0
    assert ordered((answered(1, "r", ("a", "t")), answered(2, "q", ("b", "t")))).hidden == 1


def test_a_further_call_of_a_batch_is_found_by_its_tool_under_a_made_up_id():
    facts = (
        answered(1, "r", ("a", "x"), ("", "y"), ("", "x")),
        returned(2, "r", "made-up-2", "x"),
        returned(3, "r", "made-up-1", "y"),
        returned(4, "r", "a", "x"),
    )
    assert [row[0] for row in shape(*facts)] == [4, 3, 2]
    assert ordered((*facts, ended(5))).hidden == 0


def test_calls_that_nobody_announced_come_as_they_arrive():
    assert [row[0] for row in shape(returned(1, "r", "b"), returned(2, "r", "a"))] == [1, 2]


def test_calls_of_unknown_request_are_each_their_own_group():
    assert [row[1] for row in shape(returned(1, "", "b"), returned(2, "", "a"))] == [0, 1]


def test_nested_calls_are_no_rows_and_are_not_counted():
    found = ordered((returned(1, "r", "a"), returned(2, "r", "b", flags=OK | NESTED)))
    assert (len(list(ROW.iter_unpack(found.rows))), found.calls) == (1, 1)


def test_a_turn_without_calls_has_no_rows():
    assert ordered(()).rows == b""


@given(st.lists(st.tuples(st.sampled_from(["", "r", "q"]), st.booleans())), st.booleans())
def test_what_was_not_announced_stands_as_it_would_beside_an_empty_announcement(calls, is_over):
    facts = [
        returned(position, request, "a", flags=OK | NESTED if nested else OK)
        for position, (request, nested) in enumerate(calls, 1)
    ]
    facts += [ended(98)] if is_over else []
    assert ordered(facts) == ordered([*facts, answered(99, "late")])
