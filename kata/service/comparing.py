"""What differs between two versions, and why a version is as it is: step by step, argument by argument (ux 2.5, 2.7). Pure."""

import difflib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import attrs

from ..events.catalogue import Scores
from ..json import canonical, show_path
from ..machines import Kata
from ..spec import Loop, Spec, Step, dump_spec
from ..templating import show
from .find import version_of
from .plan import effect_counts, leaves, precondition_text
from .renaming import as_approved
from .views import EvidenceView, Review, StepView


@attrs.frozen(kw_only=True)
class ChangeView:
    """One thing that differs; ``before`` or ``after`` is empty where it was added or removed."""

    path: str
    before: str
    after: str


@attrs.frozen(kw_only=True)
class StepChange:
    """One step in both versions.

    Attributes:
        kind: ``same``, ``added``, ``removed`` or ``changed``.
        before: Its number in the earlier version; None where it was added.
        after: Its number in the later version; None where it was removed.
        effect_before: Its effect class then; empty where it was added.
        effect_after: Its effect class now; empty where it was removed.
        changes: The arguments, preconditions, exit codes and loop that differ.
    """

    kind: str
    tool: str
    before: int | None
    after: int | None
    effect_before: str
    effect_after: str
    changes: tuple[ChangeView, ...] = ()


@attrs.frozen(kw_only=True)
class DiffView:
    """Two versions of a kata side by side."""

    profile: str
    number: int
    name: str
    before: int
    after: int
    digest_before: str
    digest_after: str
    steps: tuple[StepChange, ...]
    inputs: tuple[ChangeView, ...]
    effects_before: tuple[tuple[str, int], ...]
    effects_after: tuple[tuple[str, int], ...]
    changes: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Tell whether nothing that a run does differs."""
        return not self.inputs and all(step.kind == "same" for step in self.steps)


@attrs.frozen(kw_only=True)
class ReasonView:
    """Why one argument is as it is, with the runners-up."""

    step: int
    tool: str
    path: str
    text: str
    became: str
    reason: str
    values: int
    alternatives: tuple[str, ...]


@attrs.frozen(kw_only=True)
class WhyView:
    """What a version rests on."""

    profile: str
    number: int | None
    name: str
    version: int
    digest: str
    scores: Scores
    days: int
    evidence: tuple[EvidenceView, ...]
    arguments: tuple[ReasonView, ...]


class Comparing:
    """The use cases ``diff`` and ``why``."""

    def __init__(
        self, profile: str, find: Callable[[str], Kata], review: Callable[[str, int | None], Review]
    ) -> None:
        self._profile, self._find, self._review = profile, find, review

    def diff(self, named: str, before: int | None = None, after: int | None = None) -> DiffView:
        """Compare two versions; without numbers the active one (or the one before) with the one that waits.

        Raises:
            UnknownKataError: there is no such kata.
            UnknownVersionError: it has no such version.
        """
        kata = self._find(named)
        late = version_of(kata, after)
        early = version_of(kata, before if before is not None else _earlier(kata, late.version))
        old, new = map(as_approved, (early, late))
        return DiffView(
            profile=self._profile,
            number=kata.number,
            name=kata.name,
            before=early.version,
            after=late.version,
            digest_before=early.digest,
            digest_after=late.digest,
            steps=step_changes(old, new),
            inputs=input_changes(old, new),
            effects_before=effect_counts(old),
            effects_after=effect_counts(new),
            changes=late.changes,
        )

    def why(self, named: str, *, version: int | None = None) -> WhyView:
        """Say what a version rests on: its evidence, and for each argument what it became and why.

        Raises:
            UnknownKataError: there is no such kata.
            UnknownVersionError: it has no such version.
        """
        view = self._review(named, version)
        return WhyView(
            profile=view.profile,
            number=view.row.number,
            name=view.row.name,
            version=view.version,
            digest=view.digest,
            scores=view.scores,
            days=view.days,
            evidence=view.evidence,
            arguments=tuple(reasons_of(view.steps)),
        )


def _earlier(kata: Kata, version: int) -> int:
    active = kata.active_version
    return active if active is not None and active != version else max(1, version - 1)


def reasons_of(steps: Iterable[StepView]) -> Iterator[ReasonView]:
    """Yield every argument's reason, in order."""
    for step in steps:
        yield from reasons_of(step.body)
        for one in step.arguments:
            yield ReasonView(
                step=step.number,
                tool=step.tool,
                path=one.path,
                text=one.text,
                became=one.became,
                reason=one.reason,
                values=one.values,
                alternatives=one.alternatives,
            )


@attrs.frozen
class _Flat:
    """A step outside its nesting: its number, its content as text, and the loop around it as text."""

    number: int
    step: Step
    loop: str

    @property
    def content(self) -> str:
        return canonical(dump_spec(Spec(steps=(self.step,)))) + self.loop


def step_changes(old: Spec, new: Spec) -> tuple[StepChange, ...]:
    """Pair the steps of two versions: equal ones first, then, between them, those with the same tool."""
    before, after = tuple(_flat(old)), tuple(_flat(new))
    found: list[StepChange] = []
    for kind, i1, i2, j1, j2 in _blocks([one.content for one in before], [one.content for one in after]):
        if kind == "equal":
            found += [_pair(a, b) for a, b in zip(before[i1:i2], after[j1:j2], strict=True)]
        else:
            found += _between(before[i1:i2], after[j1:j2])
    return tuple(found)


def _between(before: Sequence[_Flat], after: Sequence[_Flat]) -> Iterator[StepChange]:
    tools = [one.step.tool for one in before], [one.step.tool for one in after]
    for kind, i1, i2, j1, j2 in _blocks(*tools):
        if kind == "equal":
            yield from (_pair(a, b) for a, b in zip(before[i1:i2], after[j1:j2], strict=True))
        else:
            yield from map(_removed, before[i1:i2])
            yield from map(_added, after[j1:j2])


def _blocks(before: Sequence[str], after: Sequence[str]) -> list[tuple[Any, int, int, int, int]]:
    return difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()


def _flat(spec: Spec) -> Iterator[_Flat]:
    number = 1
    for step in spec.steps:
        if isinstance(step, Loop):
            around = f"for each of {show(step.over)}, at most {step.limit}"
            yield from (_Flat(number + place, inner, around) for place, inner in enumerate(step.body))
            number += len(step.body)
        else:
            yield _Flat(number, step, "")
            number += 1


def _pair(a: _Flat, b: _Flat) -> StepChange:
    changes = tuple(_differences(_aspects(a), _aspects(b)))
    return StepChange(
        kind="changed" if changes or a.step.effect != b.step.effect else "same",
        tool=b.step.tool,
        before=a.number,
        after=b.number,
        effect_before=a.step.effect,
        effect_after=b.step.effect,
        changes=changes,
    )


def _removed(one: _Flat) -> StepChange:
    return StepChange(
        kind="removed",
        tool=one.step.tool,
        before=one.number,
        after=None,
        effect_before=one.step.effect,
        effect_after="",
        changes=tuple(_differences(_aspects(one), {})),
    )


def _added(one: _Flat) -> StepChange:
    return StepChange(
        kind="added",
        tool=one.step.tool,
        before=None,
        after=one.number,
        effect_before="",
        effect_after=one.step.effect,
        changes=tuple(_differences({}, _aspects(one))),
    )


def _aspects(one: _Flat) -> dict[str, str]:
    """Return all that a reader would miss, by a path: arguments, then what is not an argument in round brackets."""
    step = one.step
    found = {show_path(path): show(expression) for path, expression in leaves(step.args)}
    if one.loop:
        found["(loop)"] = one.loop
    if step.requires:
        found["(requires)"] = "; ".join(map(precondition_text, step.requires))
    if step.accepts != (0,):
        found["(accepts)"] = ", ".join(map(str, step.accepts))
    return found


def _differences(before: dict[str, str], after: dict[str, str]) -> Iterator[ChangeView]:
    for path in dict.fromkeys((*before, *after)):
        old, new = before.get(path, ""), after.get(path, "")
        if old != new or (path in before) != (path in after):
            yield ChangeView(path=path, before=old, after=new)


def input_changes(old: Spec, new: Spec) -> tuple[ChangeView, ...]:
    """Return the inputs that were added, removed, or have another schema."""
    before, after = ({one.name: _input(one) for one in spec.inputs} for spec in (old, new))
    return tuple(_differences(before, after))


def _input(one: Any) -> str:
    schema = dict(one.schema)
    shown = str(schema["type"]) if schema.keys() == {"type"} else canonical(schema)
    return shown + ("" if one.required else " (optional)")
