"""Runs as their events tell them, and what they mean for the next one."""

import attrs
import pytest

from kata.events import catalogue as told
from kata.machines import FAILURE_CODES
from kata.projections import NO_RUNS, Runs
from kata.runtime.journal import joined

from .support import (
    AGENT,
    PERSON,
    TOOL,
    Diary,
    run_finished,
    run_started,
    step_finished,
    step_started,
)

ABC = "kata/abc"


@pytest.fixture
def diary():
    return Diary()


def runs(diary):
    return Runs(diary.views()[0])


def ran(diary, run, outcome=told.RunOutcome.SUCCEEDED, code="", version=1, fingerprint="in"):
    position = diary.tell(run_started(run, version=version, fingerprint=fingerprint), TOOL)
    diary.tell(run_finished(run, outcome, code, version=version), TOOL)
    return position


def failed(diary, run, **more):
    return ran(diary, run, told.RunOutcome.FAILED, "step_failed", **more)


def test_a_run_that_goes_on_names_the_one_before(diary):
    ran(diary, "r0")
    diary.tell(run_started(), TOOL)
    diary.tell(told.RunResumed(run_id="r1", resumes="r0", step=2), TOOL)
    view = runs(diary)
    assert [view.one(run).resumes for run in ("r0", "r1")] == ["", "r0"]
    assert view.one("r1").state == "running"


def test_a_run_is_read_with_its_steps(diary):
    diary.tell(run_started(), TOOL)
    diary.tell(step_started(), TOOL)
    diary.tell(step_finished(), TOOL)
    diary.tell(run_finished(), TOOL)
    view = runs(diary)
    run = view.one("r1")
    assert (run.state, run.name, run.inputs, run.duration_ms) == (
        "succeeded",
        "push_branch",
        {"branch": "main"},
        9,
    )
    assert run.finished_at > run.started_at
    (step,) = view.steps("r1")
    assert (step.tool, step.args, step.outcome, step.result) == (
        "read_file",
        {"path": "a"},
        "succeeded",
        {"content": "x"},
    )


def test_a_step_that_was_skipped_has_no_call(diary):
    diary.tell(run_started(), TOOL)
    diary.tell(step_finished(index=1, step=2, outcome=told.StepOutcome.SKIPPED, reason="step 1 failed"), TOOL)
    (step,) = runs(diary).steps("r1")
    assert (step.step, step.tool, step.outcome, step.reason) == (2, "", "skipped", "step 1 failed")


def test_a_run_without_an_end_stays_open(diary):
    diary.tell(run_started(), TOOL)
    diary.tell(step_started(), TOOL)
    run = runs(diary).one("r1")
    assert (run.state, run.is_open) == ("in_step", True)


def test_a_late_answer_is_kept_with_its_step(diary):
    diary.tell(run_started(), TOOL)
    diary.tell(step_started(), TOOL)
    diary.tell(step_finished(outcome=told.StepOutcome.UNKNOWN), TOOL)
    diary.tell(run_finished(outcome=told.RunOutcome.UNKNOWN, code="timeout"), TOOL)
    late = told.StepAnsweredLate(
        run_id="r1", index=1, outcome=told.StepOutcome.SUCCEEDED, result=[1], after_ms=90
    )
    diary.tell(late, TOOL)
    assert runs(diary).steps("r1")[0].late == {"outcome": "succeeded", "result": [1], "after_ms": 90}


def test_an_end_is_written_once(diary):
    ran(diary, "r1")
    diary.tell(run_finished("r1", told.RunOutcome.FAILED, "step_failed"), TOOL)
    assert runs(diary).one("r1").state == "succeeded"


def test_runs_are_listed_newest_first_by_kata_and_by_page(diary):
    for number in range(4):
        ran(diary, f"r{number}")
    diary.tell(run_started("other", kata="kata/def"), TOOL)
    view = runs(diary)
    assert [run.run_id for run in view.latest()] == ["other", "r3", "r2", "r1", "r0"]
    page = view.latest(ABC, limit=2)
    assert [run.run_id for run in page] == ["r3", "r2"]
    assert [run.run_id for run in view.latest(ABC, before=page[-1].position)] == ["r1", "r0"]


def test_counts_tell_runs_failures_and_the_last_one(diary):
    ran(diary, "r1")
    failed(diary, "r2")
    ran(diary, "r3", told.RunOutcome.BLOCKED, "denied")
    counts = runs(diary).counts()[ABC]
    assert (counts.runs, counts.failures, counts.last_state) == (3, 1, "blocked")
    assert runs(diary).counts().get("kata/none", NO_RUNS).runs == 0


class TestFailedInARow:
    def test_failures_since_the_last_success_are_named_oldest_first(self, diary):
        failed(diary, "r1")
        ran(diary, "r2")
        failed(diary, "r3")
        failed(diary, "r4")
        assert runs(diary).failed_in_a_row(ABC, 1, 0) == ("r3", "r4")

    @pytest.mark.parametrize(
        ("outcome", "code"),
        [
            (told.RunOutcome.BLOCKED, "denied"),
            (told.RunOutcome.BLOCKED, "unattended"),
            (told.RunOutcome.UNKNOWN, "timeout"),
            (told.RunOutcome.FAILED, "bad_arguments"),
        ],
    )
    def test_what_is_no_failed_run_neither_counts_nor_interrupts(self, diary, outcome, code):
        failed(diary, "r1")
        ran(diary, "r2", outcome, code)
        failed(diary, "r3")
        assert runs(diary).failed_in_a_row(ABC, 1, 0) == ("r1", "r3")

    @pytest.mark.parametrize("code", sorted(FAILURE_CODES))
    def test_a_failed_step_and_a_broken_precondition_count(self, diary, code):
        ran(diary, "r1", told.RunOutcome.FAILED, code)
        assert runs(diary).failed_in_a_row(ABC, 1, 0) == ("r1",)

    def test_a_success_that_somebody_mended_does_not_interrupt(self, diary):
        failed(diary, "r1")
        diary.tell(run_started("r2"), TOOL)
        diary.tell(told.RunResumed(run_id="r2", resumes="r1", step=2), TOOL)
        diary.tell(run_finished("r2"), TOOL)
        failed(diary, "r3")
        assert runs(diary).failed_in_a_row(ABC, 1, 0) == ("r1", "r3")

    def test_each_version_and_each_activation_begins_anew(self, diary):
        failed(diary, "r1")
        position = failed(diary, "r2")
        failed(diary, "r3", version=2)
        view = runs(diary)
        assert view.failed_in_a_row(ABC, 1, 0) == ("r1", "r2")
        assert view.failed_in_a_row(ABC, 1, position - 1) == ("r2",)
        assert view.failed_in_a_row(ABC, 2, 0) == ("r3",)


class TestUnsettled:
    def test_a_run_with_an_unknown_end_needs_a_person_before_a_repeat(self, diary):
        ran(diary, "r1", told.RunOutcome.UNKNOWN, "timeout")
        view = runs(diary)
        assert [run.run_id for run in view.unsettled(ABC, "in")] == ["r1"]
        assert view.unsettled(ABC, "other") == ()
        assert view.unsettled("kata/def", "in") == ()

    def test_so_does_one_whose_end_was_never_written(self, diary):
        diary.tell(run_started(), TOOL)
        diary.tell(step_started(), TOOL)
        assert [run.is_open for run in runs(diary).unsettled(ABC, "in")] == [True]

    def test_an_acknowledged_one_does_not(self, diary):
        ran(diary, "r1", told.RunOutcome.UNKNOWN, "timeout")
        diary.tell(told.RunAcknowledged(run_id="r1", note="seen"), PERSON)
        run = runs(diary).one("r1")
        assert (run.state, run.acknowledged_at is not None) == ("acknowledged", True)
        assert runs(diary).unsettled(ABC, "in") == ()

    def test_an_agent_cannot_acknowledge(self, diary):
        ran(diary, "r1", told.RunOutcome.UNKNOWN, "timeout")
        diary.tell(told.RunAcknowledged(run_id="r1"), AGENT)
        assert len(runs(diary).unsettled(ABC, "in")) == 1


def test_a_step_told_in_one_event_is_the_step_that_two_events_tell(diary):
    began = diary.clock.now()
    diary.tell(run_started("r1"), TOOL)
    diary.tell(run_started("r2"), TOOL)
    start = step_started("r1")
    diary.tell(start, TOOL, at=began)
    diary.tell(step_finished("r1"), TOOL)
    (whole, _), *more = joined([(step_started("r2"), began), (step_finished("r2"), diary.clock.now())])
    assert more == []
    diary.tell(whole, TOOL)
    for run in ("r1", "r2"):
        diary.tell(run_finished(run), TOOL)
    view = runs(diary)
    (apart,), (together,) = view.steps("r1"), view.steps("r2")
    assert attrs.asdict(together) | {"run_id": "r1"} == attrs.asdict(apart)
    assert {view.one(run).state for run in ("r1", "r2")} == {"succeeded"}
