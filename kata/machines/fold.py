"""Fold a kata's events into its state; pure, and with the machine's own table (design 4).

What a machine would not have allowed moves nothing: a forged or misplaced event can never make a tool appear.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

from ..events import Event, Unreadable
from ..events.catalogue import (
    KataApproved,
    KataDeferred,
    KataProposed,
    KataRevised,
    KataRolledBack,
    KataSuspended,
    KataWentStale,
)
from .aggregate import DECIDING, Deferral, Kata, Trouble, Version
from .aggregate import Decision as LastDecision
from .lifecycle import EVENT_TRIGGERS, LIFECYCLE, State, Trigger

_FAMILY = "kata."


def fold(events: Iterable[Event]) -> Kata | None:
    """Return the state of one kata after these events of its stream; None where it was never proposed."""
    kata: Kata | None = None
    for event in events:
        kata = apply(kata, event)
    return kata


def apply(kata: Kata | None, event: Event) -> Kata | None:
    """Return a kata's state after one more event of its stream.

    Events of the stream that move nothing (evidence, refusals) count in its version. An event of this family that is not
    known here puts the kata in the state of that name, which is not registered (case B063).
    """
    if kata is not None:
        kata = attrs.evolve(kata, stream_version=event.version)
    trigger = EVENT_TRIGGERS.get(event.type)
    if trigger is None or _is_foreign(event):
        return _unknown(kata, event)
    state = LIFECYCLE.initial if kata is None else kata.state
    target = LIFECYCLE.next(state, trigger, event.actor.kind)
    if target is None:
        return _irregular(kata, event)
    if isinstance(event.payload, Unreadable):
        return _erased(kata, target, event)
    if kata is None:
        return _proposed(event)
    moved = _APPLY[trigger](kata, event.payload, event)
    return _settled(moved, kata, trigger, target, event)


def _is_foreign(event: Event) -> bool:
    return isinstance(event.payload, Unreadable) and event.payload.why != "erased"


def _unknown(kata: Kata | None, event: Event) -> Kata | None:
    if kata is None or not event.type.startswith(_FAMILY):
        return kata
    return _moved_to(kata, event.type.removeprefix(_FAMILY), event)


def _erased(kata: Kata | None, target: str, event: Event) -> Kata | None:
    """Let an event whose payload is gone take a tool away, never make one."""
    if kata is None or target == State.ACTIVE:
        return kata
    return _moved_to(kata, target, event)


def _moved_to(kata: Kata, state: str, event: Event) -> Kata:
    return attrs.evolve(
        kata, state=state, position=event.position, changed_at=event.occurred_at, changed_by=event.actor
    )


def _irregular(kata: Kata | None, event: Event) -> Kata | None:
    return None if kata is None else attrs.evolve(kata, irregular=(*kata.irregular, event.position))


def _proposed(event: Event) -> Kata:
    told: KataProposed = event.payload
    return Kata(
        stream=event.stream,
        number=told.number,
        key=told.key,
        signatures=told.signatures,
        state=State.CANDIDATE,
        name=told.name,
        versions=(_version(1, "proposal", (), told, event),),
        position=event.position,
        stream_version=event.version,
        proposed_at=event.occurred_at,
        changed_at=event.occurred_at,
        changed_by=event.actor,
    )


def _version(
    number: int, cause: str, changes: tuple[str, ...], told: KataProposed | KataRevised, event: Event
) -> Version:
    return Version(
        version=number,
        digest=told.digest,
        spec=told.spec,
        scores=told.scores,
        baseline=told.baseline,
        evidence=told.evidence,
        notes=told.notes,
        cause=cause,
        changes=changes,
        made_at=event.occurred_at,
    )


def _settled(moved: Kata, before: Kata, trigger: Trigger, target: str, event: Event) -> Kata:
    """Add what every move has in common."""
    activated = target == State.ACTIVE and trigger is not Trigger.REVISE
    return attrs.evolve(
        moved,
        state=target,
        position=event.position,
        changed_at=event.occurred_at,
        changed_by=event.actor,
        activated=event.position if activated else moved.activated,
        trouble=None if activated else moved.trouble,
        deferral=moved.deferral if trigger in (Trigger.DEFER, Trigger.REVISE) else None,
        decision=_decision(before, trigger, event) if trigger in DECIDING else moved.decision,
    )


def _decision(before: Kata, trigger: Trigger, event: Event) -> LastDecision:
    return LastDecision(
        trigger=trigger,
        before=before.active_version,
        version=getattr(event.payload, "version", before.active_version),
        position=event.position,
        event_id=event.event_id,
        at=event.occurred_at,
        actor=event.actor,
        note=event.payload.note,
    )


def _revised(kata: Kata, told: KataRevised, event: Event) -> Kata:
    version = _version(len(kata.versions) + 1, told.cause, told.changes, told, event)
    return attrs.evolve(kata, versions=(*kata.versions, version))


def _deferred(kata: Kata, told: KataDeferred, event: Event) -> Kata:
    deferral = Deferral(until=told.until, support=told.support, digest=told.digest, at=event.occurred_at)
    return attrs.evolve(kata, deferral=deferral)


def _approved(kata: Kata, told: KataApproved, event: Event) -> Kata:
    versions = tuple(
        attrs.evolve(one, approved_at=event.occurred_at, approved_by=event.actor, renamed=told.renamed)
        if one.version == told.version
        else one
        for one in kata.versions
    )
    return attrs.evolve(kata, versions=versions, name=told.name, active_version=told.version)


def _rolled_back(kata: Kata, told: KataRolledBack, event: Event) -> Kata:
    del event
    return attrs.evolve(kata, active_version=told.version)


def _went_stale(kata: Kata, told: KataWentStale, event: Event) -> Kata:
    trouble = Trouble(cause=told.cause, version=told.version, lines=told.changes, at=event.occurred_at)
    return attrs.evolve(kata, trouble=trouble)


def _suspended(kata: Kata, told: KataSuspended, event: Event) -> Kata:
    trouble = Trouble(cause="failures", version=told.version, lines=told.runs, at=event.occurred_at)
    return attrs.evolve(kata, trouble=trouble)


def _unchanged(kata: Kata, told: Any, event: Event) -> Kata:
    del told, event
    return kata


_APPLY: Mapping[Trigger, Callable[[Kata, Any, Event], Kata]] = {
    Trigger.REVISE: _revised,
    Trigger.DEFER: _deferred,
    Trigger.APPROVE: _approved,
    Trigger.REJECT: _unchanged,
    Trigger.GO_STALE: _went_stale,
    Trigger.SUSPEND: _suspended,
    Trigger.DISABLE: _unchanged,
    Trigger.ENABLE: _unchanged,
    Trigger.ROLLBACK: _rolled_back,
    Trigger.RECONSIDER: _unchanged,
}
