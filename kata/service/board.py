"""Overview, status and the audit trail: what there is to know without looking into one kata."""

from collections.abc import Callable, Iterable, Iterator
from enum import Enum

import attrs

from .. import __version__
from ..errors import KataError, NewerKataError
from ..events import ActorKind, Surface
from ..events import catalogue as told
from ..hooks.standing import Standing
from ..projections import AuditEntry, AuditFilter
from ..store import Store
from .ports import World, system
from .reads import Reads
from .screens import Screens, needs_person
from .views import (
    ActorView,
    Announcement,
    AuditPage,
    AuditQuery,
    AuditRow,
    Facet,
    KataRow,
    Overview,
    RecordingView,
    Status,
)

DECISIONS = {
    "kata.approved": "approve",
    "kata.rejected": "reject",
    "kata.reconsidered": "reconsider",
    "kata.disabled": "disable",
    "kata.enabled": "enable",
    "kata.rolled_back": "rollback",
    "decision.refused": "refused",
    "history.forgotten": "forget",
}
"""Decisions that are announced once on the next surface, with their verb (design 9.4)."""

FORGOTTEN, RESTORED = "history.forgotten", "log.restored"

SHELL_AGAIN = Surface.CLI
"""Each shell command is a process of its own: what one decided, the next one tells of."""


class Audience(Enum):
    """Who reads an overview: what only a person may use up is not told to anybody else (design 9.4).

    A stranger is whoever may not decide there though no agent shows: a pipe, a group's member. An agent is not even shown
    what was decided: it is not the one whom "Not you?" asks.
    """

    PERSON = "person"
    STRANGER = "stranger"
    AGENT = "agent"


@attrs.frozen(kw_only=True)
class Proposal:
    """A proposal that nobody was told of yet: its event and its row."""

    event_id: str
    row: KataRow


class Board:
    """Builds overview, status and audit pages."""

    def __init__(self, world: World, store: Store, reads: Reads, screens: Screens) -> None:
        self._world, self._store, self._reads, self._screens = world, store, reads, screens

    def overview(self, surface: str, audience: Callable[[], Audience]) -> Overview:
        """Return what needs the person first; what it announces to a person counts as told afterwards."""
        settings, _ = self._world.settings()
        rows = self._screens.katas()
        needs = tuple(row for row in rows if needs_person(row))
        announced = self._announced(rows, surface, audience)
        return Overview(
            profile=self._world.profile,
            recording=self.recording(),
            min_support=settings.min_support,
            needs_you=needs,
            active=tuple(row for row in rows if row.state == "active"),
            set_aside=tuple(row for row in rows if row.deferred or row.state in ("rejected", "disabled")),
            seen=len(self._screens.seen()),
            announcements=announced,
        )

    def _announced(
        self, rows: Iterable[KataRow], surface: str, audience: Callable[[], Audience]
    ) -> tuple[Announcement, ...]:
        """Return what is announced to this audience, which is asked for only where there is something to tell."""
        announced = tuple(self._announcements(surface))
        about = [one.event_id for one in announced] + self._proposed(rows)
        reader = audience() if about else Audience.PERSON
        if about and reader == Audience.PERSON:
            self._tell(about, surface)
        return () if reader == Audience.AGENT else announced

    def _announcements(self, surface: str) -> Iterable[Announcement]:
        for entry in self._reads.audit.untold(tuple(DECISIONS)):
            if (entry.number is not None or entry.type == FORGOTTEN) and _is_news(entry, surface):
                yield Announcement(
                    event_id=entry.event_id,
                    verb=DECISIONS[entry.type],
                    number=entry.number or 0,
                    name=entry.name or str(entry.fields.get("what", "")),
                    at=entry.at,
                    by=_actor(entry),
                )

    def _proposed(self, rows: Iterable[KataRow]) -> list[str]:
        shown = {row.number for row in rows if row.state == "candidate"}
        return [one.event_id for one in self.untold() if one.row.number in shown]

    def _tell(self, about: Iterable[str], surface: str) -> None:
        """Write down what an overview tells of: decisions made elsewhere, and proposals."""
        payload = told.NoticeShown(about=tuple(about), surface=surface)
        try:
            with self._world.log.transaction() as transaction:
                transaction.add([self._world.event("log", payload, system(Surface(surface)))])
        except KataError:
            return

    def untold(self) -> tuple[Proposal, ...]:
        """Return the proposals that nobody was told of."""
        rows = {row.number: row for row in self._screens.katas()}
        found = self._reads.audit.untold(("kata.proposed",))
        return tuple(
            Proposal(event_id=entry.event_id, row=rows[entry.number])
            for entry in found
            if entry.number in rows and rows[entry.number].state == "candidate"
        )

    def is_recording(self) -> bool:
        """Tell whether observations are wanted: the setting, and no pause in force."""
        settings, _ = self._world.settings()
        return settings.record and self._reads.health.pause(self._world.clock.now()) is None

    def standing(self) -> Standing:
        """Return what the hooks outside the plugin must know."""
        settings, _ = self._world.settings()
        pause = self._reads.health.pause(self._world.clock.now())
        until = pause.until.isoformat() if settings.record and pause and pause.until else ""
        return Standing(recording=self.is_recording(), until=until, texts=settings.observe_texts)

    def recording(self) -> RecordingView:
        """Return the health line."""
        _, warnings = self._world.settings()
        line = self._reads.health.line(self._world.clock.now())
        refused = self._reads.tools.refused().values()
        return RecordingView(
            recording=self.is_recording(),
            paused_until=line.pause.until if line.pause is not None else None,
            events=line.stored,
            calls=line.calls,
            conversations=line.conversations,
            lost=line.lost + sum(self._store.spool.lost.values()),
            lost_reason=line.lost_reason or next(iter(self._store.spool.lost), ""),
            hidden_calls=line.hidden_calls,
            last_event_at=line.last_event_at,
            log_bytes=log_bytes(self._store),
            warnings=(
                *warnings,
                *self._newer(),
                *self._damaged(),
                *(f"kata_{one.name} could not be registered: {one.why}" for one in refused),
            ),
        )

    def _newer(self) -> Iterator[str]:
        try:
            self._store.log.check_writable()
        except NewerKataError as error:
            yield f"{error}: what is recorded waits for the newer Kata"

    def _damaged(self) -> Iterator[str]:
        """Tell of each damaged log for as long as its files are there."""
        for one in self._reads.health.incidents():
            if one.set_aside and one.type == RESTORED and (self._store.folder / one.set_aside).is_dir():
                yield f"the log was damaged ({one.reason}); it is kept in {one.set_aside}, and a new one was begun"

    def status(self) -> Status:
        """Return how Kata is."""
        settings, _ = self._world.settings()
        rows = self._screens.katas()
        last = self._reads.health.last_mining()
        return Status(
            profile=self._world.profile,
            version=__version__,
            recording=self.recording(),
            pending=sum(needs_person(row) for row in rows),
            active=sum(row.state == "active" for row in rows),
            positions=self._world.log.head().position,
            settings=tuple(attrs.asdict(settings).items()),
            last_mining_at=self._reads.health.last_at("mining.completed"),
            last_mining=last.summary if last is not None else None,
        )

    def audit(self, query: AuditQuery) -> AuditPage:
        """Return a page of the audit trail with facets over all that fits."""
        kata = self._screens.stream_of(query.kata) if query.kata else ""
        wanted = AuditFilter(
            actor=query.actor,
            action=query.action,
            channel=query.channel,
            kata=kata,
            since=query.since,
            until=query.until,
            text=query.text,
            observations=query.observations,
        )
        page = self._reads.audit.page(wanted, before=query.before, limit=query.limit)
        facets = self._reads.audit.facets(wanted)
        return AuditPage(
            profile=self._world.profile,
            query=query,
            rows=tuple(map(_row, page.entries)),
            total=page.total,
            next_before=page.next_before,
            facets=tuple(
                (name, tuple(Facet(value=str(v), count=c) for v, c in found))
                for name, found in facets.items()
            ),
        )


def _is_news(entry: AuditEntry, surface: str) -> bool:
    elsewhere = str(entry.actor.surface) != surface or surface == SHELL_AGAIN
    return elsewhere and (entry.type != "decision.refused" or entry.actor.kind == ActorKind.AGENT)


def _actor(entry: AuditEntry) -> ActorView:
    return ActorView(kind=str(entry.actor.kind), id=entry.actor.id, surface=str(entry.actor.surface))


def _row(entry: AuditEntry) -> AuditRow:
    return AuditRow(
        position=entry.position,
        event_id=entry.event_id,
        at=entry.at,
        recorded_at=entry.recorded_at,
        actor=_actor(entry),
        action=entry.type,
        number=entry.number,
        name=entry.name,
        fields=entry.fields,
        correlation_id=entry.correlation_id,
    )


def log_bytes(store: Store) -> int:
    """Return how much room the data folder takes, in bytes."""
    return sum(path.stat().st_size for path in store.folder.rglob("*") if path.is_file())
