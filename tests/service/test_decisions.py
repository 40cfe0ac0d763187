"""Decisions: what a person may do, what nobody else may, and what each leaves in the log."""

import pytest

from kata.errors import KataError
from kata.events.catalogue import RunOutcome, Until
from kata.machines import IllegalTransitionError
from kata.service import assemble
from kata.service.errors import (
    BadInputNameError,
    NobodyMayError,
    NotAnInputError,
    NotReviewedError,
    SecretNameError,
    StaleDigestError,
    UnknownKataError,
)
from kata.service.names import BadNameError
from kata.service.views import AuditQuery
from tests.service.lab import AGENT, PERSON, SYSTEM, order, ticket


def actions(lab) -> list[str]:
    return [row.action for row in lab.service.audit(AuditQuery(limit=500)).rows]


def test_a_proposal_becomes_active_when_a_person_approves_what_was_reviewed(lab):
    number = lab.approved("settle_bug")
    assert lab.state(number) == "active"
    assert [one.name for one in lab.service.registered()] == ["settle_bug"]


def test_an_approval_without_a_review_is_refused(lab):
    number = lab.proposed()
    with pytest.raises(NotReviewedError):
        lab.service.decisions.approve(str(number), PERSON, name="settle_bug")
    assert lab.state(number) == "candidate"


def test_the_refusal_of_what_was_not_reviewed_does_not_hand_out_the_digest(lab):
    number = lab.proposed()
    digest = lab.service.review(str(number)).digest
    with pytest.raises(NotReviewedError) as refused:
        lab.service.decisions.approve(str(number), PERSON, name="settle_bug")
    said = f"{refused.value} {refused.value.hint} {vars(refused.value)}"
    assert (digest[:4] in said, f"review {number}" in said) == (False, True)


def test_an_approval_names_the_digest_by_its_first_digits(lab):
    number = lab.proposed()
    digest = lab.service.review(str(number)).digest
    decided = lab.service.decisions.approve(f"{number}@{digest[:6]}", PERSON, name="settle_bug")
    assert (decided.state, decided.digest) == ("active", digest)


def test_another_digest_than_the_one_there_is_refused(lab):
    number = lab.proposed()
    with pytest.raises(StaleDigestError):
        lab.service.decisions.approve(f"{number}@000000", PERSON, name="settle_bug")


@pytest.mark.parametrize("actor", [AGENT, SYSTEM])
@pytest.mark.parametrize("verb", ["reject", "reconsider", "disable", "enable"])
def test_nobody_but_a_person_decides(lab, actor, verb):
    number = lab.proposed()
    with pytest.raises(NobodyMayError):
        getattr(lab.service.decisions, verb)(str(number), actor)
    assert lab.state(number) == "candidate"


def test_a_refusal_is_an_event_with_its_actor_and_place(lab):
    number = lab.proposed()
    digest = lab.service.review(str(number)).digest
    with pytest.raises(NobodyMayError):
        lab.service.decisions.approve(f"{number}@{digest}", AGENT, name="mine", origin="a tool")
    row = lab.service.audit(AuditQuery(action="decision.refused")).rows[0]
    assert (row.actor.kind, row.fields["verb"], row.fields["where"]) == ("agent", "approve", "a tool")


@pytest.mark.parametrize("name", ["9lives", "deploy.preview", "x" * 80, "Deploy", "déploy prévisu 🚀"])
def test_a_name_that_providers_reject_is_refused_with_one_that_works(lab, name):
    number = lab.proposed()
    reviewed = lab.service.review(str(number)).digest
    with pytest.raises(BadNameError) as refused:
        lab.service.decisions.approve(str(number), PERSON, name=name, reviewed=reviewed)
    assert refused.value.offer


def test_a_name_too_much_like_another_tool_is_refused(lab):
    lab.approved("settle_bug")
    number = lab.proposed(order)
    reviewed = lab.service.review(str(number)).digest
    with pytest.raises(BadNameError):
        lab.service.decisions.approve(str(number), PERSON, name="settle_bugs", reviewed=reviewed)


def test_inputs_are_renamed_at_approval(lab):
    number = lab.proposed()
    reviewed = lab.service.review(str(number)).digest
    lab.service.decisions.approve(
        str(number), PERSON, name="settle", renames=(("title", "bug"),), reviewed=reviewed
    )
    assert list(lab.service.input_schema(number)["properties"]) == ["bug"]


def test_an_input_that_is_none_cannot_be_renamed(lab):
    number = lab.proposed()
    reviewed = lab.service.review(str(number)).digest
    with pytest.raises(NotAnInputError):
        lab.service.decisions.approve(
            str(number), PERSON, name="settle", renames=(("nope", "bug"),), reviewed=reviewed
        )


@pytest.mark.parametrize("name", ["", "9lives", "bug-title", "bug title", "ünit", "b" * 65, "bug\n"])
def test_an_input_takes_no_name_that_a_schema_cannot_have(lab, name):
    number = lab.proposed()
    reviewed = lab.service.review(str(number)).digest
    with pytest.raises(BadInputNameError):
        lab.service.decisions.approve(
            str(number), PERSON, name="settle", renames=(("title", name),), reviewed=reviewed
        )
    assert lab.state(number) == "candidate"


def test_an_input_takes_a_name_of_64_characters(lab):
    number = lab.proposed()
    reviewed = lab.service.review(str(number)).digest
    renames = (("title", "_" + "b" * 63),)
    decided = lab.service.decisions.approve(
        str(number), PERSON, name="settle", renames=renames, reviewed=reviewed
    )
    assert decided.state == "active"


@pytest.mark.parametrize(
    "words",
    [{"name": "ghp_" + "0mx5" * 9}, {"name": "settle", "renames": (("title", "ghp_" + "0mX5" * 9),)}],
    ids=["the kata", "an input"],
)
def test_no_name_is_a_secret_and_the_refusal_does_not_repeat_it(lab, words):
    number = lab.proposed()
    reviewed = lab.service.review(str(number)).digest
    with pytest.raises(SecretNameError) as refused:
        lab.service.decisions.approve(str(number), PERSON, reviewed=reviewed, **words)
    assert "0mx5" not in f"{refused.value} {refused.value.hint} {vars(refused.value)}".lower()


def test_a_kata_answers_to_number_name_and_tool_name(lab):
    number = lab.approved("settle_bug")
    found = {
        lab.service.review(named).row.number
        for named in (str(number), "settle_bug", "kata_settle_bug", f"#{number}")
    }
    assert found == {number}


def test_an_unknown_name_offers_near_ones(lab):
    lab.approved("settle_bug")
    with pytest.raises(UnknownKataError) as refused:
        lab.service.review("setle_bug")
    assert refused.value.near == ("settle_bug",)


def test_a_rejected_routine_is_not_proposed_again(lab):
    number = lab.proposed()
    lab.service.decisions.reject(str(number), PERSON, note="no")
    lab.practise(ticket, 3, start=50)
    found = lab.service.mine()
    assert found.proposed == ()
    assert lab.state(number) == "rejected"


def test_reconsidering_makes_it_a_proposal_again(lab):
    number = lab.proposed()
    lab.service.decisions.reject(str(number), PERSON)
    lab.service.decisions.reconsider(str(number), PERSON)
    assert lab.state(number) == "candidate"


def test_a_proposal_set_aside_until_more_is_seen_comes_back_then(lab):
    number = lab.proposed()
    lab.service.decisions.defer(str(number), PERSON, Until(kind="seen", seen=2))
    assert lab.service.overview("slash").needs_you == ()
    assert [row.number for row in lab.service.overview("slash").set_aside] == [number]


def test_a_deferral_until_a_date_ends_by_itself(lab):
    number = lab.proposed()
    lab.service.decisions.defer(
        str(number), PERSON, Until(kind="date", date=lab.clock.now().replace(year=2027))
    )
    assert lab.service.overview("slash").needs_you == ()
    lab.clock.advance(days=800)
    assert [row.number for row in lab.service.overview("slash").needs_you] == [number]


def test_undo_of_the_first_approval_disables(lab):
    number = lab.approved()
    assert lab.service.decisions.undo("", PERSON).state == "disabled"
    assert lab.service.registered() == ()
    assert lab.state(number) == "disabled"


def test_undo_of_a_rejection_reconsiders(lab):
    number = lab.proposed()
    lab.service.decisions.reject(str(number), PERSON)
    assert lab.service.decisions.undo("", PERSON).state == "candidate"


def test_undo_is_a_new_event_with_its_actor(lab):
    lab.approved()
    lab.service.decisions.undo("", PERSON)
    assert actions(lab)[:1] == ["kata.disabled"]
    assert "kata.approved" in actions(lab)


def test_a_state_that_forbids_it_says_what_is_allowed(lab):
    number = lab.approved()
    with pytest.raises(IllegalTransitionError) as refused:
        lab.service.decisions.reject(str(number), PERSON)
    assert "disable" in refused.value.allowed


def test_three_failed_runs_in_a_row_suspend(lab):
    number = lab.approved()
    for _ in range(3):
        assert lab.state(number) == "active"
        lab.ran(number, RunOutcome.FAILED)
    assert lab.state(number) == "suspended"
    assert lab.service.registered() == ()


def test_a_success_in_between_starts_the_count_anew(lab):
    number = lab.approved()
    for outcome in (
        RunOutcome.FAILED,
        RunOutcome.FAILED,
        RunOutcome.SUCCEEDED,
        RunOutcome.FAILED,
        RunOutcome.FAILED,
    ):
        lab.ran(number, outcome)
    assert lab.state(number) == "active"


def test_blocked_and_unknown_runs_do_not_count(lab):
    number = lab.approved()
    for _ in range(4):
        lab.ran(number, RunOutcome.BLOCKED, "denied")
        lab.ran(number, RunOutcome.UNKNOWN, "timeout")
    assert lab.state(number) == "active"


def test_enabling_after_suspension_starts_the_count_anew(lab):
    number = lab.approved()
    for _ in range(3):
        lab.ran(number, RunOutcome.FAILED)
    lab.service.decisions.enable(str(number), PERSON)
    lab.ran(number, RunOutcome.FAILED)
    assert lab.state(number) == "active"


def test_of_two_services_that_decide_one_after_the_other_the_second_sees_the_first(lab):
    number = lab.proposed()
    second = assemble(lab.folder, clock=lab.clock, ids=lab.ids)
    reviewed = second.review(str(number)).digest
    lab.service.decisions.reject(str(number), PERSON)
    with pytest.raises(KataError):
        second.decisions.approve(str(number), PERSON, name="x_y_z", reviewed=reviewed)
    second.close()
    assert lab.state(number) == "rejected"


def test_five_proposals_wait_at_most(lab):
    def routine(word):
        def steps(number):
            ident = f"{word}-{number:06d}"
            return [
                (f"find_{word}", {"q": f"{word} number {number}"}, {"hit": {"ident": ident}}),
                (f"file_{word}", {"ident": ident}, {"filed": True}),
            ]

        return steps

    words = ("apple", "berry", "cedar", "delta", "ember", "fjord", "grove")
    for word in words:
        lab.describe(f"find_{word}", {"type": "object", "properties": {"q": {"type": "string"}}})
        lab.describe(f"file_{word}", {"type": "object", "properties": {"ident": {"type": "string"}}})
        lab.practise(routine(word))
    found = lab.service.mine()
    assert len(found.proposed) == 5
    assert sum("pending_limit" in row.blocked_by for row in found.seen) == 2


SECRET = "ghp_" + "0mX5" * 9
NOTE = f"the token is {SECRET}"


def written(lab) -> str:
    return " ".join(repr(event.payload) for event in lab.service.world.log.read(0, limit=5000))


def decide(lab, verb: str) -> None:
    """Do what a verb does to a kata that is there for it, with a note that holds a secret."""
    decisions = lab.service.decisions
    number = str(lab.approved() if verb in ("disable", "enable", "rollback") else lab.proposed())
    if verb == "enable":
        decisions.disable(number, PERSON)
    if verb in ("reconsider", "undo"):
        decisions.reject(number, PERSON)
    if verb == "approve":
        reviewed = lab.service.review(number).digest
        decisions.approve(number, PERSON, name="settle_bug", reviewed=reviewed, note=NOTE)
    elif verb == "defer":
        decisions.defer(number, PERSON, Until(kind="asked"), note=NOTE)
    elif verb == "rollback":
        decisions.rollback(number, 1, PERSON, note=NOTE)
    else:
        getattr(decisions, verb)(number, PERSON, note=NOTE)


@pytest.mark.parametrize(
    "verb", ["approve", "reject", "reconsider", "disable", "enable", "defer", "undo", "rollback"]
)
def test_no_note_of_a_decision_keeps_a_secret(lab, verb):
    decide(lab, verb)
    text = written(lab)
    assert (SECRET in text, "the token is" in text) == (False, True)


def test_no_note_of_a_pause_or_an_allowed_run_keeps_a_secret(lab):
    number = lab.approved()
    run = lab.ran(number, RunOutcome.UNKNOWN)
    lab.service.acknowledge(run, PERSON, NOTE)
    lab.service.pause(PERSON, None, NOTE)
    lab.service.resume(PERSON, NOTE)
    text = written(lab)
    assert (SECRET in text, text.count("the token is")) == (False, 3)


def test_the_record_of_a_refusal_keeps_no_secret(lab):
    lab.service.decisions.refuse("approve", SECRET, AGENT, UnknownKataError(SECRET), SECRET)
    text = written(lab)
    assert (SECRET in text, "DecisionRefused" in text) == (False, True)
