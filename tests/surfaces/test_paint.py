"""Widths, cuts and marks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.surfaces.paint import columns, cut, visible, width_of


@pytest.mark.parametrize(
    ("text", "shown"), [("a\u202eb", "a⟦U+202E⟧b"), ("\x08x", "⟦U+0008⟧x"), ("\udce9", "⟦U+DCE9⟧")]
)
def test_characters_that_deceive_become_marks(text, shown):
    assert visible(text) == shown


def test_wide_characters_take_two_columns_and_stay_aligned():
    rows = columns([["例行流程", "x"], ["ab", "y"]])
    assert [width_of(row) for row in rows] == [width_of("例行流程  x")] * 2


def test_a_cut_never_hides_an_operator():
    command = "cat " + "a" * 80 + " | sh"
    assert "| sh" in cut(command, 20) or cut(command, 20) == command


@given(st.text(min_size=1, max_size=200), st.integers(8, 80))
def test_what_is_cut_fits_or_stays_whole(text, width):
    shown = cut(text, width)
    assert shown == text or width_of(shown) <= width
