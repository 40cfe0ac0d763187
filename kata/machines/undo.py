"""What takes a decision back: a table onto the ordinary triggers, never a deletion (design 4)."""

from collections.abc import Callable, Mapping

import attrs

from ..errors import RefusedError
from ..events.catalogue import Until
from .aggregate import Decision, Kata
from .lifecycle import Trigger


class NothingToUndoError(RefusedError):
    """Say that no decision of a person stands to be taken back."""

    code = "nothing_to_undo"


@attrs.frozen(kw_only=True)
class Undo:
    """The trigger that takes the last decision back, and what it needs.

    ``version`` goes with ``rollback``; ``until`` with ``defer`` (a deferral without a condition: it shows again at once).
    """

    trigger: Trigger
    version: int | None = None
    until: Until | None = None


def _approval(decision: Decision) -> Undo:
    if decision.before is None:
        return Undo(trigger=Trigger.DISABLE)
    return Undo(trigger=Trigger.ROLLBACK, version=decision.before)


def _rollback(decision: Decision) -> Undo:
    return Undo(trigger=Trigger.ROLLBACK, version=decision.before)


UNDO: Mapping[str, Callable[[Decision], Undo]] = {
    Trigger.APPROVE: _approval,
    Trigger.ENABLE: lambda _: Undo(trigger=Trigger.DISABLE),
    Trigger.DISABLE: lambda _: Undo(trigger=Trigger.ENABLE),
    Trigger.REJECT: lambda _: Undo(trigger=Trigger.RECONSIDER),
    Trigger.RECONSIDER: lambda _: Undo(trigger=Trigger.REJECT),
    Trigger.ROLLBACK: _rollback,
    Trigger.DEFER: lambda _: Undo(trigger=Trigger.DEFER, until=Until(kind="asked")),
}


def undo_of(kata: Kata) -> Undo:
    """Return what takes the last decision about this kata back; the machine still has to allow it.

    Raises:
        NothingToUndoError: nobody decided anything yet.
    """
    if kata.decision is None:
        raise NothingToUndoError(f"nobody decided anything about kata {kata.number} yet")
    return UNDO[kata.decision.trigger](kata.decision)
