"""View models from the views: what each screen shows (one method a screen)."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from ..events import catalogue as told
from ..json import JsonObject, JsonValue
from ..machines import Kata, State, Version, is_set_aside
from ..miner.types import Found
from ..projections import Example, Run, RunCounts, RunStep
from ..spec import Spec, step_shapes
from .choosing import choices_of
from .errors import UnknownRunError
from .find import Finder, version_of
from .known import readable
from .plan import asks_each_run, effect_counts, effects_of, plan_of
from .ports import World
from .reads import Reads
from .renaming import as_approved, renamed, renamed_notes, renamed_values
from .tracing import told_whole
from .validate import Checks
from .views import (
    ActorView,
    EvidenceView,
    KataList,
    KataRow,
    Review,
    RunRow,
    RunStepView,
    RunTrace,
    VersionRow,
)

NO_RUNS = RunCounts(0, 0, None, "")
SETTLED = {"succeeded", "failed", "blocked", "unknown"}


class Screens:
    """Builds views; reads only."""

    def __init__(self, world: World, reads: Reads, find: Finder, checks: Checks) -> None:
        self._world, self._reads, self._find, self._checks = world, reads, find, checks

    def katas(self) -> tuple[KataRow, ...]:
        """Return a row for every kata, by number."""
        counts = self._reads.runs.counts()
        return tuple(self.row(kata, counts.get(kata.stream, NO_RUNS)) for kata in self._reads.katas.all())

    def row(self, kata: Kata, counts: RunCounts | None = None) -> KataRow:
        """Return one kata's row."""
        counts = counts or self._reads.runs.counts().get(kata.stream, NO_RUNS)
        version = kata.current or kata.latest
        spec = readable(version)
        pending = kata.pending
        return KataRow(
            number=kata.number,
            name=kata.name,
            state=str(kata.state),
            blocked_by=self._blocked(spec),
            steps=step_shapes(spec) if spec is not None else (),
            version=version.version,
            digest=version.digest,
            pending_version=pending.version if pending is not None else None,
            support=version.scores.support,
            confidence=version.scores.confidence,
            effects=effects_of(spec) if spec is not None else (),
            runs=counts.runs,
            failures=counts.failures,
            last_run_at=counts.last_at,
            last_run_outcome=counts.last_state,
            changed_at=kata.changed_at,
            changed_by=actor_view(kata),
            deferred=self.is_deferred(kata),
            detail=detail_of(kata, spec is None),
            key=kata.key,
        )

    def is_deferred(self, kata: Kata) -> bool:
        """Tell whether a candidate is set aside just now."""
        if kata.state != State.CANDIDATE:
            return False
        latest = kata.latest
        return is_set_aside(
            kata.deferral, digest=latest.digest, support=latest.scores.support, now=self._world.clock.now()
        )

    def _blocked(self, spec: Spec | None) -> tuple[str, ...]:
        if spec is None:
            return ("not_compilable",)
        missing = any(not self._checks.has_tool(one.tool) for one in spec.tools)
        return ("tool_not_here",) if missing else ()

    def seen(self) -> tuple[KataRow, ...]:
        """Return a row for each sequence that the last pass saw and did not propose."""
        last = self._reads.last_mining()
        return tuple(map(seen_row, last.seen)) if last is not None else ()

    def listing(self, *, everything: bool) -> KataList:
        """Return the list; ``everything`` adds what was only seen."""
        rows = self.katas()
        return KataList(
            profile=self._world.profile, katas=rows + self.seen() if everything else rows, all=everything
        )

    def review(self, named: str, number: int | None) -> Review:
        """Return all that a person should see of a version: the one that waits, else the active one."""
        kata, _ = self._find.kata(named)
        version = version_of(kata, number)
        spec = as_approved(version)
        checks = self._checks.report(kata, version)
        kept = {one.evidence_id: one for one in self._reads.evidence.of(version.evidence)}
        examples = {one.evidence_id: one for one in self._checks.examples(kata, version)}
        notes = renamed_notes(version.notes or {}, version.renamed)
        return Review(
            profile=self._world.profile,
            row=self.row(kata),
            version=version.version,
            digest=version.digest,
            steps=plan_of(spec, notes),
            inputs=spec.input_schema(),
            output=dict(spec.output),
            effects=effect_counts(spec),
            asks_each_run=asks_each_run(effects_of(spec)),
            scores=version.scores,
            baseline=version.baseline,
            days=len({one.occurred_on for one in kept.values()} - {""}),
            checks=checks,
            warnings=tuple(notes.get("warnings", ())),
            evidence=tuple(evidence_view(one, kept, examples) for one in version.evidence),
            versions=tuple(version_row(kata, one) for one in kata.versions),
            changes=version.changes,
            choices=choices_of(version),
        )

    def number_of(self, named: str) -> int:
        """Return the number of the kata that is named."""
        return self._find.kata(named)[0].number

    def stream_of(self, named: str) -> str:
        """Return the stream of the kata that is named."""
        return self._find.kata(named)[0].stream

    def keys_of(self, streams: Iterable[str]) -> dict[str, str]:
        """Return the pattern key of each of these streams."""
        katas = (self._reads.katas.streamed(stream) for stream in streams)
        return {kata.stream: kata.key for kata in katas if kata is not None}

    def tools_in_use(self) -> tuple[str, ...]:
        """Return the tools that registered katas are made of."""
        specs = filter(None, map(readable, self._reads.katas.registered()))
        return tuple(sorted({tool.tool for spec in specs for tool in spec.tools}))

    def input_schema(self, number: int) -> JsonObject:
        """Return the input schema of a kata's current version, under the names that its approval gave."""
        kata = self._find.kata(str(number))[0]
        version = kata.current or kata.latest
        return {"properties": as_approved(version).input_schema()["properties"]}

    def runs(self, named: str, limit: int) -> tuple[RunRow, ...]:
        """Return runs, newest first: of one kata, or of all."""
        stream = self._find.kata(named)[0].stream if named else ""
        return tuple(run_row(run) for run in self._reads.runs.latest(stream, limit=limit))

    def run(self, run_id: str) -> RunTrace:
        """Return one run by its id, or the end of it.

        Raises:
            UnknownRunError: there is none, or more than one.
        """
        run = self._reads.runs.one(run_id) or self._run_ending(run_id)
        steps = tuple(map(step_view, self._reads.runs.steps(run.run_id)))
        kata = self._reads.katas.streamed(run.kata)
        version = kata.version(run.version) if kata is not None else None
        inputs = renamed_values(run.inputs, version.renamed if version is not None else ())
        return RunTrace(
            row=run_row(run),
            inputs=inputs,
            digest=run.digest,
            steps=steps if version is None else _whole(steps, version, inputs),
            acknowledged=run.acknowledged_at is not None,
            resumes=run.resumes,
        )

    def _run_ending(self, tail: str) -> Run:
        found = [
            run for run in self._reads.runs.latest(limit=1000) if len(tail) >= 4 and run.run_id.endswith(tail)
        ]
        if len(found) != 1:
            raise UnknownRunError(tail)
        return found[0]


def _whole(steps: tuple[RunStepView, ...], version: Version, inputs: JsonValue) -> tuple[RunStepView, ...]:
    spec = readable(version)
    return steps if spec is None else told_whole(steps, renamed(spec, version.renamed), inputs)


def actor_view(kata: Kata) -> ActorView:
    actor = kata.changed_by
    return ActorView(kind=str(actor.kind), id=actor.id, surface=str(actor.surface))


def detail_of(kata: Kata, is_newer: bool) -> str:
    """Say what troubles a kata, in its own lines."""
    if is_newer:
        return "needs a newer Kata"
    if kata.trouble is None:
        return (
            "; ".join(kata.pending.changes)
            if kata.pending is not None and kata.state != State.CANDIDATE
            else ""
        )
    if kata.trouble.cause == "failures":
        return f"{len(kata.trouble.lines)} runs in a row failed"
    return "; ".join(kata.trouble.lines)


def seen_row(one: told.Unproposed) -> KataRow:
    return KataRow(
        number=None,
        name="",
        state="seen",
        blocked_by=one.blocked_by,
        steps=tuple(one.steps),
        support=one.support,
        confidence=one.confidence,
        detail=one.detail,
        key=one.key,
    )


def found_row(found: Found) -> KataRow:
    """Return a row for what a pass found and did not propose."""
    steps = (
        step_shapes(found.spec) if found.spec is not None else tuple({"tool": tool} for tool in found.tools)
    )
    return KataRow(
        number=None,
        name=found.name,
        state="seen",
        blocked_by=found.blocked_by,
        steps=steps,
        support=found.support,
        confidence=found.confidence,
        detail=found.detail,
        key=found.key,
    )


def version_row(kata: Kata, one: Version) -> VersionRow:
    return VersionRow(
        version=one.version,
        digest=one.digest,
        cause=one.cause,
        changes=one.changes,
        approved=one.approved_at is not None,
        active=kata.registered is not None and kata.active_version == one.version,
        at=one.made_at,
    )


def evidence_view(
    evidence_id: str, kept: Mapping[str, Example], examples: Mapping[str, told.EvidenceKept]
) -> EvidenceView:
    example = examples.get(evidence_id)
    if example is None:
        return EvidenceView(
            evidence_id=evidence_id, conversation="", session_id="", occurred_on="", kept=False
        )
    calls = tuple({"tool": one.tool, "args": one.args, "result": one.result} for one in example.calls)
    return EvidenceView(
        evidence_id=evidence_id,
        conversation=example.conversation,
        session_id=example.session_id,
        occurred_on=example.occurred_on,
        kept=evidence_id in kept,
        calls=calls,
    )


def run_row(run: Run) -> RunRow:
    return RunRow(
        run_id=run.run_id,
        number=run.number,
        name=run.name,
        version=run.version,
        outcome=run.state if run.state in SETTLED else "",
        code=run.code,
        reason=run.reason,
        failed_step=run.failed_step,
        started_at=run.started_at,
        duration_ms=run.duration_ms,
        session_id=run.session_id,
        steps=run.steps,
    )


def step_view(step: RunStep) -> RunStepView:
    return RunStepView(
        index=step.index,
        step=step.step,
        tool=step.tool,
        effect=step.effect,
        outcome=step.outcome,
        reason=step.reason,
        exit_code=step.exit_code,
        started_at=step.started_at,
        duration_ms=step.duration_ms,
        attempts=step.attempt,
        args=step.args,
        result=step.result,
        late=step.late,
        element=step.element,
    )


def needs_person(row: KataRow) -> bool:
    """Tell whether a kata waits for a person: a proposal, a revised version, a stale or suspended one."""
    if row.deferred:
        return False
    return row.state in ("candidate", "stale", "suspended") or (
        row.pending_version is not None and row.state == "active"
    )


def newest(moments: Iterable[datetime | None]) -> datetime | None:
    return max((one for one in moments if one is not None), default=None)
