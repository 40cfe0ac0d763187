"""``--plain``: one line an item, cells parted by tabs, machine words, never cut."""

from collections.abc import Iterable, Iterator

from ...json import dumps
from ...service.views import KataRow, Overview, Review, RunRow, RunStepView, RunTrace, Status, StepView
from ..paint import one_line


def line(*cells: object) -> str:
    """Return one line; an empty cell is a dash."""
    return "\t".join(one_line("-" if cell in ("", None) else str(cell)) for cell in cells)


def overview(view: Overview) -> list[str]:
    """Return a line for each kata that needs the person."""
    return [
        line(row.number, row.name, row.state, ",".join(row.effects), row.support, _detail(row))
        for row in view.needs_you
    ]


def _detail(row: KataRow) -> str:
    return row.detail or " → ".join(str(step["tool"]) for step in row.steps)


def review(view: Review) -> list[str]:
    """Return the version, its steps, inputs, checks, warnings and choices, each line named in its first cell."""
    row = view.row
    shown = [line("kata", row.number, row.name, row.state, f"v{view.version}", view.digest)]
    shown += [line("changed", change) for change in view.changes]
    shown += _steps(view.steps)
    inputs = view.inputs.get("properties", {}).items()
    shown += [line("input", name, schema.get("type", "any")) for name, schema in inputs]
    shown += [line("check", one.name, one.status, one.detail) for one in view.checks]
    shown += [line("warning", one) for one in view.warnings]
    return [*shown, *(line("choose", one.place, *one.sources) for one in view.choices)]


def _steps(steps: Iterable[StepView]) -> Iterator[str]:
    for step in steps:
        if step.body:
            yield line("loop", step.number, step.over, step.limit)
            yield from _steps(step.body)
            continue
        arguments = (f"{one.path}={one.text}" for one in step.arguments)
        yield line("step", step.number, step.effect, step.tool, *arguments)
        yield from (line("requires", step.number, one) for one in step.requires)


def runs(view: Iterable[RunRow]) -> list[str]:
    """Return a line a run."""
    return [
        line(
            row.run_id,
            row.number,
            row.name,
            f"v{row.version}",
            row.outcome or "running",
            row.started_at.isoformat(),
            row.duration_ms,
            row.code,
            row.failed_step,
            row.reason,
        )
        for row in view
    ]


def run(view: RunTrace) -> list[str]:
    """Return the run, then a line a step with what it was given and answered."""
    [head] = runs((view.row,))
    return [f"run\t{head}", *map(_step, view.steps)]


def _step(step: RunStepView) -> str:
    place = str(step.step) if step.element is None else f"{step.step}[{step.element}]"
    told = (step.reason, dumps(step.args), dumps(step.result))
    return line("step", place, step.effect, step.tool, step.outcome, step.duration_ms, *told)


def status(view: Status) -> list[str]:
    """Return a line a fact."""
    recording = view.recording
    facts = {
        "version": view.version,
        "profile": view.profile,
        "recording": "on" if recording.recording else "off",
        "paused_until": recording.paused_until.isoformat() if recording.paused_until else "",
        "events": recording.events,
        "lost": recording.lost,
        "calls": recording.calls,
        "conversations": recording.conversations,
        "hidden_calls": recording.hidden_calls,
        "last_event_at": recording.last_event_at.isoformat() if recording.last_event_at else "",
        "log_bytes": recording.log_bytes,
        "pending": view.pending,
        "active": view.active,
        "last_mining_at": view.last_mining_at.isoformat() if view.last_mining_at else "",
    }
    return [
        *(line(name, value) for name, value in facts.items()),
        *(line("warning", one) for one in recording.warnings),
    ]
