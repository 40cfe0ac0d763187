"""``run show``: a run that stopped tells of the call at which it stopped, and of the steps that it did not reach."""

from kata.events import catalogue as told
from tests.surfaces.test_cli import shell
from tests.surfaces.test_slash import type_in

OK, BAD, SKIPPED = told.StepOutcome.SUCCEEDED, told.StepOutcome.FAILED, told.StepOutcome.SKIPPED
FOUND = {"tickets": [{"id": "T-00009", "title": "bug 9"}]}


def ended(run, step, outcome, result=None, element=None):
    return told.StepFinished(
        run_id=run,
        index=step,
        step=step,
        outcome=outcome,
        reason="",
        exit_code=None,
        duration_ms=3,
        result=result,
        element=element,
    )


def stopped_before(lab, *, element=None, answered=True):
    """Write a run of find, read, close that stopped before its second call was made; return its id."""
    lab.approved()
    [one] = lab.service.registered()
    run, inputs = lab.ids.new(), {"title": "bug 9"}
    kata = {"run_id": run, "kata": one.stream, "version": one.version}
    start = told.RunStarted(
        **kata,
        number=one.number,
        name=one.name,
        digest=one.digest,
        inputs=inputs,
        inputs_fingerprint="f",
        session_id="s",
        task_id="t",
        steps=3,
    )
    call = told.StepStarted(
        run_id=run, index=1, step=1, tool="find_ticket", effect="unknown", args=inputs, attempt=1
    )
    end = told.RunFinished(
        **kata,
        outcome=told.RunOutcome.FAILED,
        code="precondition",
        reason="",
        failed_step=2,
        duration_ms=5,
    )
    first = (call, ended(run, 1, OK, FOUND)) if answered else ()
    for event in (start, *first, ended(run, 2, BAD, element=element), ended(run, 3, SKIPPED), end):
        lab.add(f"run/{run}", event)
    return run


def test_a_call_that_was_not_made_is_shown_with_its_tool_effect_and_arguments(lab):
    lines = shell(lab, "run", "show", stopped_before(lab))[1].splitlines()
    [at] = [place for place, line in enumerate(lines) if line.startswith("  2")]
    assert "UNKNOWN" in lines[at]
    assert "read_ticket" in lines[at]
    assert lines[at + 1].strip() == 'not called; it would have been  {"id":"T-00009"}'
    assert "null" not in "\n".join(lines)


def test_a_step_that_was_not_reached_is_named(lab):
    [line] = [one for one in type_in(lab, f"run show {stopped_before(lab)}").splitlines() if "close" in one]
    assert line.startswith("  3")
    assert "skipped" in line


def test_arguments_that_cannot_be_rendered_stand_as_the_plan_has_them(lab):
    assert "«step 1 · tickets[0].id»" in shell(lab, "run", "show", stopped_before(lab, answered=False))[1]


def test_arguments_in_a_loop_stand_as_the_plan_has_them(lab):
    assert "«step 1 · tickets[0].id»" in shell(lab, "run", "show", stopped_before(lab, element=0))[1]
