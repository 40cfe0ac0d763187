"""What became of a routine: proposals, decisions of people, and the two moves of the system (design 4)."""

from datetime import datetime

import attrs

from ...json import JsonValue
from ..registry import event_type


@attrs.frozen(kw_only=True)
class EvidenceCall:
    """One recorded call of an example, masked."""

    tool: str
    args: JsonValue
    result: JsonValue
    textual: bool
    duration_ms: int | None


@event_type("evidence.kept")
@attrs.frozen(kw_only=True)
class EvidenceKept:
    """One example a conversation, kept with the kata: a payload of its own, so that it can be forgotten alone.

    ``occurred_on`` is the day of the first call (ISO date); ``job`` the scheduled job it comes from, if any.
    """

    evidence_id: str
    conversation: str
    session_id: str
    turn_id: str
    calls: tuple[EvidenceCall, ...]
    occurred_on: str
    job: str | None = None


@attrs.frozen(kw_only=True)
class Scores:
    """Why it is proposed: distinct conversations, held-out share, ``fit_rate x (1 - 0.6^support)`` (design 6.7)."""

    support: int
    occurrences: int
    fit_rate: float
    confidence: float


@attrs.frozen(kw_only=True)
class Baseline:
    """What the routine costs by hand: medians over ``recordings`` examples; None where nothing is known."""

    recordings: int
    model_requests: float | None
    tokens: float | None
    seconds: float | None


@event_type("kata.proposed")
@attrs.frozen(kw_only=True)
class KataProposed:
    """A routine was found and passed every check: the first event of its stream, version 1.

    Attributes:
        number: The stable number that people use; never reused.
        key: The pattern key (design 4): signatures and wiring, without constants.
        signatures: The step signatures in order, for near-duplicates and manual runs.
        spec: The version, as `kata.spec.dump_spec` writes it.
        digest: SHA-256 of the spec.
        name: A suggested name (without ``kata_``).
        evidence: Ids of `EvidenceKept` events' examples.
        notes: What the reviewer should know (ambiguities, time-bound constants, one-day evidence), and per-argument
            reasons, as the miner wrote them.
    """

    number: int
    key: str
    signatures: tuple[str, ...]
    spec: JsonValue
    digest: str
    name: str
    scores: Scores
    baseline: Baseline
    evidence: tuple[str, ...]
    notes: JsonValue


@event_type("kata.revised")
@attrs.frozen(kw_only=True)
class KataRevised:
    """A further version; nothing registered changes. ``cause``: ``schema``, ``evidence``, or a reviewer's ``choice``."""

    version: int
    cause: str
    changes: tuple[str, ...]
    spec: JsonValue
    digest: str
    scores: Scores
    baseline: Baseline
    evidence: tuple[str, ...]
    notes: JsonValue


@attrs.frozen(kw_only=True)
class Until:
    """When a set-aside candidate shows again: ``changed``, ``seen`` (N more conversations), ``date`` or ``asked``."""

    kind: str
    seen: int | None = None
    date: datetime | None = None


@event_type("kata.deferred")
@attrs.frozen(kw_only=True)
class KataDeferred:
    until: Until
    support: int
    digest: str
    note: str = ""


@event_type("kata.approved")
@attrs.frozen(kw_only=True)
class KataApproved:
    """A person allowed this very version under this name (without ``kata_``); renames map old input names to new."""

    version: int
    digest: str
    name: str
    renamed: tuple[tuple[str, str], ...] = ()
    note: str = ""


@event_type("kata.rejected")
@attrs.frozen(kw_only=True)
class KataRejected:
    note: str = ""


@event_type("kata.reconsidered")
@attrs.frozen(kw_only=True)
class KataReconsidered:
    note: str = ""


@event_type("kata.went_stale")
@attrs.frozen(kw_only=True)
class KataWentStale:
    """``cause`` is ``schema`` or ``evidence``; ``changes`` the very lines that changed, never empty (case B083)."""

    version: int
    cause: str
    changes: tuple[str, ...]


@event_type("kata.suspended")
@attrs.frozen(kw_only=True)
class KataSuspended:
    """Three consecutive failed runs of a version."""

    version: int
    runs: tuple[str, ...]


@event_type("kata.disabled")
@attrs.frozen(kw_only=True)
class KataDisabled:
    note: str = ""


@event_type("kata.enabled")
@attrs.frozen(kw_only=True)
class KataEnabled:
    version: int
    digest: str
    note: str = ""


@event_type("kata.rolled_back")
@attrs.frozen(kw_only=True)
class KataRolledBack:
    """An earlier approved version is active again (``version``; the one before was ``before``)."""

    version: int
    before: int
    digest: str
    note: str = ""


@event_type("decision.refused")
@attrs.frozen(kw_only=True)
class DecisionRefused:
    """Somebody asked for a decision and did not get it; ``where`` describes the process or chat it came from."""

    verb: str
    kata: str
    code: str
    why: str
    where: str = ""


@event_type("tool.registration_failed")
@attrs.frozen(kw_only=True)
class ToolRegistrationFailed:
    """An active kata could not be registered in one process (case B057)."""

    number: int
    name: str
    why: str


@event_type("notice.shown")
@attrs.frozen(kw_only=True)
class NoticeShown:
    """A person was told something, once: ``about`` are event ids."""

    about: tuple[str, ...]
    surface: str
