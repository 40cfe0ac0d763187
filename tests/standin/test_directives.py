"""What several answers of ``pre_tool_call`` mean together."""

from hypothesis import given
from hypothesis import strategies as st

from kata.standin.directives import Directive, combine

BLOCK = {"action": "block", "message": "no"}
ASK = {"action": "approve", "message": "why", "rule_key": "key"}
NOISE = [None, 1, "block", {}, {"action": "block"}, {"action": "block", "message": ""}, {"action": "modify"}]


def test_a_block_beats_an_earlier_approve():
    assert combine([ASK, BLOCK], {}) == Directive("block", "no")


def test_the_first_of_several_approves_counts():
    assert combine([ASK, {"action": "approve", "message": "later"}], {}).message == "why"


def test_an_approve_needs_neither_message_nor_key():
    assert combine([{"action": "approve"}], {}) == Directive("approve")


def test_modifications_add_up_onto_the_arguments():
    answers = [{"action": "modify", "args": {"a": 2}}, {"action": "modify", "args": {"b": 3}}]
    assert combine(answers, {"a": 1, "c": 1}).args == {"a": 2, "b": 3, "c": 1}


def test_modifications_before_a_block_stay_visible():
    assert combine([{"action": "modify", "args": {"a": 2}}, BLOCK], {}).args == {"a": 2}


def test_what_is_no_directive_is_ignored():
    assert combine(NOISE, {"a": 1}) == Directive()


@given(st.lists(st.sampled_from([BLOCK, ASK, *NOISE])))
def test_a_valid_block_always_wins(answers):
    expected = "block" if BLOCK in answers else "approve" if ASK in answers else ""
    assert combine(answers, {}).action == expected
