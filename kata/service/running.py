"""The service's side of a run: whether it may begin, and what follows from how it ended (design 4 "Failed run", 8)."""

from collections.abc import Collection

import attrs

from ..errors import RefusedError, UsageError
from ..events import Actor, Surface
from ..events import catalogue as told
from ..executor import Checkpoint, fingerprint_of
from ..executor.protocols import Caller, RunRequest
from ..json import JsonObject
from ..machines import FAILURES_TO_SUSPEND, LIFECYCLE, Facts, Kata, Trigger, Version, fold
from ..spec import load_spec
from ..store.protocol import WrongVersionError
from .ports import World, system
from .reads import Reads


class NotActiveError(RefusedError):
    """Say that a tool must not run now, since its kata is not active in the log."""

    code = "not_active"

    def __init__(self, name: str, state: str) -> None:
        super().__init__(f"kata_{name} is {state} and cannot run", hint="Do the steps by hand.")
        self.name, self.state = name, state


class RenamedInputError(UsageError):
    """Say that an argument goes by a name that the approval has changed."""

    code = "renamed_input"

    def __init__(self, old: str, new: str) -> None:
        super().__init__(
            f"there is no input {old!r}: it is called {new!r}", hint="Nothing was done. Call again so."
        )
        self.old, self.new = old, new


@attrs.frozen(kw_only=True)
class Begun:
    """A run that may start; ``unacknowledged`` names an earlier run whose outcome nobody knows, if any (case B025)."""

    request: RunRequest
    unacknowledged: str | None


class Running:
    """Begins and settles runs."""

    def __init__(self, world: World, reads: Reads) -> None:
        self._world, self._reads = world, reads

    def begin(self, stream: str, version: int, arguments: JsonObject, caller: Caller) -> Begun:
        """Check the log, not a view, and build the request.

        Raises:
            NotActiveError: the kata, in this version, is not active.
            RenamedInputError: an argument goes by the name that its input had before.
            StoreError: the log cannot be read; nothing may run then.
        """
        kata, active = self._active(stream, version)
        given = renamed_back(arguments, active.renamed)
        request = RunRequest(
            kata=stream,
            number=kata.number,
            name=kata.name,
            version=version,
            digest=active.digest,
            spec=load_spec(active.spec),
            arguments=given,
            caller=caller,
            renamed=active.renamed,
        )
        return Begun(request=request, unacknowledged=self._unknown(request))

    def resume(self, kept: Checkpoint, caller: Caller) -> Begun:
        """Check the log, not a view, before a run goes on: it is bound to the version that it began with.

        Raises:
            NotActiveError: that version is not active any more.
            StoreError: the log cannot be read; nothing may run then.
        """
        request = attrs.evolve(kept.request, caller=caller)
        kata, active = self._active(request.kata, request.version)
        if active.digest != request.digest:
            raise NotActiveError(kata.name, "another version now")
        return Begun(request=request, unacknowledged=self._unknown(request, besides=kept.runs))

    def _active(self, stream: str, number: int) -> tuple[Kata, Version]:
        kata = fold(self._world.log.read_stream(stream))
        if kata is None:
            raise NotActiveError(stream, "unknown")
        active = kata.registered
        if active is None or active.version != number:
            raise NotActiveError(kata.name, kata.state if active is None else "another version now")
        return kata, active

    def _unknown(self, request: RunRequest, besides: Collection[str] = ()) -> str | None:
        fingerprint = fingerprint_of(self._world.keeper, request.arguments)
        return self._reads.unknown_run(request.kata, fingerprint, besides)

    def settle(self, stream: str) -> bool:
        """Suspend the kata if its last runs failed one after another; tell whether it was."""
        self._world.refresh()
        kata = fold(self._world.log.read_stream(stream))
        if kata is None or kata.registered is None:
            return False
        failed = self._reads.failed_in_a_row(kata)
        if len(failed) < FAILURES_TO_SUSPEND:
            return False
        return self._suspend(kata, kata.registered, failed)

    def _suspend(self, kata: Kata, version: Version, failed: tuple[str, ...]) -> bool:
        actor = system(Surface.TOOL)
        LIFECYCLE.check(kata.state, Trigger.SUSPEND, actor.kind, Facts(failed_in_a_row=True))
        payload = told.KataSuspended(version=version.version, runs=failed)
        try:
            self._world.log.append(
                kata.stream, kata.stream_version, [self._world.event(kata.stream, payload, actor)]
            )
        except WrongVersionError:
            return False
        self._world.changed()
        self._world.refresh()
        return True

    def acknowledge(self, run_id: str, actor: Actor, note: str = "") -> None:
        """Write down that a person allows the repeat of a run whose outcome is unknown."""
        event = self._world.event(f"run/{run_id}", told.RunAcknowledged(run_id=run_id, note=note), actor)
        with self._world.log.transaction() as transaction:
            transaction.add([event])
        self._world.refresh()


def renamed_back(arguments: JsonObject, renamed: tuple[tuple[str, str], ...]) -> dict[str, object]:
    """Turn the input names that the approval gave (old to new pairs) back into the template's own.

    Raises:
        RenamedInputError: an argument goes by the name that its input had before.
    """
    own = {new: old for old, new in renamed}
    for old, new in renamed:
        if old in arguments and old not in own:
            raise RenamedInputError(old, new)
    return {own.get(name, name): value for name, value in arguments.items()}
