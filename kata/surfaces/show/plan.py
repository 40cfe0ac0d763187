"""``plan``: what a version would do with given values, nothing run."""

from collections.abc import Iterable, Iterator

from ...json import dumps
from ...service.planning import PlannedArgument, PlannedStep, PlanView, flat_planned
from ...spec import short
from ..paint import Page, hung, one_line, pad, width_of
from ..text import explain, plural, say
from .parts import EFFECT_WIDTH, effect_counts_text, effect_word, painted_effect


def shell(view: PlanView, page: Page) -> list[str]:
    """Return the plan for a terminal."""
    if page.plain:
        return list(_plain(view.steps))
    shown = [page.style(_title(view), "bold"), _with(view), ""]
    for step in view.steps:
        shown += _shell_step(step, page)
    return [*shown, "", *_closing(view)]


def chat(view: PlanView) -> list[str]:
    """Return the plan for a chat: no columns, what a run would stop at last."""
    shown = [_title(view), _with(view), ""]
    for step in view.steps:
        shown += _chat_step(step)
    return [*shown, "", *_closing(view)]


def _title(view: PlanView) -> str:
    return say(
        "review.title", number=view.number, name=view.name, version=view.version, digest=short(view.digest)
    )


def _with(view: PlanView) -> str:
    values = ", ".join(
        f"{name}={value if isinstance(value, str) else dumps(value)}" for name, value in view.values.items()
    )
    steps = plural(sum(1 for _ in flat_planned(view.steps)), "count.step", "count.steps")
    return say("plan.with", steps=steps, values=one_line(values)) if values else say("plan.bare", steps=steps)


def _plain(steps: Iterable[PlannedStep]) -> Iterator[str]:
    for step in flat_planned(steps):
        arguments = (f"{one.path}={one_line(argument_text(one))}" for one in step.arguments)
        yield "\t".join((str(step.number), step.effect, step.tool, *arguments))


def _shell_step(step: PlannedStep, page: Page, indent: str = "  ") -> Iterator[str]:
    if step.body:
        yield indent + say("review.loop", number=step.number, over=step.over, limit=step.limit)
        for inner in step.body:
            yield from _shell_step(inner, page, indent + "   ")
        return
    yield f"{indent}{step.number}  {painted_effect(step.effect, page, EFFECT_WIDTH)}  {step.tool}"
    below = " " * (len(indent) + EFFECT_WIDTH + 5)
    width = max((width_of(one.path) for one in step.arguments), default=0)
    for one in step.arguments:
        yield from hung(f"{pad(one.path, width)}  {one_line(argument_text(one))}", page.width, below)
    yield from (below + line for line in _remarks(step))


def _chat_step(step: PlannedStep) -> Iterator[str]:
    if step.body:
        yield say("review.loop", number=step.number, over=step.over, limit=step.limit)
        for inner in step.body:
            yield from _chat_step(inner)
        return
    arguments = ", ".join(f"{one.path} {one_line(argument_text(one))}" for one in step.arguments)
    yield f"{step.number}. {effect_word(step.effect)} – {step.tool}: {arguments}"
    yield from (f"   {line}" for line in _remarks(step))


def _remarks(step: PlannedStep) -> Iterator[str]:
    if step.exceeds:
        yield say("plan.exceeds", reason=step.effect_reason, approved=effect_word(step.approved))
    if step.refused:
        yield say("plan.refused", why=one_line(step.refused))
    yield from (f"! {explain(flag)}" for flag in step.flags)


def argument_text(one: PlannedArgument) -> str:
    """Return a rendered argument with what is still open marked: ``{input}``, ``«step 1 · path»``."""
    marks = {"input": "{{{}}}", "reference": "«{}»"}
    return "".join(marks.get(part.kind, "{}").format(part.text) for part in one.parts)


def _closing(view: PlanView) -> Iterator[str]:
    asks = say("review.asks") if view.asks_each_run else say("review.asks_not")
    yield say("review.effects", counts=effect_counts_text(view.effects), asks=asks)
    open_inputs = [one.input for one in view.problems if one.missing]
    if open_inputs:
        yield say("plan.open", inputs=", ".join(open_inputs))
    for one in view.problems:
        if not one.missing:
            yield say("plan.problem", input=one.input or say("plan.inputs"), why=one_line(one.message))
    if view.stops_at is not None:
        yield say("plan.stops", step=view.stops_at, why=one_line(view.why))
