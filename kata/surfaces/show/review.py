"""``review``: all that a person should see before deciding, as a plan (ux 3)."""

from collections.abc import Iterable, Iterator

from ...service.views import ArgumentView, Review, StepView
from ...spec import short
from ..paint import Page, hung, one_line, wrap
from ..text import explain, plural, say
from .parts import EFFECT_WIDTH, effect_counts_text, effect_word, painted_effect, state_word


def shell(view: Review, page: Page) -> list[str]:
    """Return the review for a terminal."""
    row = view.row
    title = say(
        "review.title", number=row.number, name=row.name, version=view.version, digest=short(view.digest)
    )
    shown = [page.style(title, "bold") + f"  {state_word(row, page)}", _scores(view), ""]
    shown += [say("review.changed", change=one_line(change)) for change in view.changes]
    shown.append(
        say(
            "review.would_run",
            steps=plural(_count(view.steps), "count.step", "count.steps"),
            needs=_inputs(view),
        )
    )
    for step in view.steps:
        shown += _shell_step(step, page)
    shown += ["", *_facts(view), *_checks(view), *(f"  ! {explain(line)}" for line in view.warnings)]
    shown += [f"  {line}" for line in _choices(view)]
    return [*shown, *_baseline(view)]


def chat(view: Review) -> list[str]:
    """Return the review for a chat: no columns, the decision line last."""
    row, page = view.row, Page(width=10_000)
    shown = [
        say(
            "review.chat_title",
            number=row.number,
            name=row.name,
            state=state_word(row, page),
            version=view.version,
            digest=short(view.digest),
        )
    ]
    shown += [_scores(view), say("review.inputs", inputs=_inputs(view)), ""]
    shown += [say("review.changed", change=one_line(change)) for change in view.changes]
    for step in view.steps:
        shown += _chat_step(step, page)
    shown += ["", *_facts(view), *_checks(view), *(f"! {explain(line)}" for line in view.warnings[:3])]
    if len(view.warnings) > 3:
        shown.append(say("review.more_warnings", count=len(view.warnings) - 3))
    shown += _choices(view)
    return [*shown, *_baseline(view)]


def _count(steps: Iterable[StepView]) -> int:
    return sum(len(step.body) or 1 for step in steps)


def _scores(view: Review) -> str:
    scores, left = view.scores, sum(one.kept for one in view.evidence)
    return say(
        "review.scores" if left == len(view.evidence) else "review.scores_left",
        left=left,
        whole=len(view.evidence),
        times=plural(scores.occurrences, "count.time", "count.times"),
        chats=plural(scores.support, "count.conversation", "count.conversations"),
        days=plural(view.days, "count.day", "count.days"),
        fit=f"{scores.fit_rate:.0%}",
        confidence=f"{scores.confidence:.2f}",
    )


def _inputs(view: Review) -> str:
    properties = view.inputs.get("properties", {})
    named = (f"{name} ({schema.get('type', 'any')})" for name, schema in properties.items())
    return ", ".join(named) or say("review.no_inputs")


def _shell_step(step: StepView, page: Page, indent: str = "  ") -> Iterator[str]:
    if step.body:
        yield indent + say("review.loop", number=step.number, over=step.over, limit=step.limit)
        for inner in step.body:
            yield from _shell_step(inner, page, indent + "   ")
        return
    head = f"{indent}{step.number}  {painted_effect(step.effect, page, EFFECT_WIDTH)}  {step.tool}"
    below = " " * (len(indent) + EFFECT_WIDTH + 5)
    yield head
    for argument in step.arguments:
        yield from hung(_argument(argument), page.width, below)
    yield from (below + say("review.requires", what=one) for one in step.requires)
    yield from (below + f"! {explain(flag)}" for flag in step.flags)


def _chat_step(step: StepView, page: Page) -> Iterator[str]:
    if step.body:
        yield say("review.loop", number=step.number, over=step.over, limit=step.limit)
        for inner in step.body:
            yield from _chat_step(inner, page)
        return
    arguments = ", ".join(_argument(one) for one in step.arguments)
    yield f"{step.number}. {effect_word(step.effect)} – {step.tool}: {arguments}"
    yield from (f"   {say('review.requires', what=one)}" for one in step.requires)
    yield from (f"   ! {explain(flag)}" for flag in step.flags)


def _argument(one: ArgumentView) -> str:
    mark = say("review.ambiguous", others=", ".join(one.alternatives)) if one.alternatives else ""
    return f"{one.path} {one_line(one.text)}{mark}"


def _facts(view: Review) -> list[str]:
    asks = say("review.asks") if view.asks_each_run else say("review.asks_not")
    return [say("review.effects", counts=effect_counts_text(view.effects), asks=asks)]


def _checks(view: Review) -> list[str]:
    """Count what was checked, a version's own warnings with it, and name what did not pass."""
    checks = view.checks
    passed = sum(check.status == "passed" for check in checks)
    warned = sum(check.status == "warning" for check in checks)
    rest = len(checks) - passed - warned
    warnings = plural(warned + len(view.warnings), "count.warning", "count.warnings")
    shown = [say("review.checks", passed=passed, warnings=warnings, rest=rest)]
    for check in checks:
        if check.status != "passed":
            shown += wrap(
                say(
                    "review.check",
                    name=check.name,
                    status=say(f"check.{check.status}"),
                    detail=one_line(check.detail),
                ),
                100,
                "  ",
            )
    return shown


def _choices(view: Review) -> list[str]:
    return [
        say("review.choose", step=one.step, path=one.path, answers=" | ".join(one.answers))
        for one in view.choices
    ]


def _baseline(view: Review) -> list[str]:
    base = view.baseline
    if not base.recordings or base.model_requests is None:
        return [say("review.no_baseline")]
    tokens = f"{base.tokens:,.0f}" if base.tokens is not None else "–"
    seconds = f"{base.seconds:.1f}" if base.seconds is not None else "–"
    return [
        say(
            "review.baseline",
            requests=f"{base.model_requests:g}",
            tokens=tokens,
            seconds=seconds,
            recordings=base.recordings,
        )
    ]
