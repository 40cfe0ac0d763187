"""When agents were at work, as live turns tell: what a doubt about a terminal rests on."""

import pytest

from kata.projections import worked_between
from kata.projections.working import UNDER_WAY_S

from .support import AGENT, IMPORT, Diary, answered, hours, turn_ended, turn_started

BEGAN, ANSWERED, ENDED = 1.0, 2.0, 3.0
"""Hours after the diary's beginning."""


def told(*, ended=True, actor=AGENT):
    diary = Diary()
    start = diary.clock.now()
    diary.tell(turn_started("s1", "t"), actor, at=start + hours(BEGAN))
    diary.tell(answered("s1", "t", "t:api:1", [("a", "terminal")]), actor, at=start + hours(ANSWERED))
    if ended:
        diary.tell(turn_ended("s1", "t"), actor, at=start + hours(ENDED))
    store, _ = diary.views()

    def worked(first, last):
        moments = ((start + hours(one)).timestamp() for one in (first, last))
        return worked_between(store, diary.log, *moments)

    return worked


@pytest.mark.parametrize(
    ("first", "last", "answer"),
    [
        (0.0, 0.9, False),
        (0.0, 1.0, True),
        (1.5, 1.6, True),
        (2.5, 2.6, True),
        (3.0, 9.0, True),
        (3.1, 9.0, False),
    ],
)
def test_a_turn_is_work_from_its_beginning_to_its_end(first, last, answer):
    assert told()(first, last) is answer


def test_a_turn_under_way_goes_on_for_a_while_after_what_was_last_seen_of_it():
    worked, while_ = told(ended=False), UNDER_WAY_S / 3600
    assert worked(ANSWERED + while_ - 0.01, 9.0)
    assert not worked(ANSWERED + while_ + 0.01, 9.0)


def test_an_imported_turn_is_no_work_of_this_machine_s():
    assert not told(actor=IMPORT)(0.0, 9.0)
