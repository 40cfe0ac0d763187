"""What Kata's tools look like to the model: names, descriptions, schemas, and the list of active katas."""

from collections.abc import Callable, Sequence
from typing import Any

from ..executor import Checkpoint, Cursor
from ..json import JsonObject, dumps
from ..projections import Registered
from ..service.views import KataRow, RunRow
from ..spec import Step, flat_steps, load_spec
from ..surfaces.paint import visible
from ..surfaces.text import say
from ..templating import Scope, TemplateError, render_step, show
from .describing import describe

ASKED = 1500

LIST_SCHEMA: dict[str, Any] = {
    "name": "kata_list",
    "description": "List active katas: routines that a person approved, each one a tool that does several steps in one call.",
    "parameters": {"type": "object", "properties": {}, "additionalProperties": False},
}


RESUME_SCHEMA: dict[str, Any] = {
    "name": "kata_resume",
    "description": "Go on with a kata that stopped, once you mended by hand what stopped it. Only with the handle that the stopped "
    "kata's answer holds; what it did already is not repeated.",
    "parameters": {
        "type": "object",
        "properties": {
            "handle": {"type": "string", "description": "The handle under `resume` in the answer."},
            "from_step": {
                "type": "integer",
                "description": "The step to go on with (default: the one that stopped). The next one if you did that step by "
                "hand; an earlier one to look again, where nothing since had an effect.",
            },
        },
        "required": ["handle"],
        "additionalProperties": False,
    },
}


def schema_of(one: Registered) -> dict[str, Any]:
    """Return description and parameters of an active kata, its inputs under their approved names."""
    spec = load_spec(one.spec)
    names = dict(one.renamed)
    return {"description": describe(spec, names), "parameters": spec.input_schema(names)}


def list_answer(
    rows: Sequence[KataRow], schemas: Callable[[int], JsonObject], last: Callable[[int], RunRow | None]
) -> str:
    """Answer ``kata_list``: every active kata with its inputs and its last run; no values of calls."""
    katas = []
    for row in rows:
        assert row.number is not None
        run = last(row.number)
        katas.append(
            {
                "tool": row.tool_name,
                "version": row.version,
                "inputs": schemas(row.number).get("properties", {}),
                "steps": [step["tool"] for step in row.steps],
                "last_run": None if run is None else {"outcome": run.outcome, "step": run.failed_step},
            }
        )
    return dumps({"ok": True, "katas": katas})


def ask_message(one: Registered, args: JsonObject) -> str:
    """Say what a call of a kata will run, for the host's approval prompt: it shows no arguments itself."""
    spec = load_spec(one.spec)
    given = dict(args)
    shown = "; ".join(
        step_text(step, number, given, dict(one.renamed)) for number, step in enumerate(flat_steps(spec), 1)
    )
    return say("gate.ask", name=one.name, version=one.version, steps=shown[:ASKED])


def resume_message(kept: Checkpoint, cursor: Cursor) -> str:
    """Say what will run when a stopped run goes on, for the host's approval prompt."""
    request = kept.request
    given = dict(request.arguments)
    scope = Scope(inputs=given, results=kept.results)
    shown = "; ".join(known_text(step, number, scope, given) for number, step in kept.remaining(cursor))
    return say(
        "gate.resume", name=request.name, version=request.version, step=cursor.step, steps=shown[:ASKED]
    )


def known_text(step: Step, number: int, scope: Scope, given: JsonObject) -> str:
    """Write one step as it will be called, where all of its values are known."""
    try:
        shown = dumps(render_step(step, scope))
    except TemplateError:
        return step_text(step, number, given, {})
    return visible(f"{number} {step.effect} {step.tool} {shown}")


def step_text(step: Step, number: int, given: JsonObject, renamed: dict[str, str]) -> str:
    """Write one step with the values given; what earlier steps will answer stays a reference."""
    text = show(step.args)
    for field, value in given.items():
        own = next((old for old, new in renamed.items() if new == field), field)
        text = text.replace("{" + own + "}", str(value))
    return visible(f"{number} {step.effect} {step.tool} {text}")
