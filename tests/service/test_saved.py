"""What tools saved, and since when one is broken: recomputable, with the basis, nothing claimed without one."""

import pytest

from kata.events import catalogue as told
from kata.service.saved import Mark, turning
from tests.service.lab import SCHEMAS, order, ticket

GOOD, BAD = told.RunOutcome.SUCCEEDED, told.RunOutcome.FAILED


def test_nothing_is_claimed_before_a_run_succeeded(lab):
    number = lab.approved()
    lab.ran(number, BAD)
    view = lab.service.stats()
    assert (view.saved, view.runs, view.requests, view.tokens) == ((), 0, None, None)


def test_what_was_saved_can_be_reckoned_from_its_basis(lab):
    number = lab.approved()
    for _ in range(4):
        lab.ran(number, GOOD)
    view = lab.service.stats()
    [one] = view.saved
    base = one.baseline
    assert (one.runs, one.calls) == (4, 4 * (one.steps - 1))
    assert one.requests == 4 * (base.model_requests - 1)
    assert one.tokens == pytest.approx(4 * base.tokens * (base.model_requests - 1) / base.model_requests)
    assert (view.runs, view.calls, view.requests, view.tokens) == (4, one.calls, one.requests, one.tokens)


def test_seconds_that_were_not_measured_are_not_claimed(lab):
    lab.ran(lab.approved(), GOOD)
    [one] = lab.service.stats().saved
    assert (one.baseline.seconds, one.seconds) == (None, None)


def test_steps_done_by_hand_although_the_tool_was_there_are_counted(lab):
    lab.approved()
    lab.clock.advance(minutes=1)
    lab.practise(ticket, 2, start=20)
    lab.practise(order, 2)
    [one] = lab.service.stats().by_hand
    assert (one.name, one.times) == ("settle_bug", 2)


def test_a_tool_that_is_turned_off_is_not_done_by_hand_in_spite_of_it(lab):
    from tests.service.lab import PERSON

    number = lab.approved()
    lab.service.decisions.disable(str(number), PERSON)
    assert lab.service.stats().by_hand == ()


def test_a_drift_between_runs_seven_and_eight_is_what_blame_points_at(lab):
    number = lab.approved()
    for _ in range(7):
        lab.ran(number, GOOD)
    schema = SCHEMAS["find_ticket"]
    lab.describe(
        "find_ticket", {**schema, "properties": {**schema["properties"], "page": {"type": "integer"}}}
    )
    lab.describe("ship_order", {**SCHEMAS["ship_order"], "title": "another tool's"})
    runs = [lab.ran(number, BAD) for _ in range(2)]
    view = lab.service.blame(str(number))
    assert (view.bad.what, view.good_runs, view.bad_runs) == (runs[0], 7, 2)
    assert [(one.kind, one.what) for one in view.between] == [("schema", "find_ticket")]


def test_a_kata_whose_newest_run_succeeded_is_well(lab):
    number = lab.approved()
    lab.ran(number, BAD)
    lab.ran(number, GOOD)
    assert lab.service.blame(str(number)).bad is None


def test_one_that_never_succeeded_has_no_good_run(lab):
    number = lab.approved()
    first = lab.ran(number, BAD)
    view = lab.service.blame(str(number))
    assert (view.good, view.bad.what, view.between) == (None, first, ())


def runs(text):
    words = {"g": "succeeded", "b": "failed", "u": "unknown", "x": "blocked"}
    moment = __import__("datetime").datetime(2026, 1, 1)
    return [
        Mark(kind="run", at=moment, position=place, what=str(place), outcome=words[one])
        for place, one in enumerate(text)
    ]


@pytest.mark.parametrize(
    ("text", "good", "bad"),
    [
        ("", None, None),
        ("gg", 1, None),
        ("gb", 0, 1),
        ("ggbbb", 1, 2),
        ("bgbb", 1, 2),
        ("gbgb", 2, 3),
        ("gubxb", 0, 2),
        ("bb", None, 0),
        ("bg", 1, None),
    ],
)
def test_the_turning_is_the_first_bad_run_after_the_last_good_one(text, good, bad):
    found = turning(runs(text))
    assert [one and one.position for one in found] == [good, bad]
