"""Decisions: each is checked by the machine, is one event in one transaction, and a refusal is an event too (design 4, 9)."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import attrs

from ..errors import KataError
from ..events import Actor, ActorKind
from ..events import catalogue as told
from ..machines import LIFECYCLE, Facts, Kata, PersonNeededError, Trigger, Version, fold, undo_of
from ..spec import digest_of, dump_spec, load_spec
from ..store.protocol import WrongVersionError
from .choosing import Chosen, choose
from .errors import (
    MISTAKES,
    BadInputNameError,
    ConflictError,
    NobodyMayError,
    NotAnInputError,
    NotReviewedError,
    SecretNameError,
    StaleDigestError,
    UnknownDigestError,
)
from .find import Finder
from .identify import Named
from .locking import locked
from .names import check_name
from .ports import World, system
from .renaming import is_input_name
from .validate import Checks
from .views import CheckView, Decided

SHORTEST_DIGEST = 4
UNDONE_BY = frozenset(
    (
        Trigger.APPROVE,
        Trigger.REJECT,
        Trigger.RECONSIDER,
        Trigger.DISABLE,
        Trigger.ENABLE,
        Trigger.ROLLBACK,
        Trigger.DEFER,
    )
)
Payload = Callable[[Kata], Any]


@attrs.frozen(kw_only=True)
class _Ready:
    """An approval that passed: the version to approve, the one that a choice made anew, the name, what was chosen."""

    kata: Kata
    version: Version | told.KataRevised
    revised: told.KataRevised | None
    name: str
    said: tuple[str, ...]


class Decisions:
    """The verbs of people. Every method takes the actor; what they append carries it."""

    def __init__(
        self, world: World, find: Finder, checks: Checks, lock: AbstractContextManager[object]
    ) -> None:
        self._world, self._find, self._checks, self.lock = world, find, checks, lock

    @locked
    def approve(
        self,
        named: str,
        actor: Actor,
        *,
        name: str = "",
        renames: tuple[tuple[str, str], ...] = (),
        using: tuple[tuple[str, str], ...] = (),
        note: str = "",
        reviewed: str = "",
        origin: str = "",
    ) -> Decided:
        """Approve the version that waits, under a name.

        Another source than the one shown makes a further version, which is approved in the same transaction.

        Args:
            named: Number or name, with ``@digest`` or not.
            renames: Input names to change, old to new.
            using: The sources chosen for arguments (`kata.service.choosing`).
            reviewed: The whole digest that was last shown to this person here, if any.
            origin: Where this came from, for the record of a refusal.

        Raises:
            RefusedError: the digest is not the one reviewed, a check fails, the name is taken, a source is not chosen,
                or the state forbids it.
            UsageError: a choice names no argument or no source.
        """
        with self._recorded("approve", named, actor, origin):
            ready = self._ready(named, actor.kind, name, renames, using, reviewed)
            version = ready.version
            payload = told.KataApproved(
                version=version.version,
                digest=version.digest,
                name=ready.name,
                renamed=renames,
                note="; ".join(filter(None, (note, *ready.said))),
            )
            return self._decided(ready.kata, Trigger.APPROVE, payload, actor, before=ready.revised)

    @locked
    def kata(self, named: str) -> Kata:
        """Return the kata that somebody named.

        Raises:
            UnknownKataError: there is none.
        """
        return self._current(named)[0]

    @locked
    def rehearse(
        self,
        named: str,
        *,
        name: str = "",
        renames: tuple[tuple[str, str], ...] = (),
        using: tuple[tuple[str, str], ...] = (),
    ) -> None:
        """Check what a person's approval would rest on, before they are asked; nothing is written.

        Raises:
            KataError: as `approve` would, but for what was reviewed.
        """
        kata, asked = self._current(named)
        reviewed = "" if asked.digest else (kata.pending or kata.latest).digest
        self._ready(named, ActorKind.HUMAN, name, renames, using, reviewed)

    def _ready(
        self,
        named: str,
        kind: ActorKind,
        name: str,
        renames: tuple[tuple[str, str], ...],
        using: tuple[tuple[str, str], ...],
        reviewed: str,
    ) -> _Ready:
        """Check all that an approval rests on."""
        kata, asked = self._current(named)
        version = kata.pending or kata.latest
        self._same(kata, version, asked, reviewed)
        wanted = check_name(name or kata.name, self._find.names_but(kata))
        self._inputs_exist(version, renames)
        self._hold_no_secret(wanted, *(new for _, new in renames))
        chosen = choose(kata.number, version, using)
        revised = self._revised(kata, version, chosen) if chosen.changed else None
        failed = self._failing(kata, version, chosen)
        facts = Facts(
            digest_was_reviewed=True,
            validation_passes=not failed,
            name_is_free=True,
            version_is_revised=revised is not None or kata.is_revised(version.version),
        )
        self._allow(kata, Trigger.APPROVE, kind, facts, failed)
        return _Ready(kata=kata, version=revised or version, revised=revised, name=wanted, said=chosen.said)

    def _failing(self, kata: Kata, version: Version, chosen: Chosen) -> tuple[CheckView, ...]:
        if not chosen.changed:
            return self._checks.failing(kata, version)
        return self._checks.failing_spec(
            chosen.spec, self._checks.examples(kata, version), wanted=len(version.evidence)
        )

    def _revised(self, kata: Kata, version: Version, chosen: Chosen) -> told.KataRevised:
        """Return the version that differs from another by what a person chose."""
        LIFECYCLE.check(kata.state, Trigger.REVISE, ActorKind.SYSTEM, Facts(digest_is_new=True))
        return told.KataRevised(
            version=len(kata.versions) + 1,
            cause="choice",
            changes=self._checks.changes(load_spec(version.spec), chosen.spec),
            spec=dump_spec(chosen.spec),
            digest=digest_of(chosen.spec),
            scores=version.scores,
            baseline=version.baseline,
            evidence=version.evidence,
            notes=chosen.notes,
        )

    @locked
    def reject(self, named: str, actor: Actor, *, note: str = "", origin: str = "") -> Decided:
        """Decline a proposal: it is not proposed again unless a person reconsiders."""
        return self._plain(Trigger.REJECT, named, actor, told.KataRejected(note=note), origin)

    @locked
    def reconsider(self, named: str, actor: Actor, *, note: str = "", origin: str = "") -> Decided:
        """Put a rejected routine back among the proposals."""
        return self._plain(Trigger.RECONSIDER, named, actor, told.KataReconsidered(note=note), origin)

    @locked
    def disable(self, named: str, actor: Actor, *, note: str = "", origin: str = "") -> Decided:
        """Turn a kata off."""
        return self._plain(Trigger.DISABLE, named, actor, told.KataDisabled(note=note), origin)

    @locked
    def defer(
        self, named: str, actor: Actor, until: told.Until, *, note: str = "", origin: str = ""
    ) -> Decided:
        """Set a proposal aside until something happens."""
        with self._recorded("defer", named, actor, origin):
            kata, _ = self._current(named)
            self._allow(kata, Trigger.DEFER, actor.kind, Facts())
            latest = kata.latest
            payload = told.KataDeferred(
                until=until, support=latest.scores.support, digest=latest.digest, note=note
            )
            return self._decided(kata, Trigger.DEFER, payload, actor)

    @locked
    def enable(self, named: str, actor: Actor, *, note: str = "", origin: str = "") -> Decided:
        """Turn a kata on again, after a fresh validation of the version that was active."""
        with self._recorded("enable", named, actor, origin):
            kata, _ = self._current(named)
            version = kata.current or kata.latest
            failed = self._checks.failing(kata, version)
            self._allow(kata, Trigger.ENABLE, actor.kind, Facts(validation_passes=not failed), failed)
            payload = told.KataEnabled(version=version.version, digest=version.digest, note=note)
            return self._decided(kata, Trigger.ENABLE, payload, actor)

    @locked
    def rollback(self, named: str, number: int, actor: Actor, *, note: str = "", origin: str = "") -> Decided:
        """Make an earlier approved version the active one, after a fresh validation of it."""
        with self._recorded("rollback", named, actor, origin):
            kata, _ = self._current(named)
            version = kata.version(number) or kata.latest
            failed = self._checks.failing(kata, version)
            facts = Facts(version_was_approved=kata.was_approved(number), validation_passes=not failed)
            self._allow(kata, Trigger.ROLLBACK, actor.kind, facts, failed)
            payload = told.KataRolledBack(
                version=number, before=kata.active_version or number, digest=version.digest, note=note
            )
            return self._decided(kata, Trigger.ROLLBACK, payload, actor)

    @locked
    def undo(self, named: str, actor: Actor, *, note: str = "", origin: str = "") -> Decided:
        """Take back the last decision about a kata, as a new decision; without a name, the last one of all."""
        with self._recorded("undo", named or "last", actor, origin):
            kata = self._find.last_decided() if not named else self._current(named)[0]
            back = undo_of(kata)
        target = str(kata.number)
        if back.trigger is Trigger.ROLLBACK and back.version is not None:
            return self.rollback(target, back.version, actor, note=note, origin=origin)
        if back.trigger is Trigger.DEFER and back.until is not None:
            return self.defer(target, actor, back.until, note=note, origin=origin)
        return getattr(self, back.trigger)(target, actor, note=note, origin=origin)  # type: ignore[no-any-return]

    @locked
    def undo_preview(self, named: str) -> tuple[Kata, str, int | None]:
        """Return what `undo` would do: the kata, the verb, and the version it leads to."""
        self._world.refresh()
        kata = self._find.last_decided() if not named else self._current(named)[0]
        back = undo_of(kata)
        return kata, str(back.trigger), back.version

    @locked
    def refuse(self, verb: str, named: str, actor: Actor, error: KataError, origin: str = "") -> None:
        """Write down that somebody asked for a decision and did not get it."""
        payload = told.DecisionRefused(verb=verb, kata=named, code=error.code, why=str(error), where=origin)
        log, world = self._world.log, self._world
        with log.transaction() as transaction:
            transaction.add([world.event("log", payload, actor)])

    def _plain(self, trigger: Trigger, named: str, actor: Actor, payload: Any, origin: str) -> Decided:
        with self._recorded(str(trigger), named, actor, origin):
            kata, _ = self._current(named)
            self._allow(kata, trigger, actor.kind, Facts())
            return self._decided(kata, trigger, payload, actor)

    def _current(self, named: str) -> tuple[Kata, Named]:
        """Return the kata as the log has it now, not as a view last saw it."""
        self._world.refresh()
        found, asked = self._find.kata(named)
        kata = fold(self._world.log.read_stream(found.stream))
        assert kata is not None
        return kata, asked

    def _same(self, kata: Kata, version: Version, asked: Named, reviewed: str) -> None:
        if asked.digest:
            if not any(one.digest.startswith(asked.digest) for one in kata.versions):
                raise UnknownDigestError(kata.number, asked.digest, version.digest, version.changes)
            if len(asked.digest) < SHORTEST_DIGEST or not version.digest.startswith(asked.digest):
                raise StaleDigestError(kata.number, asked.digest, version.digest, version.changes)
            return
        if not reviewed:
            raise NotReviewedError(kata.number)
        if reviewed != version.digest:
            raise StaleDigestError(kata.number, reviewed, version.digest, version.changes)

    def _inputs_exist(self, version: Version, renames: tuple[tuple[str, str], ...]) -> None:
        names = [field.name for field in load_spec(version.spec).inputs]
        given = [new for _, new in renames]
        for old, new in renames:
            if old not in names:
                raise NotAnInputError(old, tuple(names))
            if not is_input_name(new):
                raise BadInputNameError(old)
            if new in names or given.count(new) > 1:
                raise NotAnInputError(new, tuple(names), taken=True)

    def _hold_no_secret(self, *names: str) -> None:
        if any(self._world.keeper.keep(name).masked for name in names):
            raise SecretNameError

    def _allow(
        self, kata: Kata, trigger: Trigger, kind: ActorKind, facts: Facts, failed: tuple[Any, ...] = ()
    ) -> None:
        try:
            LIFECYCLE.check(kata.state, trigger, kind, facts)
        except PersonNeededError as error:
            raise NobodyMayError(str(trigger)) from error
        except KataError as error:
            raise self._checks.refusal(kata, failed) or error from None

    def _decided(
        self,
        kata: Kata,
        trigger: Trigger,
        payload: Any,
        actor: Actor,
        *,
        before: told.KataRevised | None = None,
    ) -> Decided:
        world = self._world
        events = [world.event(kata.stream, payload, actor)]
        if before is not None:
            events.insert(0, world.event(kata.stream, before, system(actor.surface)))
        try:
            world.log.append(kata.stream, kata.stream_version, events)
        except WrongVersionError:
            raise self._conflict(kata) from None
        world.changed()
        world.refresh()
        after = fold(world.log.read_stream(kata.stream))
        assert after is not None
        active = after.registered
        return Decided(
            verb=str(trigger),
            number=after.number,
            name=after.name,
            before=kata.state,
            state=after.state,
            version=active.version if active else after.latest.version,
            digest=(active or after.latest).digest,
            visible=self._visible(kata, after),
            undo="undo" if trigger in UNDONE_BY else "",
        )

    def _visible(self, before: Kata, after: Kata) -> str:
        if after.registered is None or after.registered == before.registered:
            return ""
        return "search" if self._world.search() else "next_session"

    def _conflict(self, kata: Kata) -> ConflictError:
        now = fold(self._world.log.read_stream(kata.stream))
        assert now is not None
        return ConflictError(kata.number, now.state, f"{now.changed_by.id} ({now.changed_by.surface})")

    @contextmanager
    def _recorded(self, verb: str, named: str, actor: Actor, origin: str) -> Iterator[None]:
        """Turn whatever is refused inside into an event as well; nobody but a person gets as far as the machine.

        A person's plain mistake in the words was no attempt to decide and is none.
        """
        try:
            if actor.kind is not ActorKind.HUMAN:
                raise NobodyMayError(verb)
            yield
        except KataError as error:
            mistake = isinstance(error, MISTAKES) and actor.kind is ActorKind.HUMAN
            if not mistake and not getattr(error, "recorded", False):
                error.recorded = True  # type: ignore[attr-defined]
                self.refuse(verb, named, actor, error, origin)
            raise
