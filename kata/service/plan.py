"""The plan of a version for people: each step with its arguments, effect and reasons. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..effects import Effect, classify, worst
from ..json import JsonObject, Path, show_path
from ..spec import (
    Array,
    Const,
    Exists,
    Expression,
    Length,
    Loop,
    NonEmpty,
    OneOf,
    Precondition,
    Record,
    Spec,
    Step,
    flat_steps,
)
from ..templating import show
from .views import ArgumentView, StepView

ASKS = frozenset({Effect.EXTERNAL, Effect.UNKNOWN})
"""Effects that ask the person on every run (design 8, seed "Execution")."""

Notes = Mapping[tuple[int, str], JsonObject]


def plan_of(spec: Spec, notes: JsonObject) -> tuple[StepView, ...]:
    """Return the steps of a version, numbered as references number them."""
    by_leaf = {(int(one["step"]), str(one["path"])): one for one in notes.get("arguments", ())}
    return tuple(_steps(spec, by_leaf))


def _steps(spec: Spec, notes: Notes) -> Iterator[StepView]:
    number = 1
    for step in spec.steps:
        if isinstance(step, Step):
            yield _step(number, step, notes)
            number += 1
            continue
        body = tuple(_step(number + place, inner, notes) for place, inner in enumerate(step.body))
        yield _loop(number, step, body)
        number += len(step.body)


def _step(number: int, step: Step, notes: Notes) -> StepView:
    known = classify(step.tool, constants_of(step.args))
    return StepView(
        number=number,
        tool=step.tool,
        effect=step.effect,
        effect_reason=known.reason,
        flags=known.flags,
        arguments=tuple(_argument(number, path, one, notes) for path, one in leaves(step.args)),
        requires=tuple(map(precondition_text, step.requires)),
        accepts=step.accepts,
    )


def _loop(number: int, loop: Loop, body: tuple[StepView, ...]) -> StepView:
    return StepView(
        number=number,
        tool=body[0].tool,
        effect=str(worst(Effect(one.effect) for one in body)),
        effect_reason=body[0].effect_reason,
        flags=(),
        arguments=(),
        requires=(),
        accepts=(0,),
        over=show(loop.over),
        limit=loop.limit,
        body=body,
    )


def _argument(number: int, path: Path, one: Expression, notes: Notes) -> ArgumentView:
    shown = show_path(path)
    note = notes.get((number, shown), {})
    return ArgumentView(
        path=shown,
        text=show(one),
        became=str(note.get("became", "")),
        reason=str(note.get("reason", "")),
        values=int(note.get("values", 0)),
        alternatives=tuple(note.get("alternatives", ())),
    )


def leaves(one: Expression, path: Path = ()) -> Iterator[tuple[Path, Expression]]:
    """Yield every argument that is no container, with its place."""
    if isinstance(one, Record):
        for key, value in one.fields:
            yield from leaves(value, (*path, key))
    elif isinstance(one, Array):
        for index, value in enumerate(one.items):
            yield from leaves(value, (*path, index))
    else:
        yield path, one


def constants_of(record: Record) -> dict[str, Any]:
    """Return arguments with text for what varies: enough to say why a step has its effect class."""
    return {key: value.value if isinstance(value, Const) else show(value) for key, value in record.fields}


def precondition_text(one: Precondition) -> str:
    """Say what must hold: ``step 1 · matches has exactly 1 element``."""
    place = f"step {one.step} · {show_path(one.path) or 'result'}"
    match one:
        case Exists():
            return f"{place} exists"
        case Length():
            return f"{place} has exactly {one.exactly} element{'' if one.exactly == 1 else 's'}"
        case NonEmpty():
            return f"{place} is not empty"
        case OneOf():
            return f"{place} is one of {', '.join(map(repr, one.values))}"


def effects_of(spec: Spec) -> tuple[str, ...]:
    """Return the distinct effect classes of a version, most serious last."""
    found = {Effect(step.effect) for step in flat_steps(spec)}
    return tuple(str(effect) for effect in Effect if effect in found)


def effect_counts(spec: Spec) -> tuple[tuple[str, int], ...]:
    """Return how many steps have each effect class, in the classes' own order."""
    counts = Counter(step.effect for step in flat_steps(spec))
    return tuple((str(effect), counts[effect]) for effect in Effect if counts[effect])


def asks_each_run(effects: Iterable[str]) -> bool:
    """Tell whether a run of it asks the person every time."""
    return any(Effect(effect) in ASKS for effect in effects)
