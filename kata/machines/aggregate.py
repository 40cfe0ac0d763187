"""One kata as its events tell it: frozen, with every version it ever had (design 4)."""

from datetime import datetime

import attrs

from ..events import Actor
from ..events.catalogue import Baseline, Scores, Until
from ..json import JsonValue
from .lifecycle import State, Trigger

NAMED = (State.ACTIVE, State.STALE, State.SUSPENDED, State.DISABLED)
"""The states in which a kata holds its name."""


@attrs.frozen(kw_only=True)
class Version:
    """One version, as it was proposed; it never changes but for its approval.

    Attributes:
        version: From 1.
        cause: ``proposal``, ``schema`` or ``evidence``.
        changes: What a revision changed, as lines.
        evidence: Ids of the examples it rests on.
        approved_at: When a person allowed it last; None if never.
        renamed: Input names that the approval changed, old to new.
    """

    version: int
    digest: str
    spec: JsonValue
    scores: Scores
    baseline: Baseline
    evidence: tuple[str, ...]
    notes: JsonValue
    cause: str
    changes: tuple[str, ...]
    made_at: datetime
    approved_at: datetime | None = None
    approved_by: Actor | None = None
    renamed: tuple[tuple[str, str], ...] = ()


@attrs.frozen(kw_only=True)
class Deferral:
    """A candidate that a person set aside, and what was known then."""

    until: Until
    support: int
    digest: str
    at: datetime


@attrs.frozen(kw_only=True)
class Decision:
    """The last decision of a person: what ``undo`` takes back.

    ``before`` is the version that was active before it, ``version`` the one it was about.
    """

    trigger: str
    before: int | None
    version: int | None
    position: int
    event_id: str
    at: datetime
    actor: Actor
    note: str = ""


@attrs.frozen(kw_only=True)
class Trouble:
    """Why a kata is stale or suspended: the lines that changed, or the runs that failed."""

    cause: str
    version: int
    lines: tuple[str, ...]
    at: datetime


@attrs.frozen(kw_only=True)
class Kata:
    """A kata's whole state after its last event.

    Attributes:
        stream: ``kata/<hash of the pattern key>``.
        number: The stable number.
        state: A `State`, or the word of a newer Kata: such a kata is not registered (case B063).
        name: The approved name, else the suggested one; without ``kata_``.
        versions: By number, from 1.
        active_version: The version that is, or was last, active.
        activated: Position of the event that made it active last; runs before it do not count as failures.
        decision: The last decision of a person.
        position: Position of its last event.
        stream_version: How many events its stream has: what `Log.append` expects.
        irregular: Positions of events that the machine would not have allowed; they moved nothing.
    """

    stream: str
    number: int
    key: str
    signatures: tuple[str, ...]
    state: str
    name: str
    versions: tuple[Version, ...]
    position: int
    stream_version: int
    proposed_at: datetime
    changed_at: datetime
    changed_by: Actor
    active_version: int | None = None
    activated: int = 0
    deferral: Deferral | None = None
    decision: Decision | None = None
    trouble: Trouble | None = None
    irregular: tuple[int, ...] = ()

    @property
    def latest(self) -> Version:
        """The newest version, approved or not."""
        return self.versions[-1]

    @property
    def registered(self) -> Version | None:
        """The version whose tool should exist now, if any."""
        return self.current if self.state == State.ACTIVE else None

    @property
    def current(self) -> Version | None:
        """The version that is, or was last, active."""
        return None if self.active_version is None else self.version(self.active_version)

    @property
    def pending(self) -> Version | None:
        """The version that waits for a person: a candidate's newest, or a revision later than every approved one."""
        if self.state == State.CANDIDATE:
            return self.latest
        return self.latest if self.state in NAMED and self.is_revised(self.latest.version) else None

    @property
    def holds_name(self) -> bool:
        """Tell whether its name is taken by it."""
        return self.state in NAMED

    def version(self, number: int) -> Version | None:
        """Return one version; None where there is none."""
        return self.versions[number - 1] if 1 <= number <= len(self.versions) else None

    def was_approved(self, number: int) -> bool:
        """Tell whether a person ever allowed that version (the guard of ``rollback``)."""
        found = self.version(number)
        return found is not None and found.approved_at is not None

    def is_revised(self, number: int) -> bool:
        """Tell whether that version is later than every approved one (the guard of a second ``approve``)."""
        approved = [one.version for one in self.versions if one.approved_at is not None]
        return self.version(number) is not None and number > max(approved, default=0)


DECIDING = frozenset(
    (
        Trigger.DEFER,
        Trigger.APPROVE,
        Trigger.REJECT,
        Trigger.DISABLE,
        Trigger.ENABLE,
        Trigger.ROLLBACK,
        Trigger.RECONSIDER,
    )
)
"""Triggers of people: each is a decision that ``undo`` knows."""
