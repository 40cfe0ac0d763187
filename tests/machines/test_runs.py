"""Which event of a run moves it where."""

import pytest

from kata.events import catalogue as told
from kata.machines import RUN, RunState, RunTrigger, run_trigger

from .support import AGENT, PERSON, event_of


def finished(outcome):
    return told.RunFinished(
        run_id="r",
        kata="kata/abc",
        version=1,
        outcome=outcome,
        code="",
        reason="",
        failed_step=None,
        duration_ms=1,
    )


@pytest.mark.parametrize(
    ("outcome", "trigger"),
    [
        (told.RunOutcome.SUCCEEDED, RunTrigger.SUCCEED),
        (told.RunOutcome.FAILED, RunTrigger.FAIL),
        (told.RunOutcome.BLOCKED, RunTrigger.BLOCK),
        (told.RunOutcome.UNKNOWN, RunTrigger.LOSE),
    ],
)
def test_each_outcome_is_a_trigger_of_its_own(outcome, trigger):
    assert run_trigger(event_of(finished(outcome), AGENT)) is trigger


def test_a_step_opens_and_closes():
    state = RunState.RUNNING
    for trigger in (RunTrigger.BEGIN_STEP, RunTrigger.END_STEP, RunTrigger.SUCCEED):
        state = RUN.next(state, trigger, AGENT.kind)
    assert state == RunState.SUCCEEDED


def test_a_run_that_goes_on_is_running():
    event = event_of(told.RunResumed(run_id="r", resumes="q", step=2), AGENT)
    assert run_trigger(event) is RunTrigger.RESUME
    assert RUN.next(RunState.RUNNING, RunTrigger.RESUME, AGENT.kind) == RunState.RUNNING


def test_an_acknowledgement_is_a_trigger():
    event = event_of(told.RunAcknowledged(run_id="r"), PERSON)
    assert run_trigger(event) is RunTrigger.ACKNOWLEDGE


def test_other_events_are_no_triggers():
    assert run_trigger(event_of(told.KataRejected(), PERSON)) is None
