"""``runs`` and ``run show``: what compiled tools did, step by step."""

import json
from datetime import datetime

from ...service.views import RunRow, RunStepView, RunTrace
from ...spec import short
from ..paint import Page, one_line, table
from ..text import explain, say
from ..times import ago, milliseconds
from .parts import outcome_word, painted_effect

OUTCOME_STYLE = {
    "succeeded": "green",
    "failed": "red",
    "blocked": "yellow",
    "unknown": "magenta",
    "skipped": "dim",
}


def outcome(word: str, page: Page) -> str:
    """Return an outcome's word in its colour."""
    return page.style(outcome_word(word), OUTCOME_STYLE.get(word, ""))


def rows(view: tuple[RunRow, ...], page: Page, now: datetime) -> list[str]:
    """Return one line a run, newest first."""
    if not view:
        return [say("runs.empty")]
    return table(
        (
            [
                row.run_id[-12:],
                row.name,
                f"v{row.version}",
                outcome(row.outcome, page),
                milliseconds(row.duration_ms),
                ago(row.started_at, now),
                _where(row),
            ]
            for row in view
        ),
        page,
        "",
    )


def _where(row: RunRow) -> str:
    if row.outcome in ("succeeded", ""):
        return ""
    return say("runs.where", step=row.failed_step or "–", reason=one_line(explain(row.reason or row.code)))


def trace(view: RunTrace, page: Page) -> list[str]:
    """Return a run with its steps; what a failed step was given and answered stands below it."""
    row = view.row
    title = say("run.title", name=row.name, version=row.version, digest=short(view.digest), run=row.run_id)
    shown = [
        page.style(title, "bold"),
        say("run.outcome", outcome=outcome(row.outcome, page), duration=milliseconds(row.duration_ms)),
    ]
    if view.resumes:
        shown.append(say("run.resumes", run=view.resumes[-12:]))
    shown.append(say("run.inputs", inputs=one_line(_short(view.inputs, 400))))
    for step in view.steps:
        shown += _step(step, page)
    if row.reason and row.outcome != "succeeded":
        shown += ["", say("run.why", code=row.code, reason=one_line(row.reason))]
    return shown


def _step(step: RunStepView, page: Page) -> list[str]:
    place = f"{step.step}" if step.element is None else f"{step.step}[{step.element}]"
    effect = painted_effect(step.effect, page, 12) if step.effect else " " * 12
    head = f"  {place:<5} {effect}  {step.tool or '–'}  {outcome(step.outcome, page)}  {milliseconds(step.duration_ms)}"
    shown = [
        head + (f"  {one_line(explain(step.reason))}" if step.reason and step.outcome != "succeeded" else "")
    ]
    if step.outcome in ("failed", "blocked", "unknown"):
        shown += _call(step)
    if step.late is not None:
        shown.append(say("run.late", result=one_line(_short(step.late, 300))))
    return shown


def _call(step: RunStepView) -> list[str]:
    """Return what a step was given and answered, or what it would have been given."""
    args = one_line(_short(step.args, 600))
    if step.started_at is None:
        return [say("run.not_called", args=args)] if step.args is not None else []
    return [say("run.given", args=args), say("run.answered", result=one_line(_short(step.result, 600)))]


def _short(value: object, width: int) -> str:
    """Write a value for people: wide characters as they are."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text if len(text) <= width else text[: width - 1] + "…"
