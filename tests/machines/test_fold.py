"""A kata's state is what its events say, and nothing that the machine would have refused."""

import attrs
import pytest

from kata.events import Unreadable
from kata.events import catalogue as told
from kata.events.registry import known_types
from kata.machines import EVENT_TRIGGERS, State, apply, fold

from .support import (
    AGENT,
    KATA,
    PERSON,
    Story,
    approved,
    deferred,
    digest,
    enabled,
    event_of,
    proposed,
    revised,
    rolled_back,
    suspended,
    went_stale,
)


@pytest.fixture
def story():
    begun = Story()
    begun.tell(proposed(), KATA)
    return begun


def test_every_lifecycle_event_of_the_catalogue_has_a_trigger():
    assert set(EVENT_TRIGGERS) == {name for name in known_types() if name.startswith("kata.")}


def test_a_proposal_makes_a_candidate_with_its_first_version(story):
    kata = fold(story.events)
    assert (kata.number, kata.state, kata.name, kata.stream_version) == (1, State.CANDIDATE, "push_branch", 1)
    assert kata.pending == kata.latest == kata.version(1)
    assert kata.registered is None
    assert not kata.holds_name


def test_an_approval_registers_that_version_under_its_name(story):
    story.tell(approved(name="ship", renamed=(("ref", "branch"),), note="fine"))
    kata = fold(story.events)
    assert kata.state == State.ACTIVE
    assert kata.registered.digest == digest("a")
    assert kata.registered.renamed == (("ref", "branch"),)
    assert kata.registered.approved_by == PERSON
    assert (kata.name, kata.holds_name, kata.pending) == ("ship", True, None)
    assert (kata.decision.trigger, kata.decision.before, kata.decision.note) == ("approve", None, "fine")


def test_a_revision_changes_nothing_that_is_registered(story):
    story.tell(approved())
    story.tell(revised(), KATA)
    kata = fold(story.events)
    assert kata.registered.version == 1
    assert kata.pending.version == 2
    assert kata.is_revised(2)
    assert not kata.is_revised(1)


def test_approving_a_revision_remembers_the_version_before(story):
    story.tell(approved())
    story.tell(revised(), KATA)
    story.tell(approved(2, "b", name="ship"))
    kata = fold(story.events)
    assert (kata.registered.version, kata.decision.before) == (2, 1)
    assert [kata.was_approved(number) for number in (1, 2, 3)] == [True, True, False]


def test_a_rollback_makes_an_earlier_version_active_and_keeps_the_name(story):
    story.tell(approved())
    story.tell(revised(), KATA)
    story.tell(approved(2, "b", name="ship"))
    back = story.tell(rolled_back())
    kata = fold(story.events)
    assert (kata.registered.version, kata.name, kata.activated) == (1, "ship", back.position)


def test_a_stale_kata_says_which_lines_changed_until_it_is_active_again(story):
    story.tell(approved())
    story.tell(went_stale(), KATA)
    assert fold(story.events).trouble.lines == ("limit: new, required",)
    assert fold(story.events).registered is None
    story.tell(enabled())
    assert fold(story.events).trouble is None
    assert fold(story.events).state == State.ACTIVE


def test_a_suspended_kata_names_the_runs(story):
    story.tell(approved())
    story.tell(suspended(), KATA)
    assert fold(story.events).trouble.lines == ("r1", "r2", "r3")


def test_a_deferral_lasts_through_a_revision_and_ends_with_a_decision(story):
    story.tell(deferred())
    story.tell(revised(), KATA)
    assert fold(story.events).deferral.digest == digest("a")
    story.tell(told.KataRejected(note="no"))
    assert fold(story.events).deferral is None
    assert fold(story.events).state == State.REJECTED


def test_reconsidering_brings_a_candidate_back(story):
    story.tell(told.KataRejected())
    story.tell(told.KataReconsidered())
    assert fold(story.events).state == State.CANDIDATE


def test_evidence_counts_in_the_streams_version_and_moves_nothing(story):
    before = fold(story.events)
    story.tell(told.DecisionRefused(verb="approve", kata="kata/abc", code="refused", why="stale"))
    after = fold(story.events)
    assert after == attrs.evolve(before, stream_version=2)


def test_an_agents_approval_moves_nothing_and_is_remembered_as_irregular(story):
    forged = story.tell(approved(), AGENT)
    kata = fold(story.events)
    assert (kata.state, kata.registered, kata.irregular) == (State.CANDIDATE, None, (forged.position,))


def test_a_move_that_the_state_does_not_allow_moves_nothing(story):
    story.tell(told.KataRejected())
    story.tell(enabled())
    assert fold(story.events).state == State.REJECTED


def test_an_event_before_any_proposal_makes_no_kata():
    story = Story()
    story.tell(approved())
    assert fold(story.events) is None


def test_an_event_of_a_newer_kata_takes_the_tool_away_and_is_shown_as_it_is(story):
    story.tell(approved())
    story.tell_unreadable("kata.archived", "unknown_type")
    kata = fold(story.events)
    assert (kata.state, kata.registered) == ("archived", None)
    story.tell(enabled())
    assert fold(story.events).state == "archived"


def test_a_known_event_of_a_newer_schema_is_not_guessed_at(story):
    story.tell_unreadable("kata.approved", "newer_schema")
    assert fold(story.events).registered is None


def test_an_erased_event_can_take_a_tool_away(story):
    story.tell(approved())
    story.tell_unreadable("kata.disabled", "erased")
    assert fold(story.events).state == State.DISABLED


def test_an_erased_event_never_makes_a_tool(story):
    story.tell_unreadable("kata.approved", "erased")
    assert fold(story.events).state == State.CANDIDATE


def test_an_erased_proposal_leaves_no_kata():
    event = event_of(Unreadable(why="erased"), KATA, type_name="kata.proposed", stream="kata/abc")
    assert apply(None, event) is None
