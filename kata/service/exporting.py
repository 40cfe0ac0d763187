"""What leaves Kata: one kata as a readable file, the whole history as NDJSON; masked once more on the way out (ux 35)."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import attrs

from .. import __version__
from ..errors import RefusedError
from ..events import Event, Unreadable
from ..events import catalogue as told
from ..events.codec import encode_payload
from ..json import JsonObject, JsonValue, loads
from ..machines import Kata, Version
from ..redact import Keeper
from ..spec import load_spec
from .find import Finder, version_of
from .plan import plan_of
from .ports import World
from .validate import Checks
from .views import StepView

FORMAT = "kata.export/1"
ABOUT = "A routine that Kata found, with what it rests on. `hermes kata import-kata FILE` makes a proposal of it, never a tool."


class HoldsSecretError(RefusedError):
    """Say that what a version does holds what looks like a secret, so that it cannot leave."""

    code = "holds_secret"

    def __init__(self, number: int, where: tuple[str, ...]) -> None:
        super().__init__(
            f"kata {number} holds what looks like a secret: {', '.join(where)}",
            hint="It is in the version itself, not only in its evidence, so it is not written to a file.",
        )
        self.number, self.where = number, where


class Exporting:
    """Writes katas and history for outside; what it returns is JSON."""

    def __init__(self, world: World, find: Finder, checks: Checks) -> None:
        self._world, self._find, self._checks = world, find, checks

    def kata(self, named: str, number: int | None = None) -> JsonObject:
        """Return one version of a kata as a document (``kata.export/1``): its plan in words, its spec, its evidence.

        Raises:
            UnknownKataError: there is no such kata.
            UnknownVersionError: it has no such version.
            HoldsSecretError: the version itself holds what looks like a secret.
        """
        kata, _ = self._find.kata(named)
        version = version_of(kata, number)
        self._holds_none(kata, version)
        masked = self._world.keeper
        notes = masked.keep(version.notes or {}).value
        header: Any = masked.keep(
            {
                "origin": {"profile": self._world.profile, "number": kata.number, "state": str(kata.state)},
                "name": kata.name,
                "plan": list(plan_lines(plan_of(load_spec(version.spec), notes))),
                "signatures": list(kata.signatures),
                "renamed": [list(pair) for pair in version.renamed],
            }
        ).value
        return {
            "format": FORMAT,
            "about": ABOUT,
            "exported_at": self._world.clock.now().isoformat(),
            "kata_version": __version__,
            "origin": header["origin"],
            "name": header["name"],
            "version": version.version,
            "digest": version.digest,
            "plan": header["plan"],
            "signatures": header["signatures"],
            "spec": version.spec,
            "renamed": header["renamed"],
            "scores": attrs.asdict(version.scores),
            "baseline": attrs.asdict(version.baseline),
            "notes": notes,
            "evidence": [example(one, masked) for one in self._checks.examples(kata, version)],
        }

    def _holds_none(self, kata: Kata, version: Version) -> None:
        found = self._world.keeper.keep(version.spec).masked
        if found:
            raise HoldsSecretError(kata.number, tuple(".".join(map(str, one.path)) for one in found))

    def history(self, after: int, limit: int) -> tuple[JsonObject, ...]:
        """Return events of the log after a position, oldest first, as JSON lines have them."""
        return tuple(line(event, self._world.keeper) for event in self._world.log.read(after, limit=limit))


def plan_lines(steps: tuple[StepView, ...]) -> Iterator[str]:
    """Yield a plan's steps for readers: ``1. read terminal: command wc -l «step 1 · path»``."""
    for step in steps:
        if step.body:
            yield f"{step.number}. for each of {step.over}, at most {step.limit}:"
            yield from (f"   {one}" for one in plan_lines(step.body))
            continue
        arguments = ", ".join(f"{one.path} {one.text}" for one in step.arguments)
        yield f"{step.number}. {step.effect.replace('_', ' ')} {step.tool}: {arguments}"


def example(one: told.EvidenceKept, keeper: Keeper) -> JsonObject:
    """Return an example as the document has it, each call masked as a whole, and so is what stands around them."""
    document: Any = loads(encode_payload(one))
    calls = [_call(call, keeper) for call in document.pop("calls")]
    around: Any = keeper.keep(document).value
    return {**around, "calls": calls}


def _call(call: Any, keeper: Keeper) -> JsonObject:
    args, result = keeper.keep_call(call.pop("args"), call.pop("result"))
    around: Any = keeper.keep(call).value
    return {**around, "args": args.value, "result": result.value}


def line(event: Event, keeper: Keeper) -> JsonObject:
    """Return one event as a JSON line has it, header and payload masked; an erased payload is null."""
    header: JsonObject = {
        "position": event.position,
        "stream": event.stream,
        "version": event.version,
        "event_id": event.event_id,
        "type": event.type,
        "schema": event.schema,
        "occurred_at": _iso(event.occurred_at),
        "recorded_at": _iso(event.recorded_at),
        "actor": {"kind": str(event.actor.kind), "id": event.actor.id, "surface": str(event.actor.surface)},
        "correlation_id": event.correlation_id,
        "causation_id": event.causation_id,
    }
    kept: Any = keeper.keep(header).value
    return {**kept, "payload": keeper.keep(_payload(event.payload)).value}


def _payload(payload: Any) -> JsonValue:
    return payload.raw if isinstance(payload, Unreadable) else loads(encode_payload(payload))


def _iso(moment: datetime) -> str:
    return moment.isoformat()
