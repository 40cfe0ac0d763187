"""Whether a stopped run may go on: the log is asked, not a view."""

import attrs
import pytest

from kata.events import catalogue as told
from kata.executor import Caller, Checkpoint
from kata.executor.journal import Place
from kata.service.running import NotActiveError
from tests.service.lab import PERSON

INPUTS = {"title": "bug 9"}
CALLER = Caller(session_id="later")


def stopped(lab, number, run_id="r1"):
    """Return where a run of an active kata stopped."""
    one = next(found for found in lab.service.registered() if found.number == number)
    [name] = lab.service.input_schema(number)["properties"]
    begun = lab.service.begin_run(one, {name: INPUTS["title"]}, Caller(session_id="before"))
    return Checkpoint(
        runs=(run_id,),
        request=attrs.evolve(begun.request, arguments=INPUTS),
        outcome=told.RunOutcome.FAILED,
        stopped=Place(step=2, tool="read_ticket", effect="unknown"),
        results={},
        elements=(),
        collected={},
        done=(),
    )


def test_it_goes_on_with_the_request_that_it_had_for_the_caller_of_now(lab):
    kept = stopped(lab, lab.approved())
    begun = lab.service.resume_run(kept, CALLER)
    assert begun.request == attrs.evolve(kept.request, caller=CALLER)
    assert begun.unacknowledged is None


def test_the_unknown_run_that_it_goes_on_from_is_no_obstacle_but_another_one_is(lab):
    number = lab.approved()
    kept = stopped(lab, number)
    own = lab.ran(number, told.RunOutcome.UNKNOWN, "timeout")
    assert lab.service.resume_run(attrs.evolve(kept, runs=(own,)), CALLER).unacknowledged is None
    assert lab.service.resume_run(kept, CALLER).unacknowledged == own


def test_what_is_not_active_any_more_does_not_go_on(lab):
    number = lab.approved()
    kept = stopped(lab, number)
    lab.service.decisions.disable(str(number), PERSON)
    with pytest.raises(NotActiveError, match="disabled"):
        lab.service.resume_run(kept, CALLER)


def test_another_version_or_digest_does_not_go_on(lab):
    kept = stopped(lab, lab.approved())
    for request in (attrs.evolve(kept.request, version=2), attrs.evolve(kept.request, digest="0" * 64)):
        with pytest.raises(NotActiveError, match="another version"):
            lab.service.resume_run(attrs.evolve(kept, request=request), CALLER)
