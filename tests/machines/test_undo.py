"""Every decision has a trigger that takes it back."""

import pytest

from kata.events import ActorKind
from kata.events import catalogue as told
from kata.machines import DECIDING, LIFECYCLE, UNDO, NothingToUndoError, Trigger, fold, undo_of

from .support import KATA, Story, approved, deferred, enabled, proposed, revised, rolled_back

REJECTED, RECONSIDERED, DISABLED = told.KataRejected(), told.KataReconsidered(), told.KataDisabled()


def after(*payloads):
    story = Story()
    story.tell(proposed(), KATA)
    for payload in payloads:
        system = isinstance(payload, told.KataRevised)
        story.tell(payload, KATA) if system else story.tell(payload)
    return fold(story.events)


def test_there_is_an_undo_for_every_decision_and_for_nothing_else():
    assert set(UNDO) == set(DECIDING)


def test_nothing_decided_is_nothing_to_undo():
    with pytest.raises(NothingToUndoError) as refusal:
        undo_of(after())
    assert refusal.value.code == "nothing_to_undo"


@pytest.mark.parametrize(
    ("payloads", "trigger", "version"),
    [
        ((approved(),), Trigger.DISABLE, None),
        ((approved(), revised(), approved(2, "b")), Trigger.ROLLBACK, 1),
        ((approved(), revised(), approved(2, "b"), rolled_back()), Trigger.ROLLBACK, 2),
        ((approved(), DISABLED), Trigger.ENABLE, None),
        ((approved(), DISABLED, enabled()), Trigger.DISABLE, None),
        ((REJECTED,), Trigger.RECONSIDER, None),
        ((REJECTED, RECONSIDERED), Trigger.REJECT, None),
        ((deferred(),), Trigger.DEFER, None),
    ],
)
def test_the_last_decision_is_taken_back(payloads, trigger, version):
    kata = after(*payloads)
    undo = undo_of(kata)
    assert (undo.trigger, undo.version) == (trigger, version)
    assert trigger in LIFECYCLE.allowed(kata.state, ActorKind.HUMAN)


def test_undoing_a_deferral_is_a_deferral_without_a_condition():
    assert undo_of(after(deferred())).until == told.Until(kind="asked")


def test_a_move_of_the_system_is_not_what_undo_takes_back():
    assert undo_of(after(approved(), revised())).trigger == Trigger.DISABLE
