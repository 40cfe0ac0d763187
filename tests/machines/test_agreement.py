"""The whole state space, not a sample: the machine, the table of the design and the compiled table agree."""

import itertools

import attrs
import pytest

from kata.events import ActorKind
from kata.machines import (
    LIFECYCLE,
    RUN,
    Facts,
    IllegalTransitionError,
    RunFacts,
    RunState,
    RunTrigger,
    State,
    Trigger,
)

H, S = ActorKind.HUMAN, ActorKind.SYSTEM
APPROVAL = {"digest_was_reviewed", "validation_passes", "name_is_free"}
REVISED = APPROVAL | {"version_is_revised"}
BACK = {"version_was_approved", "validation_passes"}

DESIGN = {
    ("none", "propose"): ("candidate", S, {"meets_thresholds", "is_new_routine", "has_room"}),
    ("candidate", "revise"): ("candidate", S, {"digest_is_new"}),
    ("active", "revise"): ("active", S, {"digest_is_new"}),
    ("suspended", "revise"): ("suspended", S, {"digest_is_new"}),
    ("disabled", "revise"): ("disabled", S, {"digest_is_new"}),
    ("stale", "revise"): ("stale", S, {"digest_is_new"}),
    ("candidate", "defer"): ("candidate", H, set()),
    ("candidate", "approve"): ("active", H, APPROVAL),
    ("candidate", "reject"): ("rejected", H, set()),
    ("active", "go_stale"): ("stale", S, {"lines_changed"}),
    ("active", "approve"): ("active", H, REVISED),
    ("stale", "approve"): ("active", H, REVISED),
    ("suspended", "approve"): ("active", H, REVISED),
    ("disabled", "approve"): ("active", H, REVISED),
    ("active", "suspend"): ("suspended", S, {"failed_in_a_row"}),
    ("active", "disable"): ("disabled", H, set()),
    ("stale", "disable"): ("disabled", H, set()),
    ("suspended", "disable"): ("disabled", H, set()),
    ("disabled", "enable"): ("active", H, {"validation_passes"}),
    ("suspended", "enable"): ("active", H, {"validation_passes"}),
    ("stale", "enable"): ("active", H, {"validation_passes"}),
    ("active", "rollback"): ("active", H, BACK),
    ("stale", "rollback"): ("active", H, BACK),
    ("suspended", "rollback"): ("active", H, BACK),
    ("disabled", "rollback"): ("active", H, BACK),
    ("rejected", "reconsider"): ("candidate", H, set()),
}


def everything(facts):
    return facts(**{field.name: True for field in attrs.fields(facts)})


def moved(machine, state, trigger, kind, facts):
    try:
        return machine.check(state, trigger, kind, facts)
    except IllegalTransitionError:
        return None


def test_the_compiled_table_is_the_table_of_the_design():
    compiled = {cell: (move.target, *move.who, set(move.only_if)) for cell, move in LIFECYCLE.table.items()}
    assert compiled == DESIGN


@pytest.mark.parametrize("kind", ActorKind)
@pytest.mark.parametrize("trigger", Trigger)
@pytest.mark.parametrize("state", State)
def test_the_machine_moves_exactly_where_the_table_does(state, trigger, kind):
    expected = LIFECYCLE.next(state, trigger, kind)
    assert moved(LIFECYCLE, state, trigger, kind, everything(Facts)) == expected
    assert (trigger in LIFECYCLE.allowed(state, kind)) == (expected is not None)


@pytest.mark.parametrize(("cell", "row"), DESIGN.items())
def test_each_guard_is_needed_and_no_other(cell, row):
    _, kind, needed = row
    for field in attrs.fields(Facts):
        facts = attrs.evolve(everything(Facts), **{field.name: False})
        refused = moved(LIFECYCLE, *cell, kind, facts) is None
        assert refused == (field.name in needed)


@pytest.mark.parametrize(("cell", "row"), DESIGN.items())
def test_the_guards_of_a_rule_suffice(cell, row):
    target, kind, needed = row
    assert LIFECYCLE.check(*cell, kind, Facts(**dict.fromkeys(needed, True))) == target


@pytest.mark.parametrize(("state", "trigger", "kind"), [*itertools.product(RunState, RunTrigger, ActorKind)])
def test_the_run_machine_moves_exactly_where_its_table_does(state, trigger, kind):
    assert moved(RUN, state, trigger, kind, everything(RunFacts)) == RUN.next(state, trigger, kind)


def test_nothing_leads_back_to_before_the_first_event():
    for machine in (LIFECYCLE, RUN):
        assert machine.initial not in {move.target for move in machine.table.values()}


def test_every_state_can_be_reached():
    for machine in (LIFECYCLE, RUN):
        reached = {machine.initial}
        while True:
            further = {move.target for (state, _), move in machine.table.items() if state in reached}
            if further <= reached:
                break
            reached |= further
        assert reached == set(machine.states)


def test_only_a_person_allows_a_repeat_after_an_unknown_end():
    assert RUN.next("unknown", "acknowledge", ActorKind.HUMAN) == "acknowledged"
    assert RUN.next("unknown", "acknowledge", ActorKind.AGENT) is None


def test_a_run_in_mid_step_cannot_succeed():
    assert RUN.next("in_step", "succeed", ActorKind.AGENT) is None


def test_an_open_run_is_acknowledged_only_when_its_process_is_gone():
    with pytest.raises(IllegalTransitionError, match="is gone"):
        RUN.check("in_step", "acknowledge", ActorKind.HUMAN, RunFacts())
