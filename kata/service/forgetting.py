"""Forget: what was recorded goes, for a conversation or a text, once a person has seen what that is (design 3, case B074).

The events' headers stay, so that the chain can be verified and the audit trail says that something was forgotten, by
whom. What was erased stays nowhere: payloads, views, free pages, write-ahead log, spool, records set aside.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import attrs

from ..errors import KataError, NotFoundError, RefusedError, StoreError, UsageError
from ..events import Actor, ActorKind, Event, NewEvent
from ..events import catalogue as told
from ..hooks.notes import forget_turn
from ..json import digest
from ..machines import LIFECYCLE, Facts, Kata, State, Trigger
from ..projections import Run
from ..spec import Const, Spec, flat_steps, load_spec
from ..store import Store, WrongVersionError
from ..store.locks import held
from ..templating.arguments import walk_expression
from .errors import NobodyMayError
from .forgetview import (
    LAST,
    ForgetView,
    Forgotten,
    NoSessionError,
    StalePreviewError,
    Target,
    TouchedKata,
    UnsettledRunError,
)
from .gathering import EXAMPLE, RUN, Hits, OfSessions, OfText, gather
from .mine import AlreadyMiningError
from .ports import World
from .reads import Reads
from .upkeep import is_erased, ranges

SHORTEST = 3
"""Characters of a text that can be forgotten: a shorter one is everywhere."""

CONSTANTS_SHOWN = 12
UNFINISHED = "forgetting"
"""A file that stands beside the log until no byte is left."""

_ENDED_BY = {
    State.CANDIDATE: Trigger.REJECT,
    State.ACTIVE: Trigger.DISABLE,
    State.STALE: Trigger.DISABLE,
    State.SUSPENDED: Trigger.DISABLE,
}
_SAYS = {Trigger.REJECT: told.KataRejected, Trigger.DISABLE: told.KataDisabled}

Refuse = Callable[[str, str, Actor, KataError, str], None]


@attrs.frozen(kw_only=True)
class _Plan:
    """What goes, as the log has it."""

    view: ForgetView
    positions: tuple[int, ...]
    gone: tuple[Kata, ...]
    set_aside: tuple[str, ...]


class Forgetting:
    """Shows what would go, and erases it."""

    def __init__(self, world: World, store: Store, reads: Reads, refuse: Refuse, mining_lock: Path) -> None:
        self._world, self._store, self._reads = world, store, reads
        self._refuse, self._mining_lock = refuse, mining_lock

    def preview(self, target: Target) -> ForgetView:
        """Return what forgetting would take away; nothing is changed.

        Raises:
            UsageError: the target is none, or too short a text.
            NoSessionError: nothing is recorded of the session.
        """
        return self._plan(target, self._store.log.head().position).view

    def forget(
        self, target: Target, token: str, actor: Actor, *, note: str = "", origin: str = ""
    ) -> Forgotten:
        """Erase what a preview showed.

        Args:
            token: The preview's; it stands for exactly what was shown.
            note: Goes into the log; it may not hold the text.
            origin: Where this came from, for the record of a refusal.

        Raises:
            RefusedError: something else would go now, a run's outcome is unknown, or nobody may.
        """
        with self._recorded(actor, origin), held(self._mining_lock) as is_mine:
            if not is_mine:
                raise AlreadyMiningError
            if target.text and target.text in note:
                raise UsageError("the note holds the very text", hint="Say it in other words.")
            plan = self._shown(target, token)
            self._check_runs(plan)
            return self._erase(target, plan, actor, note)

    def finish(self) -> bool:
        """Go on where a wipe could not be ended; tell whether no byte is left."""
        unfinished = self._store.folder / UNFINISHED
        if not unfinished.exists():
            return True
        try:
            self._reads.catch_up()
            self._store.wipe()
        except StoreError:
            return False
        unfinished.unlink(missing_ok=True)
        return True

    def _plan(self, target: Target, until: int) -> _Plan:
        sessions = self._sessions(target)
        hits = gather(self._store.log, OfSessions(sessions) if sessions else OfText(target.text), until)
        if sessions and not (hits.rows or hits.runs):
            raise NoSessionError(target.session)
        katas = tuple(self._touched(hits))
        gone = tuple(kata for kata, touched in katas if touched.goes)
        lost = {stream for kata in gone for stream in (kata.stream,)}
        kept = [row for row in hits.rows if row[1] not in lost]
        whole = [event for stream in sorted(lost | hits.runs) for event in self._alive(stream)]
        counts = Counter([row[2] for row in kept] + [event.type for event in whole])
        positions = tuple(sorted({*(row[0] for row in kept), *(event.position for event in whole)}))
        set_aside = self._store.set_aside()
        session = self._named(target) if sessions else ""
        what = f"session {session}" if sessions else f"a text of {len(target.text)} characters"
        sealed = digest([what, ranges(list(positions)), sorted(lost), set_aside])
        view = ForgetView(
            profile=self._world.profile,
            what=what,
            token=f"{until:x}-{sealed[:12]}",
            session=session,
            sessions=sessions,
            events=len(positions),
            counts=tuple(sorted(counts.items())),
            runs=len(hits.runs),
            katas=tuple(touched for _, touched in katas),
            set_aside=len(set_aside),
            named=hits.named,
            elsewhere=tuple(sorted(path.name for path in self._store.folder.glob("damaged-*"))),
        )
        return _Plan(view=view, positions=positions, gone=gone, set_aside=set_aside)

    def _shown(self, target: Target, token: str) -> _Plan:
        try:
            plan = self._plan(target, _until(token))
        except NoSessionError:
            raise StalePreviewError from None
        if plan.view.token != token:
            raise StalePreviewError
        return plan

    def _sessions(self, target: Target) -> tuple[str, ...]:
        if bool(target.session) == bool(target.text):
            raise UsageError(
                "say what to forget", hint="forget last, forget --session ID, or forget --text TEXT"
            )
        if target.text:
            if len(target.text.strip()) < SHORTEST:
                raise UsageError(f"a text of at least {SHORTEST} characters can be forgotten")
            return ()
        return self._reads.history.kin(self._named(target))

    def _named(self, target: Target) -> str:
        if target.session != LAST:
            return target.session
        newest = self._reads.history.newest_session()
        if not newest:
            raise NoSessionError(LAST)
        return newest

    def _touched(self, hits: Hits) -> Iterator[tuple[Kata, TouchedKata]]:
        """Yield the katas that lose examples or go, by number; one that nobody can read any more is not asked about."""
        losing = Counter(stream for _, stream, event_type in hits.rows if event_type == EXAMPLE)
        for kata in self._reads.katas.all():
            if kata.stream in hits.katas or losing[kata.stream]:
                yield kata, self._one(kata, losing[kata.stream], says_it=kata.stream in hits.katas)

    def _one(self, kata: Kata, losing: int, *, says_it: bool) -> TouchedKata:
        left = len(self._reads.evidence.of_stream(kata.stream)) - losing
        approved = any(version.approved_at is not None for version in kata.versions)
        goes = "text" if says_it else "" if approved or left else "examples"
        return TouchedKata(
            number=kata.number,
            name=kata.name,
            state=kata.state,
            goes=goes,
            examples=losing,
            left=left,
            constants=() if goes else _constants(kata),
        )

    def _alive(self, stream: str) -> Iterator[Event]:
        return (event for event in self._store.log.read_stream(stream) if not is_erased(event.payload))

    def _check_runs(self, plan: _Plan) -> None:
        events = self._store.log.get(plan.positions)
        ids = dict.fromkeys(
            event.stream.removeprefix(RUN) for event in events.values() if event.stream.startswith(RUN)
        )
        runs = (self._reads.runs.one(run_id) for run_id in ids)
        unsettled = tuple(run.run_id for run in runs if run is not None and _is_unsettled(run))
        if unsettled:
            raise UnsettledRunError(unsettled)

    def _erase(self, target: Target, plan: _Plan, actor: Actor, note: str) -> Forgotten:
        numbers = tuple(kata.number for kata in plan.gone)
        katas = "".join(f", kata {number}" for number in numbers)
        payload = told.HistoryForgotten(
            positions=ranges(list(plan.positions)),
            count=len(plan.positions),
            what=plan.view.what + katas,
            note=note,
        )
        event = self._world.event("log", payload, actor)
        (self._store.folder / UNFINISHED).touch(mode=0o600)
        self._append(plan, event, actor)
        self._store.drop_set_aside(plan.set_aside)
        for session in plan.view.sessions:
            forget_turn(self._store.folder, session)
        self._world.changed()
        return Forgotten(
            what=plan.view.what,
            events=len(plan.positions),
            katas=numbers,
            newer=self._newer(target),
            clean=self.finish(),
        )

    def _append(self, plan: _Plan, event: NewEvent, actor: Actor) -> None:
        ends = [(kata, ended) for kata in plan.gone for ended in self._ends(kata, event, actor)]
        pause = self._pause_again(plan, actor)
        try:
            with self._store.log.transaction() as transaction:
                for kata, ended in ends:
                    transaction.append(kata.stream, kata.stream_version, [ended])
                transaction.add(pause)
                transaction.erase(event)
        except WrongVersionError:
            raise StalePreviewError from None

    def _ends(self, kata: Kata, event: NewEvent, actor: Actor) -> Iterator[NewEvent]:
        """Turn a kata off before it goes, so that the trail says who did."""
        trigger = _ENDED_BY.get(State(kata.state)) if kata.state in set(State) else None
        if trigger is not None:
            LIFECYCLE.check(kata.state, trigger, actor.kind, Facts())
            yield self._world.event(kata.stream, _SAYS[trigger](), actor, causation=event.event_id)

    def _pause_again(self, plan: _Plan, actor: Actor) -> list[NewEvent]:
        """Keep recording paused where the reason for it is what goes."""
        pause = self._reads.health.pause(self._world.clock.now())
        if pause is None or pause.position not in plan.positions:
            return []
        return [self._world.event("log", told.RecordingPaused(until=pause.until), actor)]

    def _newer(self, target: Target) -> int:
        self._world.refresh()
        try:
            return self.preview(target).events
        except NotFoundError:
            return 0

    @contextmanager
    def _recorded(self, actor: Actor, origin: str) -> Iterator[None]:
        """Turn whatever is refused into an event as well, without a word of what should be forgotten."""
        try:
            _check_person(actor)
            yield
        except (NobodyMayError, RefusedError) as error:
            self._refuse("forget", "", actor, error, origin)
            raise


def _check_person(actor: Actor) -> None:
    if actor.kind is not ActorKind.HUMAN:
        raise NobodyMayError("forget")


def _until(token: str) -> int:
    """Return the position up to which a preview looked; 0 for what is no token."""
    head, _, _ = token.partition("-")
    try:
        return int(head, 16)
    except ValueError:
        return 0


def _is_unsettled(run: Run) -> bool:
    return run.acknowledged_at is None and (run.is_open or run.state == "unknown")


def _constants(kata: Kata) -> tuple[str, ...]:
    """Return the texts that a kata's versions hold of their own, those of a newer Kata aside."""
    found: dict[str, None] = {}
    for version in kata.versions:
        with suppress(KataError):
            found |= dict.fromkeys(_texts(load_spec(version.spec)))
    return tuple(found)[:CONSTANTS_SHOWN]


def _texts(spec: Spec) -> Iterator[str]:
    for step in flat_steps(spec):
        for one in walk_expression(step.args):
            if isinstance(one, Const) and isinstance(one.value, str) and one.value.strip():
                yield one.value
