"""A machine is checked when it is defined, and refuses in words."""

import attrs
import pytest

from kata.errors import HumanNeededError, RefusedError
from kata.events import ActorKind
from kata.machines import (
    ANYONE,
    HUMAN,
    LIFECYCLE,
    Definition,
    Facts,
    IllegalTransitionError,
    MachineDefinitionError,
    PersonNeededError,
    Rule,
    State,
    Trigger,
    fact,
)

ALL_HOLD = Facts(**{field.name: True for field in attrs.fields(Facts)})


@attrs.frozen
class Doors:
    is_unlocked: bool = fact("it is unlocked")


def door(*rules):
    return Definition("door", ("shut", "open"), rules, Doors)


def test_a_misspelt_guard_fails_when_the_machine_is_defined():
    with pytest.raises(MachineDefinitionError, match="is_unlokced"):
        door(Rule(("shut",), "push", "open", ANYONE, ("is_unlokced",)))


def test_an_unknown_state_fails_when_the_machine_is_defined():
    with pytest.raises(MachineDefinitionError, match="ajar"):
        door(Rule(("shut",), "push", "ajar", ANYONE))


def test_two_rules_for_one_cell_fail_when_the_machine_is_defined():
    with pytest.raises(MachineDefinitionError, match="two rules"):
        door(Rule(("shut",), "push", "open", ANYONE), Rule(("shut",), "push", "shut", ANYONE))


def test_there_is_no_way_round_the_table():
    machine = LIFECYCLE._machine()
    assert set(machine.events) == set(map(str, Trigger))


def test_a_refused_transition_names_what_is_allowed():
    with pytest.raises(IllegalTransitionError) as refusal:
        LIFECYCLE.check(State.REJECTED, Trigger.APPROVE, ActorKind.HUMAN, ALL_HOLD)
    assert (refusal.value.state, refusal.value.trigger) == ("rejected", "approve")
    assert refusal.value.allowed == ("reconsider",)
    assert refusal.value.rule == "state"
    assert refusal.value.code == "refused"
    assert refusal.value.hint == "Allowed here: reconsider."


def test_a_guard_that_does_not_hold_is_named():
    facts = attrs.evolve(ALL_HOLD, name_is_free=False)
    with pytest.raises(IllegalTransitionError, match="the name is free") as refusal:
        LIFECYCLE.check(State.CANDIDATE, Trigger.APPROVE, ActorKind.HUMAN, facts)
    assert refusal.value.rule == "name_is_free"


def test_what_nobody_established_does_not_hold():
    with pytest.raises(IllegalTransitionError) as refusal:
        LIFECYCLE.check(State.CANDIDATE, Trigger.APPROVE, ActorKind.HUMAN, Facts())
    assert refusal.value.rule == "digest_was_reviewed"


@pytest.mark.parametrize("kind", [ActorKind.AGENT, ActorKind.SYSTEM])
def test_only_a_person_consents(kind):
    with pytest.raises(PersonNeededError) as refusal:
        LIFECYCLE.check(State.CANDIDATE, Trigger.APPROVE, kind, ALL_HOLD)
    assert refusal.value.code == "human_needed"
    assert isinstance(refusal.value, HumanNeededError)
    assert isinstance(refusal.value, RefusedError)


def test_a_person_cannot_play_the_system():
    with pytest.raises(IllegalTransitionError) as refusal:
        LIFECYCLE.check(State.ACTIVE, Trigger.SUSPEND, ActorKind.HUMAN, ALL_HOLD)
    assert refusal.value.rule == "actor"
    assert refusal.value.code == "refused"


def test_a_state_of_a_newer_kata_allows_nothing():
    with pytest.raises(IllegalTransitionError) as refusal:
        LIFECYCLE.check("archived", Trigger.ENABLE, ActorKind.HUMAN, ALL_HOLD)
    assert refusal.value.rule == "unknown_state"
    assert refusal.value.allowed == ()
    assert "Update Kata" in refusal.value.hint


def test_an_agent_is_allowed_nothing_in_any_state():
    assert {LIFECYCLE.allowed(state, ActorKind.AGENT) for state in State} == {()}


def test_the_system_only_proposes_revises_and_makes_its_two_moves():
    moves = {trigger for state in State for trigger in LIFECYCLE.allowed(state, ActorKind.SYSTEM)}
    assert moves == {"propose", "revise", "go_stale", "suspend"}


def test_what_a_person_may_do_is_listed_in_the_order_of_the_table():
    assert LIFECYCLE.allowed(State.CANDIDATE, ActorKind.HUMAN) == ("defer", "approve", "reject")


def test_a_rule_for_several_kinds_lets_each_of_them():
    machine = door(Rule(("shut",), "push", "open", (ActorKind.HUMAN, ActorKind.AGENT), ("is_unlocked",)))
    assert machine.check("shut", "push", ActorKind.AGENT, Doors(is_unlocked=True)) == "open"
    assert machine.allowed("shut", ActorKind.SYSTEM) == ()
    with pytest.raises(PersonNeededError):
        machine.check("shut", "push", ActorKind.SYSTEM, Doors(is_unlocked=True))
    assert machine.triggers == ("push",)
    assert HUMAN == (ActorKind.HUMAN,)
