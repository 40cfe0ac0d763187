"""The life of a kata: the table of design 4, and which event stands for which trigger."""

from collections.abc import Mapping
from enum import StrEnum

import attrs

from .definition import HUMAN, SAME, SYSTEM, Definition, Rule, fact

PENDING_LIMIT = 5
"""No proposal while this many wait for a person."""

FAILURES_TO_SUSPEND = 3
"""So many failed runs of a version in a row suspend it."""


class State(StrEnum):
    """Where a kata stands; only ``active`` is registered. ``none``: it was never proposed."""

    NONE = "none"
    CANDIDATE = "candidate"
    ACTIVE = "active"
    STALE = "stale"
    SUSPENDED = "suspended"
    DISABLED = "disabled"
    REJECTED = "rejected"


class Trigger(StrEnum):
    """What may happen to a kata."""

    PROPOSE = "propose"
    REVISE = "revise"
    DEFER = "defer"
    APPROVE = "approve"
    REJECT = "reject"
    GO_STALE = "go_stale"
    SUSPEND = "suspend"
    DISABLE = "disable"
    ENABLE = "enable"
    ROLLBACK = "rollback"
    RECONSIDER = "reconsider"


@attrs.frozen(kw_only=True)
class Facts:
    """What the service established before it asks; the rest does not hold."""

    meets_thresholds: bool = fact("support, fit, confidence and validation meet the thresholds")
    is_new_routine: bool = fact("no kata of whatever state is near it")
    has_room: bool = fact(f"fewer than {PENDING_LIMIT} proposals wait")
    digest_is_new: bool = fact("new evidence or a changed schema gives a new digest")
    digest_was_reviewed: bool = fact("the digest is the one that was reviewed")
    validation_passes: bool = fact("a fresh validation of that version passes")
    name_is_free: bool = fact("the name is free")
    version_is_revised: bool = fact("the version is later than every approved one")
    version_was_approved: bool = fact("the version was approved once")
    lines_changed: bool = fact("a schema change that matters, or manual runs that no longer fit, is named")
    failed_in_a_row: bool = fact(f"the last {FAILURES_TO_SUSPEND} runs of the version failed")


_STANDING = (State.ACTIVE, State.STALE, State.SUSPENDED, State.DISABLED)
_APPROVAL = ("digest_was_reviewed", "validation_passes", "name_is_free")

RULES = (
    Rule(
        (State.NONE,),
        Trigger.PROPOSE,
        State.CANDIDATE,
        SYSTEM,
        ("meets_thresholds", "is_new_routine", "has_room"),
    ),
    Rule((State.CANDIDATE, *_STANDING), Trigger.REVISE, SAME, SYSTEM, ("digest_is_new",)),
    Rule((State.CANDIDATE,), Trigger.DEFER, State.CANDIDATE, HUMAN),
    Rule((State.CANDIDATE,), Trigger.APPROVE, State.ACTIVE, HUMAN, _APPROVAL),
    Rule(_STANDING, Trigger.APPROVE, State.ACTIVE, HUMAN, ("version_is_revised", *_APPROVAL)),
    Rule((State.CANDIDATE,), Trigger.REJECT, State.REJECTED, HUMAN),
    Rule((State.ACTIVE,), Trigger.GO_STALE, State.STALE, SYSTEM, ("lines_changed",)),
    Rule((State.ACTIVE,), Trigger.SUSPEND, State.SUSPENDED, SYSTEM, ("failed_in_a_row",)),
    Rule((State.ACTIVE, State.STALE, State.SUSPENDED), Trigger.DISABLE, State.DISABLED, HUMAN),
    Rule(
        (State.DISABLED, State.SUSPENDED, State.STALE),
        Trigger.ENABLE,
        State.ACTIVE,
        HUMAN,
        ("validation_passes",),
    ),
    Rule(_STANDING, Trigger.ROLLBACK, State.ACTIVE, HUMAN, ("version_was_approved", "validation_passes")),
    Rule((State.REJECTED,), Trigger.RECONSIDER, State.CANDIDATE, HUMAN),
)

LIFECYCLE = Definition("kata", tuple(State), RULES, Facts)

EVENT_TRIGGERS: Mapping[str, Trigger] = {
    "kata.proposed": Trigger.PROPOSE,
    "kata.revised": Trigger.REVISE,
    "kata.deferred": Trigger.DEFER,
    "kata.approved": Trigger.APPROVE,
    "kata.rejected": Trigger.REJECT,
    "kata.went_stale": Trigger.GO_STALE,
    "kata.suspended": Trigger.SUSPEND,
    "kata.disabled": Trigger.DISABLE,
    "kata.enabled": Trigger.ENABLE,
    "kata.rolled_back": Trigger.ROLLBACK,
    "kata.reconsidered": Trigger.RECONSIDER,
}
"""Which event records which trigger."""
