"""The names that a person gave to inputs stand wherever that version is shown, and a revision keeps them."""

from typing import Any

from kata.events import catalogue as told
from kata.service.renaming import renamed_notes, renamed_values
from tests.service.lab import PERSON, Lab


def approved(lab: Lab, **renames: str) -> int:
    """Have the routine of tickets proposed, and approved with some of its inputs renamed."""
    number = lab.proposed()
    lab.service.decisions.approve(
        str(number),
        PERSON,
        name="settle_bug",
        renames=tuple(renames.items()),
        reviewed=lab.service.review(str(number)).digest,
    )
    return number


def inputs(view: Any) -> list[str]:
    return list(view.inputs["properties"])


def texts(view: Any) -> str:
    return " ".join(argument.text for step in view.steps for argument in step.arguments)


def test_a_review_shows_the_names_of_the_approval(lab):
    view = lab.service.review(str(approved(lab, title="bug")))
    assert inputs(view) == ["bug"]
    assert ("{bug}" in texts(view), "{title}" in texts(view)) == (True, False)


def test_review_and_plan_take_the_same_names(lab):
    number = str(approved(lab, title="bug"))
    [name] = inputs(lab.service.review(number))
    assert lab.service.plan(number, {name: "bug 7"}).problems == ()


def test_the_reasons_of_arguments_go_by_the_names_of_the_approval(lab):
    reasons = lab.service.why(str(approved(lab, title="bug"))).arguments
    assert "bug {bug}" in {one.text for one in reasons}
    assert not any("{title}" in one.text + one.reason for one in reasons)


def test_a_run_is_shown_with_the_names_of_its_version(lab):
    run_id = lab.ran(approved(lab, title="bug"), told.RunOutcome.SUCCEEDED)
    assert lab.service.run(run_id).inputs == {"bug": "bug 9"}


def test_what_was_noted_of_a_version_names_its_inputs_anew_and_all_at_once():
    notes = {
        "arguments": [{"step": 1, "path": "a", "reason": "always the same as the input {a}"}],
        "warnings": ["step 1 takes {b} as free shell text", "step 2 says {c}"],
    }
    made = renamed_notes(notes, (("a", "b"), ("b", "a")))
    assert made["arguments"][0]["reason"] == "always the same as the input {b}"
    assert made["warnings"] == ["step 1 takes {a} as free shell text", "step 2 says {c}"]


def test_values_that_are_no_object_stay_as_they_are():
    assert renamed_values(None, (("a", "b"),)) is None
    assert renamed_values({"a": 1, "c": 2}, (("a", "b"),)) == {"b": 1, "c": 2}
