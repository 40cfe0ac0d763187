"""What a version would do with given values: rendered as a run renders it, with nothing dispatched (ux 2.3, case B027)."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import attrs

from ..effects import Effect, classify, exceeds, worst
from ..json import JsonObject, Path, canonical, dumps, show_path
from ..machines import Kata
from ..schemas import violations
from ..spec import (
    Const,
    Expression,
    Input,
    Item,
    Join,
    Loop,
    Record,
    Ref,
    Spec,
    Step,
    dump_spec,
)
from ..templating import Scope, TemplateError, render, show, show_source
from .find import version_of
from .plan import asks_each_run, leaves
from .renaming import as_approved, map_sources


@attrs.frozen(kw_only=True)
class PartView:
    """A piece of a rendered argument: ``text`` as it will stand there, or an ``input`` or ``reference`` still open."""

    kind: str
    text: str


@attrs.frozen(kw_only=True)
class PlannedArgument:
    """One argument leaf, in pieces."""

    path: str
    parts: tuple[PartView, ...]


@attrs.frozen(kw_only=True)
class PlannedStep:
    """One step with the given values.

    Attributes:
        approved: The effect class that the version was reviewed with.
        effect: The class of the rendered call; ``approved`` where too much of it is open.
        certain: Nothing in the call is open, so ``effect`` is what a run will see.
        exceeds: A run would stop here, since the call does more than was reviewed.
        refused: Why a value must not stand where the template puts it; empty for none.
    """

    number: int
    tool: str
    approved: str
    effect: str
    effect_reason: str
    flags: tuple[str, ...]
    certain: bool
    exceeds: bool
    refused: str
    arguments: tuple[PlannedArgument, ...]
    over: str = ""
    limit: int = 0
    body: "tuple[PlannedStep, ...]" = ()


@attrs.frozen(kw_only=True)
class ProblemView:
    """Why the given values do not fit: for one input, or for all where ``input`` is empty; ``missing`` is not wrong yet."""

    input: str
    message: str
    missing: bool


@attrs.frozen(kw_only=True)
class PlanView:
    """A version's plan with given values; ``stops_at`` is the first step that a run would refuse, and ``why``."""

    profile: str
    number: int
    name: str
    version: int
    digest: str
    inputs: JsonObject
    values: JsonObject
    problems: tuple[ProblemView, ...]
    steps: tuple[PlannedStep, ...]
    effects: tuple[tuple[str, int], ...]
    asks_each_run: bool
    stops_at: int | None
    why: str


class Planning:
    """The use case: find the version, rename its inputs as its approval did, render."""

    def __init__(self, profile: str, find: Callable[[str], Kata]) -> None:
        self._profile, self._find = profile, find

    def plan(self, named: str, values: JsonObject, *, version: int | None = None) -> PlanView:
        """Render the plan of a version (the one that waits, else the newest) with values for some of its inputs.

        Raises:
            UnknownKataError: there is no such kata.
            UnknownVersionError: it has no such version.
        """
        kata = self._find(named)
        found = version_of(kata, version)
        spec = as_approved(found)
        steps = planned(spec, values)
        flat = tuple(flat_planned(steps))
        counts = Counter(step.effect for step in flat)
        stops = next((step for step in flat if step.exceeds or step.refused), None)
        return PlanView(
            profile=self._profile,
            number=kata.number,
            name=kata.name,
            version=found.version,
            digest=found.digest,
            inputs=spec.input_schema(),
            values=values,
            problems=problems_of(spec, values),
            steps=steps,
            effects=tuple((str(effect), counts[effect]) for effect in Effect if counts[effect]),
            asks_each_run=asks_each_run(counts),
            stops_at=None if stops is None else stops.number,
            why="" if stops is None else _why(stops),
        )


def problems_of(spec: Spec, values: JsonObject) -> tuple[ProblemView, ...]:
    """Check the values against the version's input schema, every problem at once."""
    return tuple(
        ProblemView(
            input=one.missing or (str(one.path[0]) if one.path else ""),
            message=one.message,
            missing=bool(one.missing),
        )
        for one in violations(spec.input_schema(), dict(values))
    )


def planned(spec: Spec, values: JsonObject) -> tuple[PlannedStep, ...]:
    """Render every step with the values; what is not known before a run stays open and is shown by its name."""
    marks = Marks(avoid=canonical(dict(values)) + canonical(dump_spec(spec)))
    known = {name: value for name, value in values.items() if name in {one.name for one in spec.inputs}}
    return tuple(_steps(spec, known, marks))


def flat_planned(steps: Iterable[PlannedStep]) -> Iterator[PlannedStep]:
    """Yield every step, the bodies of loops once."""
    for step in steps:
        yield from step.body or (step,)


class Marks:
    """Words that stand for open values while a call is rendered and classified.

    A plain word without a meaning to any shell, made so that none of the texts to ``avoid`` holds it.
    """

    def __init__(self, avoid: str) -> None:
        self._stem = next(stem for n in itertools.count() if (stem := "open" + "q" * n + "z") not in avoid)
        self._sources: list[Expression] = []

    def put(self, source: Expression) -> Const:
        """Return the constant that stands for an open source."""
        if source not in self._sources:
            self._sources.append(source)
        return Const(f"{self._stem}{self._sources.index(source)}z")

    def parts(self, text: str) -> tuple[PartView, ...]:
        """Cut a rendered text where open values stand in it."""
        found: list[PartView] = []
        head, *rest = text.split(self._stem)
        found += [PartView(kind="text", text=head)] if head else []
        for piece in rest:
            index, _, after = piece.partition("z")
            found.append(_open_part(self._sources[int(index)]))
            found += [PartView(kind="text", text=after)] if after else []
        return tuple(found) or (PartView(kind="text", text=""),)

    def stands_in(self, text: str) -> bool:
        """Tell whether a rendered text holds an open value."""
        return self._stem in text


def _open_part(source: Expression) -> PartView:
    if isinstance(source, Input):
        return PartView(kind="input", text=source.name)
    text = show_source(source) if isinstance(source, Ref | Item) else show(source)
    return PartView(kind="reference", text=text)


def _steps(spec: Spec, values: JsonObject, marks: Marks) -> Iterator[PlannedStep]:
    number = 1
    for step in spec.steps:
        if isinstance(step, Step):
            yield _step(number, step, values, marks)
            number += 1
            continue
        body = tuple(_step(number + place, inner, values, marks) for place, inner in enumerate(step.body))
        yield _loop(number, step, body)
        number += len(step.body)


def _step(number: int, step: Step, values: JsonObject, marks: Marks) -> PlannedStep:
    filled = _opened(step.args, values, marks)
    try:
        args = render(filled, Scope())
        refused = ""
    except TemplateError as error:
        args, refused = {}, str(error)
    certain = not marks.stands_in(dumps(args)) and not refused
    found = classify(step.tool, args)
    over = exceeds(found.effect, Effect(step.effect))
    return PlannedStep(
        number=number,
        tool=step.tool,
        approved=step.effect,
        effect=step.effect if refused or (over and not certain) else str(found.effect),
        effect_reason="" if refused else found.reason,
        flags=found.flags,
        certain=certain,
        exceeds=over and certain,
        refused=refused,
        arguments=tuple(_argument(path, one, marks) for path, one in leaves(filled)),
    )


def _loop(number: int, loop: Loop, body: tuple[PlannedStep, ...]) -> PlannedStep:
    return attrs.evolve(
        body[0],
        number=number,
        approved=str(worst(Effect(one.approved) for one in body)),
        effect=str(worst(Effect(one.effect) for one in body)),
        arguments=(),
        over=show(loop.over),
        limit=loop.limit,
        body=body,
    )


def _argument(path: Path, one: Expression, marks: Marks) -> PlannedArgument:
    try:
        value = render(one, Scope())
    except TemplateError:
        return PlannedArgument(path=show_path(path), parts=(PartView(kind="text", text=show(one)),))
    text = value if isinstance(value, str) else dumps(value)
    return PlannedArgument(path=show_path(path), parts=marks.parts(text))


def _opened(record: Record, values: JsonObject, marks: Marks) -> Record:
    def put(one: Expression) -> Expression:
        if isinstance(one, Input):
            return Const(values[one.name]) if one.name in values else marks.put(one)
        return marks.put(one) if isinstance(one, Ref | Item | Join) else one

    made = map_sources(record, put)
    assert isinstance(made, Record)
    return made


def _why(step: PlannedStep) -> str:
    if step.refused:
        return step.refused
    return f"{step.effect_reason}: {step.effect.replace('_', ' ')}, but {step.approved.replace('_', ' ')} was reviewed"
