"""What Kata does by itself: stale when a schema or the habit changed, retention (design 3, 4)."""

from datetime import date, timedelta
from itertools import chain
from typing import TypeAlias

import attrs

from ..events import Actor, Surface
from ..events import catalogue as told
from ..machines import LIFECYCLE, Facts, Kata, Trigger, Version
from ..schemas import Call as SchemaCall
from ..schemas import Change, matters, revise
from ..spec import Spec, digest_of, dump_spec, flat_steps, load_spec
from ..store import Store
from ..store.protocol import WrongVersionError
from ..templating import Call, match
from ..validator import skeleton
from .known import is_known
from .ports import World, system
from .reads import Reads
from .renaming import as_approved, renamed_notes
from .validate import Checks

LATEST_RUNS = 5
"""So many of the newest manual runs tell whether the template still fits."""


Drift: TypeAlias = dict[str, tuple[Change, ...]]


class Upkeep:
    """Looks after active katas. Its actor is Kata itself."""

    def __init__(self, world: World, reads: Reads, checks: Checks) -> None:
        self._world, self._reads, self._checks = world, reads, checks

    def run(self, surface: Surface) -> int:
        """Look at every active kata once; return how many went stale."""
        actor = system(surface)
        return sum(self._look_at(kata, actor) for kata in self._reads.katas.in_state("active"))

    def _look_at(self, kata: Kata, actor: Actor) -> bool:
        version = kata.registered
        if version is None or not is_known(kata):
            return False
        spec = as_approved(version)
        drift = self._drift(kata, version, spec)
        if drift:
            changes = tuple(f"{tool}: {change.line}" for tool, found in drift.items() for change in found)
            return self._go_stale(
                kata, version, "schema", changes, actor, self._mended(kata, version, spec, drift)
            )
        strayed = self._strayed(kata, version, spec)
        if strayed:
            return self._go_stale(kata, version, "evidence", strayed, actor, None)
        return False

    def _drift(self, kata: Kata, version: Version, spec: Spec) -> Drift:
        """Return the schema changes that matter, by tool; judged on the newest schemas in the log (case B084)."""
        drift: Drift = {}
        for one in spec.tools:
            now = self._reads.described(one.tool)
            if not one.digest or now is None or now.digest == one.digest:
                continue
            before = self._reads.schema_with(one.tool, one.digest)
            found = (
                matters(before, now.schema, self._calls(kata, version, one.tool))
                if before is not None
                else ()
            )
            if found:
                drift[one.tool] = found
        return drift

    def _calls(self, kata: Kata, version: Version, tool: str) -> list[SchemaCall]:
        """Return the tool's calls: as recorded, and as the version makes them (all that is left once recordings expired)."""
        examples = self._checks.examples(kata, version)
        recorded = [
            SchemaCall(args=one.args) for one in chain(*(one.calls for one in examples)) if one.tool == tool
        ]
        return recorded + [
            skeleton(step) for step in flat_steps(load_spec(version.spec)) if step.tool == tool
        ]

    def _mended(self, kata: Kata, version: Version, spec: Spec, drift: Drift) -> Spec | None:
        """Return the mechanical revision, where there is one that passes its checks (design 4 "Revision by schema")."""
        revised = spec
        for tool, found in drift.items():
            revision = revise(revised, tool, self._checks.schema(tool), found)
            if revision is None:
                return None
            revised = revision.spec
        sealed = self._checks.sealed(revised)
        if digest_of(sealed) in {one.digest for one in kata.versions}:
            return None
        examples = self._checks.examples(kata, version)
        return None if self._checks.failing_revision(sealed, examples) else sealed

    def _strayed(self, kata: Kata, version: Version, spec: Spec) -> tuple[str, ...]:
        """Say how manual runs differ, when fewer than half of the newest ones fit (design 4)."""
        since = version.approved_at or version.made_at
        occurrences = self._reads.history.occurrences(kata.signatures, since)
        settings, _ = self._world.settings()
        if len({one.conversation for one in occurrences}) < settings.min_support:
            return ()
        newest = occurrences[-LATEST_RUNS:]
        fitting = sum(self._fits(spec, one.refs) for one in newest)
        if fitting * 2 >= len(newest):
            return ()
        return (f"of the last {len(newest)} runs by hand {fitting} are what the tool would do",)

    def _fits(self, spec: Spec, refs: tuple[int, ...]) -> bool:
        events = self._world.log.get(refs)
        calls = [events[ref].payload for ref in refs if ref in events]
        if not all(isinstance(one, told.ToolReturned) for one in calls):
            return True
        return (
            match(spec, [Call(tool=one.tool, args=one.args, result=one.result) for one in calls]) is not None
        )

    def _go_stale(
        self,
        kata: Kata,
        version: Version,
        cause: str,
        changes: tuple[str, ...],
        actor: Actor,
        mended: Spec | None,
    ) -> bool:
        LIFECYCLE.check(kata.state, Trigger.GO_STALE, actor.kind, Facts(lines_changed=True))
        stale = told.KataWentStale(version=version.version, cause=cause, changes=changes)
        events = [self._world.event(kata.stream, stale, actor)]
        if mended is not None:
            revised = self._revision(kata, version, cause, changes, mended)
            events.append(self._world.event(kata.stream, revised, actor, causation=events[0].event_id))
        try:
            self._world.log.append(kata.stream, kata.stream_version, events)
        except WrongVersionError:
            return False
        self._world.changed()
        self._world.refresh()
        return True

    def _revision(
        self, kata: Kata, version: Version, cause: str, changes: tuple[str, ...], spec: Spec
    ) -> told.KataRevised:
        return told.KataRevised(
            version=len(kata.versions) + 1,
            cause=cause,
            changes=(*changes, *self._checks.changes(as_approved(version), spec)),
            spec=dump_spec(spec),
            digest=digest_of(spec),
            scores=version.scores,
            baseline=version.baseline,
            evidence=version.evidence,
            notes=renamed_notes(version.notes or {}, version.renamed),
        )


@attrs.frozen
class Expired:
    """What retention erased: how many payloads."""

    count: int


class Retention:
    """Erases observations, and records set aside, that are older than the setting says; lifecycle and runs stay (design 3)."""

    TYPES = ("tool.returned", "model.answered", "turn.started", "turn.ended", "hook.observed")

    def __init__(self, world: World, store: Store) -> None:
        self._world, self._store = world, store
        self._day: date | None = None

    def run_daily(self, surface: Surface) -> None:
        """Erase what has expired, once a day in this process."""
        today = self._world.clock.now().date()
        if self._day != today:
            self._day = today
            self.run(surface)

    def run(self, surface: Surface) -> Expired:
        """Erase what has expired, in one event and one transaction."""
        settings, _ = self._world.settings()
        before = self._world.clock.now() - timedelta(days=settings.retention_days)
        positions = []
        for event in self._world.log.read(types=self.TYPES):
            if event.recorded_at >= before:
                break
            if not is_erased(event.payload):
                positions.append(event.position)
        self._store.drop_set_aside(self._store.set_aside(before))
        if not positions:
            return Expired(0)
        payload = told.HistoryExpired(positions=ranges(positions), count=len(positions), before=before)
        with self._world.log.transaction() as transaction:
            transaction.erase(self._world.event("log", payload, system(surface)))
        self._world.refresh()
        return Expired(len(positions))


def is_erased(payload: object) -> bool:
    """Tell whether an event's payload is gone."""
    return getattr(payload, "why", "") == "erased"


def ranges(positions: list[int]) -> tuple[tuple[int, int], ...]:
    """Fold ascending positions into inclusive ranges."""
    found: list[tuple[int, int]] = []
    for position in positions:
        if found and found[-1][1] == position - 1:
            found[-1] = (found[-1][0], position)
        else:
            found.append((position, position))
    return tuple(found)
