"""``diff``: two versions of a kata, step by step; a sign stands before each line, so that colour only adds."""

from collections.abc import Iterable, Iterator

from ...service.comparing import ChangeView, DiffView, StepChange
from ...spec import short
from ..paint import Page, one_line, pad
from ..text import say
from .parts import EFFECT_WIDTH, effect_counts_text, effect_word

SIGNS = {"same": " ", "added": "+", "removed": "-", "changed": "~"}
STYLE = {"+": "green", "-": "red", "~": "yellow"}


def shell(view: DiffView, page: Page) -> list[str]:
    """Return the difference for a terminal."""
    if view.before == view.after:
        return [_only(view)]
    if page.plain:
        return list(_plain(view))
    shown = [page.style(_title(view), "bold"), ""]
    for step in view.steps:
        sign = SIGNS[step.kind]
        head = f"{sign} {_place(step):<6} {pad(_effect(step), EFFECT_WIDTH)}  {step.tool}"
        shown += [page.style(head, STYLE.get(sign, "dim")), *_below(step, page)]
    return [*shown, *_inputs(view, page), "", *_closing(view)]


def chat(view: DiffView) -> list[str]:
    """Return the difference for a chat: only what differs."""
    if view.before == view.after:
        return [_only(view)]
    page = Page(width=10_000)
    shown = [_title(view)]
    for step in view.steps:
        if step.kind != "same":
            head = f"{SIGNS[step.kind]} {_place(step)}. {_effect(step)} – {step.tool}"
            shown += [head, *_below(step, page)]
    return [*shown, *_inputs(view, page), *_closing(view)]


def _title(view: DiffView) -> str:
    return say(
        "diff.title",
        number=view.number,
        name=view.name,
        before=view.before,
        after=view.after,
        digest_before=short(view.digest_before),
        digest_after=short(view.digest_after),
    )


def _only(view: DiffView) -> str:
    return say("diff.only", number=view.number, name=view.name, version=view.after)


def _plain(view: DiffView) -> Iterator[str]:
    for step in view.steps:
        place = str(step.after if step.after is not None else step.before)
        yield "\t".join((step.kind, place, step.effect_before or "-", step.effect_after or "-", step.tool))
        for one in step.changes:
            yield "\t".join(("argument", place, one.path, one_line(one.before), one_line(one.after)))
    for one in view.inputs:
        yield "\t".join(("input", one.path, one_line(one.before), one_line(one.after)))


def _below(step: StepChange, page: Page) -> Iterator[str]:
    if step.kind == "changed" and step.effect_before != step.effect_after:
        was, now = effect_word(step.effect_before), effect_word(step.effect_after)
        yield say("diff.effect", before=was, after=now)
    for one in step.changes:
        yield from _change(one, page, "    ")


def _effect(step: StepChange) -> str:
    return effect_word(step.effect_after or step.effect_before)


def _place(step: StepChange) -> str:
    if step.before is None or step.after is None or step.before == step.after:
        return str(step.after if step.after is not None else step.before)
    return f"{step.before}→{step.after}"


def _change(one: ChangeView, page: Page, indent: str) -> Iterator[str]:
    yield f"{indent}{one.path}"
    if one.before:
        yield page.style(f"{indent}  - {one_line(one.before)}", "red")
    if one.after:
        yield page.style(f"{indent}  + {one_line(one.after)}", "green")


def _inputs(view: DiffView, page: Page) -> list[str]:
    if not view.inputs:
        return []
    return [say("diff.inputs"), *(line for one in view.inputs for line in _change(one, page, "    "))]


def _closing(view: DiffView) -> Iterator[str]:
    if view.same:
        yield say("diff.same")
    before, after = effect_counts_text(view.effects_before), effect_counts_text(view.effects_after)
    if before == after:
        yield say("diff.effects_same", counts=after)
    else:
        yield say("diff.effects", before=before, after=after)
    yield _summary(view.steps)


def _summary(steps: Iterable[StepChange]) -> str:
    kinds = [step.kind for step in steps]
    return say(
        "diff.summary",
        added=kinds.count("added"),
        removed=kinds.count("removed"),
        changed=kinds.count("changed"),
        same=kinds.count("same"),
    )
