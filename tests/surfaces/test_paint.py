"""Widths, cuts and marks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.surfaces.paint import Page, broken, columns, cut, visible, width_of
from kata.surfaces.show import plan, review
from tests.service.lab import order


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


@given(st.text(alphabet="ab |⏎例", max_size=80), st.integers(1, 40))
def test_text_is_broken_so_that_its_lines_together_are_the_text(text, width):
    lines = broken(text, width)
    assert "".join(lines) == text
    assert all(width_of(line.rstrip()) <= width or " " not in line.rstrip() for line in lines)


LONG = "wc -l here.txt and then some more words that nobody would see in one line of a narrow terminal window"


def with_a_long_command(number):
    found, (tool, arguments, result) = order(number)
    return [found, (tool, {**arguments, "by": LONG}, result)]


@pytest.mark.parametrize("width", [20, 40, 60, 80, 200])
def test_a_review_and_a_plan_hold_every_command_whole_at_any_width(lab, width):
    number = str(lab.proposed(with_a_long_command))
    page = Page(width=width)
    for lines in (
        review.shell(lab.service.review(number), page),
        plan.shell(lab.service.plan(number, {}), page),
    ):
        assert LONG in " ".join(" ".join(lines).split())


def test_the_steps_of_a_review_fit_a_narrow_screen(lab):
    view = lab.service.review(str(lab.proposed(with_a_long_command)))
    said = [line for line in review.shell(view, Page(width=50)) if "  " * 9 in line]
    assert len(said) > 4
    assert all(width_of(line) <= 50 for line in said)
