"""The names that a person gave to inputs stand wherever that version is shown, and a revision keeps them."""

from typing import Any

import pytest

from kata.events import Surface
from kata.events import catalogue as told
from kata.service.errors import NotAnInputError
from kata.service.renaming import fitting, names_kept, renamed_notes, renamed_values
from kata.spec import InputField, Spec
from tests.service.lab import PERSON, SCHEMAS, Lab, Steps, ticket


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


def otherwise(number: int) -> Steps:
    steps = ticket(number)
    steps[2][1]["state"] = f"waits for {number}"
    return steps


def stricter(tool: str, name: str) -> dict[str, Any]:
    schema = SCHEMAS[tool]
    properties = {**schema["properties"], name: {"type": "string"}}
    return {**schema, "properties": properties, "required": [*schema["required"], name]}


def test_a_revision_by_evidence_keeps_the_names_and_its_digest_is_of_them(lab):
    number = approved(lab, title="bug")
    lab.practise(otherwise, 4, start=100)
    assert [row.number for row in lab.service.mine().revised] == [number]
    view = lab.service.review(str(number))
    assert (view.version, inputs(view)) == (2, ["bug", "state"])
    assert not any("{title}" in line for line in view.changes)
    lab.approve(number)
    assert inputs(lab.service.review(str(number))) == ["bug", "state"]
    assert lab.service.registered()[0].renamed == ()
    assert lab.service.review(str(number)).digest == view.digest


def test_a_name_that_was_given_twice_over_is_kept_as_it_was_given_last(lab):
    number = approved(lab, title="bug")
    lab.practise(otherwise, 4, start=100)
    lab.service.mine()
    digest = lab.service.review(str(number)).digest
    lab.service.decisions.approve(str(number), PERSON, renames=(("bug", "fault"),), reviewed=digest)
    assert names_kept(lab.reads.katas.numbered(number)) == (("title", "fault"),)


def test_what_is_the_same_but_for_names_is_no_revision(lab):
    number = approved(lab, title="bug")
    lab.practise(ticket, 4, start=100)
    assert lab.service.mine().revised == ()
    assert lab.service.review(str(number)).version == 1


def test_a_revision_by_a_schema_keeps_the_names(lab):
    number = approved(lab, title="bug")
    lab.describe("close_ticket", stricter("close_ticket", "reason"))
    lab.service.refresh()
    lab.service.upkeep(Surface.HOOK)
    view = lab.service.review(str(number))
    assert (view.version, inputs(view)) == (2, ["bug", "reason"])
    assert not any("title" in line and "bug" in line for line in view.changes)


def test_a_name_that_another_input_has_by_now_is_not_given_again():
    made = Spec(steps=(), inputs=(InputField(name="a", schema={}), InputField(name="b", schema={})))
    assert fitting(made, (("a", "b"), ("b", "c"), ("gone", "d"))) == (("b", "c"),)


def test_one_name_is_not_given_to_two_inputs(lab):
    number = approved(lab)
    lab.practise(otherwise, 4, start=100)
    lab.service.mine()
    digest = lab.service.review(str(number)).digest
    renames = (("title", "what"), ("state", "what"))
    with pytest.raises(NotAnInputError, match="taken"):
        lab.service.decisions.approve(str(number), PERSON, renames=renames, reviewed=digest)
