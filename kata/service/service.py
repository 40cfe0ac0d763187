"""The one door for surfaces and runtime: every use case of one profile's Kata (design 1).

All of it may be called from any thread: one lock lets one use case in at a time. The hook thread calls none of it.
"""

import contextlib
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

from ..events import Actor, Surface
from ..events import catalogue as told
from ..executor import Checkpoint, fingerprint_of
from ..executor.checks import changes_something
from ..executor.protocols import Caller
from ..importer import Wish
from ..json import JsonObject
from ..origin import Record
from ..projections import Registered
from ..spec import Spec, load_spec
from ..store import Store
from .adopting import Adopted, Adopting
from .board import Audience, Board, Proposal
from .comparing import Comparing, DiffView, WhyView
from .decide import Decisions
from .doctor import Doctor, DoctorView
from .exporting import Exporting
from .forgetting import Forgetting
from .forgetview import ForgetView, Forgotten, Target
from .hooking import Hooking
from .importing import Imported, Importing, Watch
from .keeping import Keeping
from .known import runnable
from .mine import Mining, counts_of
from .plan import asks_each_run, effects_of
from .planning import Planning, PlanView
from .ports import World
from .reads import Reads
from .running import Begun, Running, renamed_back
from .saved import BlameView, Reckoning, StatsView
from .screens import Screens, found_row
from .settings import Settings
from .sources import Place, here, home_of
from .upkeep import Retention, Upkeep
from .views import (
    AuditPage,
    AuditQuery,
    AuditRow,
    KataList,
    MiningSummary,
    Overview,
    ReplayReport,
    Review,
    RunRow,
    RunTrace,
    Status,
    VerifyReport,
)

Progress = Callable[[int, int], None]
REVIEWS_KEPT = 64
NEWS = 200
"""Rows that one look at what is new returns."""


class Service:
    """Kata's use cases; made by `kata.service.assemble`."""

    def __init__(
        self,
        *,
        world: World,
        store: Store,
        reads: Reads,
        lock: AbstractContextManager[object],
        screens: Screens,
        board: Board,
        decisions: Decisions,
        mining: Mining,
        running: Running,
        upkeep: Upkeep,
        retention: Retention,
        forgetting: Forgetting,
        keeping: Keeping,
        importing: Importing,
        planning: Planning,
        comparing: Comparing,
        exporting: Exporting,
        adopting: Adopting,
        reckoning: Reckoning,
        doctor: Doctor,
        hooking: Hooking,
    ) -> None:
        self.world, self.spool, self.decisions = world, store.spool, decisions
        self._store, self._reads, self._lock = store, reads, lock
        self._screens, self._board, self._mining = screens, board, mining
        self._running, self._upkeep, self._retention = running, upkeep, retention
        self._forgetting = forgetting
        self._keeping, self._importing = keeping, importing
        self._planning, self._comparing = planning, comparing
        self._exporting, self._adopting = exporting, adopting
        self._reckoning, self._doctor = reckoning, doctor
        self.hooking = hooking
        self._reviews: dict[str, str] = {}

    @property
    def profile(self) -> str:
        """The profile's name."""
        return self.world.profile

    @property
    def settings(self) -> Settings:
        """The settings as they are now; a bad one is at its safe default."""
        return self.world.settings()[0]

    def now(self) -> datetime:
        """Return the present moment."""
        return self.world.clock.now()

    def refresh(self) -> None:
        """Take in what the spool holds and bring the views up to date."""
        with self._lock:
            self.world.refresh()

    # Looking

    def overview(self, surface: str, audience: Callable[[], Audience] = lambda: Audience.PERSON) -> Overview:
        """Return what needs the person first; what it announces to a person counts as told on that surface."""
        with self._lock:
            self.world.refresh()
            return self._board.overview(surface, audience)

    def listing(self, *, everything: bool = False) -> KataList:
        """Return every kata; ``everything`` adds what was only seen, and why."""
        with self._lock:
            self.world.refresh()
            return self._screens.listing(everything=everything)

    def review(self, named: str, version: int | None = None) -> Review:
        """Return a version whole."""
        with self._lock:
            self.world.refresh()
            return self._screens.review(named, version)

    def shown(self, reader: str, view: Review) -> None:
        """Remember that a version was shown whole to a reader: the chat or shell that may approve it (design 9)."""
        with self._lock:
            self._reviews.pop(reader, None)
            self._reviews[reader] = f"{view.row.number}:{view.digest}"
            while len(self._reviews) > REVIEWS_KEPT:
                self._reviews.pop(next(iter(self._reviews)))

    def last_review(self, reader: str, named: str) -> str:
        """Return the digest that was shown to this reader last, if it was this kata's; else nothing (design 9)."""
        with self._lock:
            self.world.refresh()
            number, _, digest = self._reviews.get(reader, "").partition(":")
            return digest if number and str(self._screens.number_of(named)) == number else ""

    def plan(self, named: str, values: JsonObject, *, version: int | None = None) -> PlanView:
        """Return a version's plan with values for some of its inputs; nothing is dispatched."""
        with self._lock:
            self.world.refresh()
            return self._planning.plan(named, values, version=version)

    def diff(self, named: str, before: int | None = None, after: int | None = None) -> DiffView:
        """Return what differs between two versions, by default what the one that waits changes."""
        with self._lock:
            self.world.refresh()
            return self._comparing.diff(named, before, after)

    def why(self, named: str, *, version: int | None = None) -> WhyView:
        """Return what a version rests on."""
        with self._lock:
            self.world.refresh()
            return self._comparing.why(named, version=version)

    def export_kata(self, named: str, *, version: int | None = None) -> JsonObject:
        """Return one version of a kata as a document, masked (`kata.service.exporting`)."""
        with self._lock:
            self.world.refresh()
            return self._exporting.kata(named, version)

    def export_history(self, after: int = 0, *, limit: int = 500) -> tuple[JsonObject, ...]:
        """Return events of the log after a position as JSON lines have them, oldest first."""
        with self._lock:
            return self._exporting.history(after, limit)

    def adopt(self, text: str, source: str, actor: Actor, *, dry: bool = False) -> Adopted:
        """Make a proposal of an exported kata, never an active one."""
        with self._lock:
            return self._adopting.adopt(text, source, actor, dry=dry)

    def stats(self) -> StatsView:
        """Return what the tools saved, with the basis of each number."""
        with self._lock:
            self.world.refresh()
            return self._reckoning.stats()

    def blame(self, named: str) -> BlameView:
        """Return since when a kata fails, and what changed just before."""
        with self._lock:
            self.world.refresh()
            return self._reckoning.blame(named)

    def doctor(self) -> DoctorView:
        """Return whether the installation is sound, and how to mend what is not."""
        with self._lock:
            self.world.refresh()
            return self._doctor.examine()

    def news(self, after: int, *, observations: bool = False) -> tuple[int, tuple[AuditRow, ...]]:
        """Return the log's end, and the newest rows of the trail after a position, oldest first."""
        with self._lock:
            self.world.refresh()
            end = self.world.log.head().position
            if after >= end:
                return end, ()
            page = self._board.audit(AuditQuery(limit=NEWS, observations=observations))
            return end, tuple(row for row in reversed(page.rows) if row.position > after)

    def runs(self, named: str = "", *, limit: int = 20) -> tuple[RunRow, ...]:
        """Return runs, newest first."""
        with self._lock:
            self.world.refresh()
            return self._screens.runs(named, limit)

    def run(self, run_id: str) -> RunTrace:
        """Return one run by its id or the end of it."""
        with self._lock:
            self.world.refresh()
            return self._screens.run(run_id)

    def audit(self, query: AuditQuery) -> AuditPage:
        """Return a page of the audit trail."""
        with self._lock:
            self.world.refresh()
            return self._board.audit(query)

    def status(self) -> Status:
        """Return how Kata is."""
        with self._lock:
            self.world.refresh()
            return self._board.status()

    # Keeping

    def mine(self, progress: Progress | None = None, *, surface: Surface = Surface.CLI) -> MiningSummary:
        """Look for routines now."""
        with self._lock:
            mined, outcome = self._mining.run(surface, progress)
            rows = {row.key: row for row in self._screens.katas()}
            streams = self._screens.keys_of((*outcome.proposed, *outcome.revised))
            return MiningSummary(
                calls=mined.calls,
                conversations=mined.conversations,
                proposed=tuple(rows[streams[one]] for one in outcome.proposed),
                revised=tuple(rows[streams[one]] for one in outcome.revised),
                seen=tuple(found_row(found) for found in (*outcome.held, *mined.seen)),
                counts=counts_of(mined, outcome),
            )

    def home(self) -> Path:
        """Return the folder of the Hermes profile that this log belongs to."""
        return home_of(self._store.folder, os.environ)

    def record(self) -> Record:
        """Return what this log knows of agents, for whoever asks where a decision comes from (`kata.origin`)."""
        return Record(self._store.folder, self._worked)

    def _worked(self, start: float, end: float) -> bool:
        with self._lock:
            self.world.refresh()
            return self._reads.worked(start, end)

    def histories(self) -> tuple[Place, ...]:
        """Return the histories that this machine has: this Hermes' own, and other agents'."""
        return here(self.home(), Path.home(), os.environ)

    def import_history(self, path: Path, wish: Wish | None = None, watch: Watch | None = None) -> Imported:
        """Bring a history into the log, from a file or a folder of files; a second time it adds nothing."""
        with self._lock:
            return self._importing.run(path, wish, watch)

    def replay(
        self,
        *,
        check: bool = False,
        position: int | None = None,
        moment: datetime | None = None,
        progress: Progress | None = None,
    ) -> ReplayReport:
        """Rebuild the views from the log; with ``check`` compare instead; with a position or moment show that state."""
        with self._lock:
            self.world.refresh()
            until = moment if position is None else position
            return self._keeping.replay(check=check, until=until, progress=progress)

    def verify(self, progress: Progress | None = None) -> VerifyReport:
        """Re-read every stored byte."""
        with self._lock:
            self.world.refresh()
            return self._keeping.verify(progress)

    def forget_preview(self, target: Target) -> ForgetView:
        """Return what forgetting would take away."""
        with self._lock:
            self.world.refresh()
            return self._forgetting.preview(target)

    def forget(
        self, target: Target, token: str, actor: Actor, *, note: str = "", origin: str = ""
    ) -> Forgotten:
        """Erase what a preview showed; its token stands for exactly that."""
        with self._lock:
            self.world.refresh()
            return self._forgetting.forget(target, token, actor, note=note, origin=origin)

    def accept_end(self, actor: Actor, note: str = "") -> None:
        """Take the log's end as it is: what was noted of it, or whether anything was cut from it, counts no more."""
        self._tell("log", told.LogRestored(reason=f"its end was taken as it is. {note}".strip()), actor)

    def pause(self, actor: Actor, until: datetime | None, note: str = "") -> None:
        """Stop recording, until a moment or until it is resumed."""
        self._tell("log", told.RecordingPaused(until=until, note=note), actor)

    def resume(self, actor: Actor, note: str = "") -> None:
        """Record again."""
        self._tell("log", told.RecordingResumed(note=note), actor)

    def acknowledge(self, run_id: str, actor: Actor, note: str = "") -> None:
        """Allow the repeat of a run whose outcome nobody knows."""
        with self._lock:
            self.world.refresh()
            self._running.acknowledge(self._screens.run(run_id).row.run_id, actor, note)
            self.world.changed()

    def _tell(self, stream: str, payload: object, actor: Actor) -> None:
        with self._lock:
            with self.world.log.transaction() as transaction:
                transaction.add([self.world.event(stream, payload, actor)])
            self.world.changed()
            self.world.refresh()
            self.tell_hooks()

    # For the runtime

    def tell_hooks(self) -> None:
        """Leave a note for the hooks outside the plugin: whether to record, and how much."""
        with self._lock, contextlib.suppress(OSError):
            self.hooking.leave_standing()

    def recording(self) -> bool:
        """Tell whether observations are wanted: the setting, and no pause in force."""
        with self._lock:
            return self._board.is_recording()

    def registered(self) -> tuple[Registered, ...]:
        """Return the tools that should exist now, as the views have them; nothing is brought up to date."""
        with self._lock:
            return runnable(self._reads.katas.registered())

    def known_schemas(self) -> dict[str, str]:
        """Return the digest of each tool's newest schema in the log."""
        with self._lock:
            return {name: one.digest for name, one in self._reads.tools.newest().items()}

    def watched_tools(self) -> tuple[str, ...]:
        """Return the tools that katas use."""
        with self._lock:
            return self._screens.tools_in_use()

    def call_count(self) -> int:
        """Return how many calls the history has."""
        with self._lock:
            return self._reads.history.calls()

    def upkeep(self, surface: Surface) -> None:
        """Mark what went stale, erase what has expired, and end what was begun to be forgotten."""
        with self._lock:
            self._upkeep.run(surface)
            self._retention.run_daily(surface)
            self._forgetting.finish()

    def untold(self) -> tuple[Proposal, ...]:
        """Return the proposals that nobody was told of."""
        with self._lock:
            return self._board.untold()

    def begin_run(self, one: Registered, arguments: JsonObject, caller: Caller) -> Begun:
        """Check in the log that a kata may run, and build the request."""
        with self._lock:
            self.world.take_all()
            return self._running.begin(one.stream, one.version, arguments, caller)

    def resume_run(self, kept: Checkpoint, caller: Caller) -> Begun:
        """Check in the log that a run may go on where it stopped."""
        with self._lock:
            self.world.take_all()
            return self._running.resume(kept, caller)

    def alone(self, one: Registered, arguments: JsonObject) -> AbstractContextManager[None]:
        """Let no run with the same inputs go on beside this one, in any process, where it changes something (case B025).

        Raises:
            GoingOnError: when it is entered, and one goes on.
        """
        return self._alone(load_spec(one.spec), self.call_key(one, arguments))

    def alone_again(self, kept: Checkpoint) -> AbstractContextManager[None]:
        """Do the same for a run that goes on where it stopped."""
        request = kept.request
        return self._alone(
            request.spec, f"{request.kata}:{fingerprint_of(self.world.keeper, request.arguments)}"
        )

    def _alone(self, spec: Spec, key: str) -> AbstractContextManager[None]:
        return self._store.ongoing.alone(key) if changes_something(spec) else contextlib.nullcontext()

    def settle_run(self, stream: str) -> bool:
        """Suspend a kata whose last runs failed; tell whether it was."""
        with self._lock:
            return self._running.settle(stream)

    def asks_each_run(self, one: Registered) -> bool:
        """Tell whether a kata asks the person on every run."""
        return asks_each_run(effects_of(load_spec(one.spec)))

    def call_key(self, one: Registered, arguments: JsonObject) -> str:
        """Return the key of a call with these arguments: equal calls, equal keys; touches no lock."""
        given = renamed_back(arguments, one.renamed)
        return f"{one.stream}:{fingerprint_of(self.world.keeper, given)}"

    def unknown_calls(self, one: Registered) -> frozenset[str]:
        """Return the keys of calls whose outcome nobody knows."""
        with self._lock:
            return frozenset(
                f"{one.stream}:{fingerprint}" for fingerprint in self._reads.unsettled_inputs(one.stream)
            )

    def input_schema(self, number: int) -> JsonObject:
        """Return an active kata's input schema."""
        with self._lock:
            return self._screens.input_schema(number)

    def last_run(self, number: int) -> RunRow | None:
        """Return a kata's last run."""
        with self._lock:
            return next(iter(self._screens.runs(str(number), 1)), None)

    def close(self) -> None:
        """Give the views' connection back, and the store."""
        with self._lock:
            self._reads.close()
            self._store.close()
