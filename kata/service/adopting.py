"""Taking an exported kata in: checked from the ground up, and only ever as a proposal that a person decides about (ux 35)."""

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from ..errors import NewerKataError, RefusedError, UsageError
from ..events import Actor, NewEvent
from ..events import catalogue as told
from ..events.codec import BadEventError, decode_payload
from ..json import JsonError, JsonObject, dumps, loads
from ..machines import LIFECYCLE, PENDING_LIMIT, Facts, Kata, State, Trigger
from ..miner.keys import pattern_key
from ..spec import Spec, digest_of, dump_spec, flat_steps, load_spec
from .exporting import FORMAT, plan_lines
from .known import is_known
from .names import free_name
from .near import is_near, outline
from .plan import plan_of
from .ports import World, system
from .propose import EVIDENCE_LIMIT, stream_of
from .validate import Checks

FAMILY = "kata.export/"
LARGEST = 8 * 2**20
"""Bytes of a document that are looked at."""


class BadExportError(UsageError):
    """Say what in a file is not as an export has it, and where."""

    code = "bad_export"

    def __init__(self, where: str, why: str) -> None:
        place = f" at {where}" if where else ""
        super().__init__(
            f"this is no exported kata{place}: {why}", hint="Export one with: hermes kata export KATA -o FILE"
        )
        self.where, self.why = where, why


class CannotAdoptError(RefusedError):
    """Say why an exported kata cannot become a proposal here; nothing changed."""

    code = "cannot_adopt"

    def __init__(self, why: str, hint: str) -> None:
        super().__init__(f"it cannot be proposed here: {why}", hint=hint)
        self.why = why


@attrs.frozen(kw_only=True)
class Adopted:
    """What became of a document: the proposal's number, None where nothing was written (a dry run), and its origin."""

    number: int | None
    name: str
    digest: str
    origin: str
    plan: tuple[str, ...]


@attrs.frozen(kw_only=True)
class _Document:
    """A document that was read and found sound in itself."""

    spec: Spec
    proposed: told.KataProposed
    examples: tuple[told.EvidenceKept, ...]
    origin: str


class Adopting:
    """Reads an export and proposes what is in it."""

    def __init__(self, world: World, checks: Checks, katas: Callable[[], tuple[Kata, ...]]) -> None:
        self._world, self._checks, self._katas = world, checks, katas

    def adopt(self, text: str, source: str, actor: Actor, *, dry: bool = False) -> Adopted:
        """Make a proposal of an exported kata; whoever asked stands in the origin, and decides later.

        Args:
            text: The document.
            source: Where it is from, for the origin (a file's name).
            actor: The person who asked.
            dry: Check everything and write nothing.

        Raises:
            BadExportError: the text is no export, or was changed since.
            NewerKataError: it is from a newer Kata.
            CannotAdoptError: a tool is missing, the routine is known already, five proposals wait, or a check fails.
        """
        found = read_document(text, self._world.keeper.keep(f"{source}, by {actor.id}").value)
        self._world.refresh()
        examples = tuple(self._masked(one) for one in found.examples)
        spec = self._checks.sealed(found.spec, examples)
        self._fits_here(found, spec, examples)
        payload = attrs.evolve(
            found.proposed,
            spec=dump_spec(spec),
            digest=digest_of(spec),
            name=free_name(
                found.proposed.name,
                [step.tool for step in flat_steps(spec)],
                self._checks.tool_names(),
                {kata.name for kata in self._katas()},
            ),
            evidence=tuple(one.evidence_id for one in examples),
            notes=self._world.keeper.keep(found.proposed.notes).value,
        )
        number = None if dry else self._propose(payload, examples, system(actor.surface))
        return Adopted(
            number=number,
            name=payload.name,
            digest=payload.digest,
            origin=found.origin,
            plan=tuple(plan_lines(plan_of(spec, {}))),
        )

    def _masked(self, one: told.EvidenceKept) -> told.EvidenceKept:
        calls = []
        for call in one.calls:
            args, result = self._world.keeper.keep_call(call.args, call.result)
            calls.append(attrs.evolve(call, args=args.value, result=result.value))
        return attrs.evolve(one, evidence_id=self._world.ids.new(), calls=tuple(calls), job=None)

    def _fits_here(self, found: _Document, spec: Spec, examples: tuple[told.EvidenceKept, ...]) -> None:
        missing = [
            tool
            for tool in dict.fromkeys(one.tool for one in flat_steps(spec))
            if not self._checks.has_tool(tool)
        ]
        if missing:
            raise CannotAdoptError(
                f"this Hermes has no {', '.join(missing)}", "Turn the tools on, then import it again."
            )
        wanted = outline(found.proposed.key, found.proposed.signatures, spec)
        for kata in filter(is_known, self._katas()):
            if is_near(outline(kata.key, kata.signatures, load_spec(kata.latest.spec)), wanted):
                raise CannotAdoptError(
                    f"it is nearly the same as kata {kata.number} ({kata.name}, {kata.state})",
                    f"Look: review {kata.number}",
                )
        if sum(kata.state == State.CANDIDATE for kata in self._katas()) >= PENDING_LIMIT:
            raise CannotAdoptError(
                f"{PENDING_LIMIT} proposals wait already", "Decide about one of them first: list"
            )
        failed = self._checks.failing_spec(spec, examples)
        if failed:
            said = "; ".join(f"{check.name}: {check.detail}" for check in failed)
            raise CannotAdoptError(
                f"it does not pass its checks: {said}", "Export it again where it came from."
            )

    def _propose(
        self, payload: told.KataProposed, examples: tuple[told.EvidenceKept, ...], actor: Actor
    ) -> int:
        facts = Facts(meets_thresholds=True, is_new_routine=True, has_room=True)
        LIFECYCLE.check(State.NONE, Trigger.PROPOSE, actor.kind, facts)
        world, stream = self._world, stream_of(payload.key)
        kept: list[NewEvent] = [world.event(stream, one, actor) for one in examples]
        with world.log.transaction() as transaction:
            number = transaction.count_streams("kata/") + 1
            proposed = world.event(stream, attrs.evolve(payload, number=number), actor)
            transaction.append(stream, 0, [*kept, proposed])
        world.changed()
        world.refresh()
        return number


def read_document(text: str, source: str) -> _Document:
    """Read an export and check that it is whole: every field, the spec, and the digest over it.

    Raises:
        BadExportError: it is not.
        NewerKataError: its format is newer.
    """
    document = _object(text)
    _check_format(document)
    spec = _spec(document)
    examples = tuple(_examples(document))
    origin = _origin(document, source)
    notes = _notes(document, origin)
    fields: JsonObject = {
        "number": 1,
        "key": "",
        "signatures": document.get("signatures"),
        "spec": document.get("spec"),
        "digest": document.get("digest"),
        "name": document.get("name"),
        "scores": document.get("scores"),
        "baseline": document.get("baseline"),
        "evidence": [],
        "notes": notes,
    }
    proposed: told.KataProposed = _payload("kata.proposed", fields, "")
    if len(proposed.signatures) not in (len(spec.steps), len(tuple(flat_steps(spec)))):
        raise BadExportError("signatures", "there is not one for each step")
    proposed = attrs.evolve(proposed, key=pattern_key(proposed.signatures, spec))
    return _Document(spec=spec, proposed=proposed, examples=examples, origin=origin)


def _object(text: str) -> JsonObject:
    if len(text) > LARGEST:
        raise BadExportError("", f"it is longer than {LARGEST // 2**20} MiB")
    try:
        document = loads(text)
    except JsonError as error:
        raise BadExportError("", f"it is no JSON ({error})") from error
    if not isinstance(document, dict):
        raise BadExportError("", "it is no JSON object")
    return document


def _check_format(document: JsonObject) -> None:
    found = document.get("format")
    if found == FORMAT:
        return
    if isinstance(found, str) and found.startswith(FAMILY):
        raise NewerKataError(f"the file has the format {found}; this Kata reads {FORMAT}")
    raise BadExportError("format", f"it must be {FORMAT}, not {dumps(found)[:40]}")


def _spec(document: JsonObject) -> Spec:
    try:
        spec = load_spec(document["spec"])
    except NewerKataError:
        raise
    except Exception as error:  # whatever a spec that was written by hand may be
        raise BadExportError("spec", str(error) or type(error).__name__) from error
    if digest_of(spec) != document.get("digest"):
        raise BadExportError("digest", "the spec is not the one that was exported: somebody changed it")
    return spec


def _examples(document: JsonObject) -> Iterator[told.EvidenceKept]:
    evidence = document.get("evidence")
    if not isinstance(evidence, list):
        raise BadExportError("evidence", "it must be a list")
    for place, one in enumerate(evidence[-EVIDENCE_LIMIT:]):
        yield _payload("evidence.kept", one, f"evidence[{place}]")


def _payload(kind: str, fields: Any, where: str) -> Any:
    try:
        return decode_payload(kind, 1, dumps(fields).encode())
    except (BadEventError, JsonError) as error:
        raise BadExportError(where, str(error)) from error


def _origin(document: JsonObject, source: str) -> str:
    origin = document.get("origin")
    profile = str(origin.get("profile", "?"))[:60] if isinstance(origin, dict) else "?"
    day = str(document.get("exported_at", "?"))[:10]
    return f"imported from {source}: exported on {day} from profile {profile}; its evidence is not from this history"


def _notes(document: JsonObject, origin: str) -> JsonObject:
    notes = document.get("notes")
    if not isinstance(notes, dict):
        raise BadExportError("notes", "it must be an object")
    warnings = [str(one) for one in notes.get("warnings", ()) if isinstance(one, str)]
    return {**notes, "warnings": [origin, *warnings]}
