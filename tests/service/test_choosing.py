"""Several sources explain an argument of an effect: no approval without a choice (case B036)."""

import pytest

from kata.errors import UsageError
from kata.service.choosing import AmbiguousSourceError
from kata.service.errors import ValidationFailedError
from tests.service.lab import PERSON, Steps

TEXT = {"type": "string"}
TOOLS = {
    "list_disks": {"type": "object", "properties": {"host": TEXT}, "required": ["host"]},
    "wipe_disk": {"type": "object", "properties": {"disk": TEXT}, "required": ["disk"]},
}


def wipe(number: int) -> Steps:
    """A routine whose effect takes a value that two fields of the first answer hold."""
    disk = f"disk-{number}aaa"
    found = {"first": disk, "main": disk, "other": "none"}
    return [("list_disks", {"host": f"h{number}"}, found), ("wipe_disk", {"disk": disk}, {"ok": True})]


@pytest.fixture
def number(lab):
    for tool, schema in TOOLS.items():
        lab.describe(tool, schema)
    return lab.proposed(wipe)


def approve(lab, number, *using):
    digest = lab.service.review(str(number)).digest
    return lab.service.decisions.approve(str(number), PERSON, name="clear_host", using=using, reviewed=digest)


def test_review_says_what_must_be_chosen_and_between_which_sources(lab, number):
    [choice] = lab.service.review(str(number)).choices
    assert (choice.place, choice.sources) == ("step2.disk", ("shown", "step1.main"))


def test_no_approval_without_the_choice(lab, number):
    with pytest.raises(AmbiguousSourceError) as refused:
        approve(lab, number)
    assert "using step2.disk=shown (or step2.disk=step1.main)" in refused.value.hint
    assert lab.state(number) == "candidate"


def test_choosing_what_is_shown_approves_the_version_that_was_read(lab, number):
    decided = approve(lab, number, ("step2.disk", "shown"))
    assert (decided.version, lab.state(number)) == (1, "active")


def test_another_source_makes_a_version_that_is_approved_at_once(lab, number):
    decided = approve(lab, number, ("step2.disk", "step1.main"))
    view = lab.service.review(str(number))
    assert (decided.version, view.version, view.digest) == (2, 2, decided.digest)
    assert view.steps[1].arguments[0].text == "«step 1 · main»"
    assert [one.cause for one in view.versions] == ["proposal", "choice"]


def test_what_was_chosen_is_no_longer_ambiguous_and_says_who_chose(lab, number):
    approve(lab, number, ("step2.disk", "step1.main"))
    view = lab.service.review(str(number))
    assert (view.choices, [one for one in view.warnings if "ambiguous" in one]) == ((), [])
    assert lab.service.why(str(number)).arguments[1].reason == "chosen by a person"


def test_the_choice_stands_in_the_note_of_the_decision(lab, number):
    approve(lab, number, ("step2.disk", "step1.main"))
    from kata.service.views import AuditQuery

    [row] = lab.service.audit(AuditQuery(action="kata.approved")).rows
    assert "step 2 disk from step1.main" in row.fields["note"]


def test_a_source_that_the_recordings_do_not_bear_out_is_refused(lab, number):
    with pytest.raises(ValidationFailedError):
        approve(lab, number, ("step2.disk", "step1.other"))
    assert lab.state(number) == "candidate"
    assert len(lab.service.review(str(number)).versions) == 1


@pytest.mark.parametrize(
    "choice", [("step2.nothing", "step1.main"), ("disk", "step1.main"), ("step2.disk", "step2.main")]
)
def test_a_choice_of_nothing_that_there_is_is_a_usage_error(lab, number, choice):
    with pytest.raises(UsageError):
        approve(lab, number, ("step2.disk", "shown"), choice)


def test_undo_takes_the_approval_of_a_choice_back(lab, number):
    approve(lab, number, ("step2.disk", "step1.main"))
    lab.service.decisions.undo(str(number), PERSON)
    assert lab.state(number) == "disabled"


def test_the_same_choice_survives_a_new_pass(lab, number):
    approve(lab, number, ("step2.disk", "step1.main"))
    lab.practise(wipe, 3, start=10)
    lab.service.mine()
    assert lab.service.review(str(number)).version == 2


def wipe_the_main_one(number: int) -> Steps:
    """The same by hand, where the two fields differ: it was the second of them all along."""
    [(tool, args, found), second] = wipe(number)
    return [(tool, args, found | {"first": f"tape-{number}bbb"}), second]


@pytest.mark.parametrize("chosen", [(), (("step2.disk", "shown"),)])
def test_an_occurrence_that_tells_the_sources_apart_prepares_a_revised_version(lab, number, chosen):
    if chosen:
        approve(lab, number, *chosen)
    lab.practise(wipe_the_main_one, 1, start=50)
    lab.service.mine()
    [row] = lab.service.listing(everything=False).katas
    assert (row.number, row.pending_version) == (number, 2)
    view = lab.service.review(str(number))
    assert (view.version, view.choices) == (2, ())
    assert view.steps[1].arguments[0].text == "«step 1 · main»"
    assert [one.cause for one in view.versions] == ["proposal", "evidence"]


def test_what_was_told_apart_stays_one_kata(lab, number):
    lab.practise(wipe_the_main_one, 1, start=50)
    lab.service.mine()
    lab.practise(wipe_the_main_one, 2, start=60)
    lab.service.mine()
    assert [row.number for row in lab.service.listing(everything=False).katas] == [number]


def test_a_read_may_rest_on_any_of_its_sources(lab):
    lab.describe("read_file", {"type": "object", "properties": {"path": TEXT}, "required": ["path"]})
    lab.describe("list_disks", TOOLS["list_disks"])

    def look(n: int) -> Steps:
        path = f"/tmp/disk-{n}aaa"
        return [
            ("list_disks", {"host": f"h{n}"}, {"first": path, "main": path}),
            ("read_file", {"path": path}, {"content": "x"}),
        ]

    assert lab.service.review(str(lab.proposed(look))).choices == ()
