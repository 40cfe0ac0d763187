"""From what a mining pass found to proposals and revisions: each passes every check first, five wait at most (design 4, 6)."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

import attrs

from ..events import Actor, Event, NewEvent
from ..events import catalogue as told
from ..importer import UNKNOWN_TIME
from ..machines import LIFECYCLE, PENDING_LIMIT, Facts, Kata, State, Trigger
from ..miner.types import Found, Mined, Occurrence
from ..spec import Spec, digest_of, dump_spec, flat_steps, load_spec
from ..store.protocol import WrongVersionError
from .known import is_known
from .names import free_name
from .near import Outline, is_near, is_same, is_separated, outline
from .ports import World
from .renaming import Renames, as_approved, fitting, names_kept, renamed, renamed_notes
from .validate import Checks

EVIDENCE_LIMIT = 12
"""Examples kept with a version: one a conversation, the newest."""

Measure = Callable[[tuple[Occurrence, ...]], told.Baseline]


@attrs.frozen(kw_only=True)
class Outcome:
    """What became of a pass: streams proposed and revised, and what is held back with the reasons added here."""

    proposed: tuple[str, ...]
    revised: tuple[str, ...]
    held: tuple[Found, ...]


def stream_of(key: str) -> str:
    """Return a routine's stream: the hash of its pattern key, so that two miners cannot propose one routine twice."""
    return f"kata/{hashlib.sha256(key.encode()).hexdigest()[:20]}"


NOT_HERE = "tool_not_here"


class Proposer:
    """Turns candidates into events. Its actor is Kata itself."""

    def __init__(
        self,
        world: World,
        checks: Checks,
        measure: Measure,
        katas: Callable[[], tuple[Kata, ...]],
        without_lineage: Callable[[Iterable[str]], int],
    ) -> None:
        self._world, self._checks = world, checks
        self._without_lineage = without_lineage
        self._measure, self._katas = measure, katas

    def take(self, mined: Mined, actor: Actor) -> Outcome:
        """Propose and revise, best candidate first; what cannot be proposed now is returned with the reason."""
        proposed: list[str] = []
        revised: list[str] = []
        held: list[Found] = []
        for found in mined.candidates:
            assert found.spec is not None
            like = self._like(found, found.spec)
            if like is not None:
                stream, reason = self._revise(found, found.spec, like, actor), "near_duplicate"
                target = revised
            else:
                stream, reason = self._propose(found, found.spec, actor)
                target = proposed
            if stream:
                target.append(stream)
                self._world.refresh()
            elif reason:
                detail = self._needed(found.spec) if reason == NOT_HERE else found.detail
                held.append(attrs.evolve(found, blocked_by=(*found.blocked_by, reason), detail=detail))
        return Outcome(proposed=tuple(proposed), revised=tuple(revised), held=tuple(held))

    def _like(self, found: Found, spec: Spec) -> Kata | None:
        wanted = outline(found.key, found.signatures, spec)
        katas = tuple(filter(is_known, self._katas()))
        near = (kata for kata in katas if is_near(_outline(kata), wanted))
        return next(near, None) or next((kata for kata in katas if _is_decided(kata, wanted)), None)

    def _propose(self, found: Found, spec: Spec, actor: Actor) -> tuple[str, str]:
        if self._missing(spec):
            return "", NOT_HERE
        waiting = sum(kata.state == State.CANDIDATE for kata in self._katas())
        if waiting >= PENDING_LIMIT:
            return "", "pending_limit"
        evidence = list(self._evidence(found, stream_of(found.key), actor))
        spec = self._checks.sealed(spec, [event.payload for event in evidence])
        if self._checks.failing_spec(spec, [event.payload for event in evidence]):
            return "", "not_compilable"
        facts = Facts(meets_thresholds=True, is_new_routine=True, has_room=True)
        LIFECYCLE.check(State.NONE, Trigger.PROPOSE, actor.kind, facts)
        return self._append_proposal(found, spec, evidence, actor), ""

    def _missing(self, spec: Spec) -> list[str]:
        tools = dict.fromkeys(step.tool for step in flat_steps(spec))
        return [tool for tool in tools if not self._checks.has_tool(tool)]

    def _needed(self, spec: Spec) -> str:
        return f"Needs {', '.join(self._missing(spec))}, which this Hermes does not have."

    def _append_proposal(self, found: Found, spec: Spec, evidence: list[NewEvent], actor: Actor) -> str:
        world, stream = self._world, stream_of(found.key)
        try:
            with world.log.transaction() as transaction:
                if transaction.version(stream):
                    return ""
                payload = told.KataProposed(
                    number=transaction.count_streams("kata/") + 1,
                    key=found.key,
                    signatures=found.signatures,
                    spec=dump_spec(spec),
                    digest=digest_of(spec),
                    name=self._name(found.name, spec),
                    scores=scores_of(found),
                    baseline=self._measure(found.occurrences),
                    evidence=tuple(event.payload.evidence_id for event in evidence),
                    notes=self._notes(found),
                )
                transaction.append(stream, 0, [*evidence, world.event(stream, payload, actor)])
        except WrongVersionError:
            return ""
        return stream

    def _name(self, suggested: str, spec: Spec) -> str:
        steps = [step.tool for step in flat_steps(spec)]
        return free_name(suggested, steps, self._checks.tool_names(), {kata.name for kata in self._katas()})

    def _revise(self, found: Found, spec: Spec, kata: Kata, actor: Actor) -> str:
        """Prepare a further version when new evidence gives a template that no version has; a rejected routine stays so."""
        if not self._is_news(found, spec, kata):
            return ""
        evidence = list(self._evidence(found, kata.stream, actor))
        renames = fitting(spec, names_kept(kata))
        spec = self._checks.sealed(renamed(spec, renames), [event.payload for event in evidence])
        digest = digest_of(spec)
        if digest in {version.digest for version in kata.versions}:
            return ""
        if self._checks.failing_spec(spec, [event.payload for event in evidence]):
            return ""
        LIFECYCLE.check(kata.state, Trigger.REVISE, actor.kind, Facts(digest_is_new=True))
        payload = told.KataRevised(
            version=len(kata.versions) + 1,
            cause="evidence",
            changes=self._checks.changes(as_approved(kata.latest), spec),
            spec=dump_spec(spec),
            digest=digest,
            scores=scores_of(found),
            baseline=self._measure(found.occurrences),
            evidence=tuple(event.payload.evidence_id for event in evidence),
            notes=renamed_notes(self._notes(found), renames),
        )
        try:
            revision = self._world.event(kata.stream, payload, actor)
            self._world.log.append(kata.stream, kata.stream_version, [*evidence, revision])
        except WrongVersionError:
            return ""
        return kata.stream

    def _is_news(self, found: Found, spec: Spec, kata: Kata) -> bool:
        """Tell whether more conversations than ever gave a template that does something else than every version."""
        wanted = outline(found.key, found.signatures, spec)
        if (
            not (is_same(_outline(kata), wanted) or _is_decided(kata, wanted))
            or kata.state == State.REJECTED
            or found.support <= kata.latest.scores.support
        ):
            return False
        names = names_kept(kata)
        new, *known = (_named(one, names) for one in (spec, *(load_spec(one.spec) for one in kata.versions)))
        return all((one.steps, one.inputs) != (new.steps, new.inputs) for one in known)

    def _notes(self, found: Found) -> dict[str, Any]:
        conversations = {one.conversation for one in found.occurrences}
        warnings = _lineage_warnings(self._without_lineage(conversations), len(conversations))
        return notes_of(attrs.evolve(found, warnings=(*found.warnings, *warnings)))

    def _evidence(self, found: Found, stream: str, actor: Actor) -> Iterator[NewEvent]:
        chosen = tuple(one_each(found.occurrences))[-EVIDENCE_LIMIT:]
        events = self._world.log.get([ref for occurrence in chosen for ref in occurrence.refs])
        for occurrence in chosen:
            calls = [events[ref] for ref in occurrence.refs if ref in events]
            if len(calls) == len(occurrence.refs) and all(
                isinstance(one.payload, told.ToolReturned) for one in calls
            ):
                yield self._world.event(stream, self._example(occurrence, calls), actor)

    def _example(self, occurrence: Occurrence, calls: list[Event]) -> told.EvidenceKept:
        return told.EvidenceKept(
            evidence_id=self._world.ids.new(),
            conversation=occurrence.conversation,
            session_id=calls[0].payload.session_id,
            turn_id=occurrence.turn,
            calls=tuple(map(_call, calls)),
            occurred_on=_day(calls[0].occurred_at),
            job=occurrence.conversation[4:] if occurrence.conversation.startswith("job:") else None,
        )


def _day(moment: datetime) -> str:
    """Return the day of a call; empty where its source does not know it."""
    return "" if moment == UNKNOWN_TIME else moment.astimezone(UTC).date().isoformat()


def _call(event: Event) -> told.EvidenceCall:
    call: told.ToolReturned = event.payload
    return told.EvidenceCall(
        tool=call.tool, args=call.args, result=call.result, textual=call.textual, duration_ms=call.duration_ms
    )


def one_each(occurrences: tuple[Occurrence, ...]) -> Iterator[Occurrence]:
    """Yield the first occurrence of each conversation."""
    seen: set[str] = set()
    for occurrence in occurrences:
        if occurrence.conversation not in seen:
            seen.add(occurrence.conversation)
            yield occurrence


def _named(spec: Spec, names: Renames) -> Spec:
    return renamed(spec, fitting(spec, names))


def _outline(kata: Kata) -> Outline:
    return outline(kata.key, kata.signatures, load_spec(kata.latest.spec))


def _is_decided(kata: Kata, wanted: Outline) -> bool:
    """Tell whether a routine is a kata whose ambiguous sources new occurrences told apart."""
    notes = (kata.latest.notes or {}).get("arguments", ())
    return is_separated(_outline(kata), load_spec(kata.latest.spec), notes, wanted)


def scores_of(found: Found) -> told.Scores:
    """Return a found routine's scores as its event carries them."""
    return told.Scores(
        support=found.support,
        occurrences=len(found.occurrences),
        fit_rate=found.fit_rate,
        confidence=found.confidence,
    )


def notes_of(found: Found) -> dict[str, Any]:
    """Return what the reviewer should know, as the event carries it."""
    return {
        "arguments": [attrs.asdict(note) for note in found.arguments],
        "warnings": list(found.warnings),
        "detail": found.detail,
    }


def _lineage_warnings(unknown: int, whole: int) -> tuple[str, ...]:
    """Warn of conversations that may be parts of one: nobody said where they come from (case B005)."""
    return (
        (f"of {unknown} of {whole} conversations it is not known whether they go on from another one",)
        if unknown
        else ()
    )
