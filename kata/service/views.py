"""One view model per screen: plain frozen values without words, the same for chat, shell and dashboard (design 1)."""

import shlex
from datetime import datetime
from typing import Any

import attrs

from ..events.catalogue import Baseline, Scores
from ..json import JsonObject, JsonValue


@attrs.frozen(kw_only=True)
class ActorView:
    """Who did something: ``kind`` human, agent or system; ``surface`` where."""

    kind: str
    id: str
    surface: str


@attrs.frozen(kw_only=True)
class ArgumentView:
    """One argument leaf of a step.

    Attributes:
        path: Where it stands, as `kata.json.show_path` writes it.
        text: The expression for people: ``git push origin {branch}``.
        became: ``constant``, ``input``, ``reference``, ``text`` or ``ignored``; empty where no note was kept.
        reason: Why, in one phrase.
        values: How many distinct values stood behind it.
        alternatives: Other sources that fit as well.
    """

    path: str
    text: str
    became: str = ""
    reason: str = ""
    values: int = 0
    alternatives: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class StepView:
    """One step of a plan; a loop has ``over`` and a ``body``, and the tool of its first inner step."""

    number: int
    tool: str
    effect: str
    effect_reason: str
    flags: tuple[str, ...]
    arguments: tuple[ArgumentView, ...]
    requires: tuple[str, ...]
    accepts: tuple[int, ...]
    over: str = ""
    limit: int = 0
    body: "tuple[StepView, ...]" = ()


@attrs.frozen(kw_only=True)
class KataRow:
    """One line of a list.

    Attributes:
        number: The stable number; None for what was only seen.
        name: Without ``kata_``: the approved name, else the suggested one.
        state: The lifecycle's word, or ``seen``.
        blocked_by: What holds it back (issue words: ``support``, ``coherence``, ``tool_not_here``, …); empty for nothing.
        steps: ``{tool}`` or ``{tool, for_each, body}`` each.
        pending_version: A revised version that waits for review, if any.
        effects: The distinct effect classes of its steps, most serious last.
        detail: Why it was not proposed, or what changed, in one sentence.
    """

    number: int | None
    name: str
    state: str
    blocked_by: tuple[str, ...]
    steps: tuple[JsonObject, ...]
    version: int | None = None
    digest: str = ""
    pending_version: int | None = None
    support: int = 0
    confidence: float = 0.0
    effects: tuple[str, ...] = ()
    runs: int = 0
    failures: int = 0
    last_run_at: datetime | None = None
    last_run_outcome: str = ""
    changed_at: datetime | None = None
    changed_by: ActorView | None = None
    deferred: bool = False
    detail: str = ""
    key: str = ""

    @property
    def tool_name(self) -> str:
        """The name that the agent calls."""
        return f"kata_{self.name}"


@attrs.frozen(kw_only=True)
class RecordingView:
    """The health line: what is recorded, what was lost, what Kata cannot see."""

    recording: bool
    paused_until: datetime | None
    events: int
    calls: int
    conversations: int
    lost: int
    lost_reason: str
    hidden_calls: int
    last_event_at: datetime | None
    log_bytes: int
    warnings: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class Announcement:
    """A decision that the person has not been told of on this surface yet (design 9.4); ``number`` is 0 for `forget`."""

    event_id: str
    verb: str
    number: int
    name: str
    at: datetime
    by: ActorView


@attrs.frozen(kw_only=True)
class Overview:
    """What ``/kata`` alone shows: what needs the person first."""

    profile: str
    recording: RecordingView
    min_support: int
    needs_you: tuple[KataRow, ...]
    active: tuple[KataRow, ...]
    set_aside: tuple[KataRow, ...]
    seen: int
    announcements: tuple[Announcement, ...] = ()


@attrs.frozen(kw_only=True)
class KataList:
    """What ``list`` shows; ``seen`` only where it was asked for."""

    profile: str
    katas: tuple[KataRow, ...]
    all: bool


@attrs.frozen(kw_only=True)
class CheckView:
    """One validation check: ``passed``, ``warning``, ``failed`` or ``not_run``."""

    name: str
    status: str
    detail: str


@attrs.frozen(kw_only=True)
class EvidenceView:
    """One example a version rests on; ``kept`` is False once it was forgotten."""

    evidence_id: str
    conversation: str
    session_id: str
    occurred_on: str
    kept: bool
    calls: tuple[JsonObject, ...] = ()


@attrs.frozen(kw_only=True)
class VersionRow:
    """One version of a kata."""

    version: int
    digest: str
    cause: str
    changes: tuple[str, ...]
    approved: bool
    active: bool
    at: datetime


@attrs.frozen(kw_only=True)
class ChoiceView:
    """An argument of a step with an effect that several sources explain: one must be chosen to approve it.

    Attributes:
        step: The step's number.
        path: The argument's leaf, as review shows it.
        place: How one writes it: ``step2.disk``.
        others: The sources beside the one that the plan takes, as review shows them.
        sources: What one may write to choose, first what the plan shows: ``shown``, ``step1.main``.
    """

    step: int
    path: str
    place: str
    others: tuple[str, ...]
    sources: tuple[str, ...]

    @property
    def answers(self) -> tuple[str, ...]:
        """The words of a command that choose: ``step2.disk=shown``."""
        return tuple(shlex.quote(f"{self.place}={source}") for source in self.sources)


@attrs.frozen(kw_only=True)
class Review:
    """All that a person should see before deciding on one version."""

    profile: str
    row: KataRow
    version: int
    digest: str
    steps: tuple[StepView, ...]
    inputs: JsonObject
    output: JsonObject
    effects: tuple[tuple[str, int], ...]
    asks_each_run: bool
    scores: Scores
    baseline: Baseline
    days: int
    checks: tuple[CheckView, ...]
    warnings: tuple[str, ...]
    evidence: tuple[EvidenceView, ...]
    versions: tuple[VersionRow, ...]
    changes: tuple[str, ...] = ()
    choices: tuple[ChoiceView, ...] = ()


@attrs.frozen(kw_only=True)
class Decided:
    """The answer to a decision.

    Attributes:
        verb: ``approve``, ``reject``, …
        before: The state before.
        state: The state after.
        visible: When the agent sees the tool: ``search`` (at once, through tool search), ``next_session``, or empty.
        undo: The verb that takes it back, or empty.
    """

    verb: str
    number: int
    name: str
    before: str
    state: str
    version: int | None
    digest: str
    visible: str = ""
    undo: str = ""
    warnings: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class RunRow:
    """One run in a list."""

    run_id: str
    number: int
    name: str
    version: int
    outcome: str
    code: str
    reason: str
    failed_step: int | None
    started_at: datetime
    duration_ms: int | None
    session_id: str
    steps: int


@attrs.frozen(kw_only=True)
class RunStepView:
    """One step of a run's trace, values masked."""

    index: int
    step: int
    tool: str
    effect: str
    outcome: str
    reason: str
    exit_code: int | None
    started_at: datetime | None
    duration_ms: int | None
    attempts: int
    args: JsonValue
    result: JsonValue
    late: JsonValue = None
    element: int | None = None


@attrs.frozen(kw_only=True)
class RunTrace:
    """One run with its steps and inputs; ``resumes`` is the run that it went on from, if any."""

    row: RunRow
    inputs: JsonValue
    digest: str
    steps: tuple[RunStepView, ...]
    acknowledged: bool = False
    resumes: str = ""


@attrs.frozen(kw_only=True)
class AuditQuery:
    """What to look for in the audit trail; everything by default but observations."""

    actor: str = ""
    action: str = ""
    channel: str = ""
    kata: str = ""
    since: datetime | None = None
    until: datetime | None = None
    text: str = ""
    observations: bool = False
    before: int | None = None
    limit: int = 50


@attrs.frozen(kw_only=True)
class AuditRow:
    """One line of the audit trail; ``fields`` is what the event says, without values of calls."""

    position: int
    event_id: str
    at: datetime
    recorded_at: datetime
    actor: ActorView
    action: str
    number: int | None
    name: str
    fields: JsonObject
    correlation_id: str


@attrs.frozen(kw_only=True)
class Facet:
    """How many events share one value of a field."""

    value: str
    count: int


@attrs.frozen(kw_only=True)
class AuditPage:
    """A page of the audit trail, newest first, with facets over the whole filtered set."""

    profile: str
    query: AuditQuery
    rows: tuple[AuditRow, ...]
    total: int
    next_before: int | None
    facets: tuple[tuple[str, tuple[Facet, ...]], ...] = ()


@attrs.frozen(kw_only=True)
class Status:
    """What ``status`` shows."""

    profile: str
    version: str
    recording: RecordingView
    pending: int
    active: int
    positions: int
    settings: tuple[tuple[str, Any], ...]
    last_mining_at: datetime | None
    last_mining: JsonValue = None
    pending_drain: int = 0


@attrs.frozen(kw_only=True)
class MiningSummary:
    """What one pass found."""

    calls: int
    conversations: int
    proposed: tuple[KataRow, ...]
    revised: tuple[KataRow, ...]
    seen: tuple[KataRow, ...]
    counts: JsonObject


@attrs.frozen(kw_only=True)
class ReplayReport:
    """What rebuilding the projections from the log gave."""

    events: int
    until: int | None
    tables: tuple[tuple[str, int, str], ...]
    drift: tuple[str, ...]
    checked: bool


@attrs.frozen(kw_only=True)
class VerifyReport:
    """What re-reading the stored bytes gave: the first bad position, if any; and whether a cut end would have shown."""

    events: int
    ok: bool
    bad_position: int | None
    why: str
    head: str
    anchored: bool
    unproven: int
