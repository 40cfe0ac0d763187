"""What the agent gets: live values, one line a step, and where to go on by hand (design 8, cases B015, B020, B040).

The host takes an answer with a quoted ``error`` or ``failed`` in its first 500 characters for a failure. A success has
neither; a failure has ``error``, so that the host marks it.
"""

import json
from collections.abc import Iterator
from typing import Any

import attrs

from ..events.catalogue import RunOutcome
from ..json import JsonValue
from ..spec import Loop, Record, Step
from ..templating import Scope, TemplateError, render, render_step, show
from . import ending as codes
from .checkpoint import Done
from .ending import Ending
from .handles import VALID_S
from .protocols import StepTrace
from .run import Run

MARKS = ("error", "failed")
LOOKED_AT = 500
_WRITER = json.JSONEncoder(ensure_ascii=False, default=str)
MOST_REMAINING = 50

_BY_HAND = (
    "The steps after it were not done. Do not continue blindly: look at the call that stopped, then go on by hand from "
    "there with the calls that remain, or ask the user."
)
_REFUSED = (
    "The steps after it were not done. Do not continue blindly and do not try another way round: tell the user what was "
    "refused and wait."
)
_UNKNOWN = (
    "Nobody knows whether the step did its work. Do not repeat it and do not continue blindly: find out first (look, do "
    "not act), and ask the user before a repeat."
)
ADVICE = {
    RunOutcome.FAILED: _BY_HAND,
    RunOutcome.BLOCKED: _REFUSED,
    RunOutcome.UNKNOWN: _UNKNOWN,
    codes.BAD_ARGUMENTS: "Nothing was done. Call again with arguments that meet the input schema.",
    codes.UNACKNOWLEDGED: "Nothing was done. Tell the user what may have happened already, and ask before a repeat.",
    codes.OUT_OF_TIME: _BY_HAND,
    codes.NOT_PREPARED: _BY_HAND,
    codes.NOT_RECORDED: _BY_HAND,
}
"""What to do next: by code where there is a word for it, else by outcome."""


@attrs.frozen(kw_only=True)
class GoesOn:
    """The handle by which a run goes on, and the step at which it does."""

    handle: str
    step: int


def succeeded(run: Run, output: JsonValue) -> str:
    """Write the answer of a run that did all its steps: the last step's result and one line a step."""
    body = {
        "ok": True,
        "kata": run.request.name,
        "run": run.run_id,
        "steps": [line(one) for one in run.trace],
        "result": without_marks(output),
    }
    text = _dumps(body)
    if _has_marks(body["result"]) or any(f'"{mark}"' in text[:LOOKED_AT].lower() for mark in MARKS):
        text = _dumps({**body, "result": _dumps(output)})
    return text


def stopped(run: Run, ending: Ending, goes_on: GoesOn | None = None) -> str:
    """Write the answer of a run that ended early: what was done, what was not, and how what remains can be done."""
    at = f" at step {ending.step}" if ending.step is not None else ""
    body: dict[str, Any] = {
        "error": f"kata {run.request.name} {ending.outcome.value}{at}: {ending.reason}",
        "outcome": ending.outcome.value,
        "code": ending.code,
        "run": run.run_id,
        "failed_step": ending.step,
        "steps": [line(one) for one in run.trace],
        "finished": [_call(one) | {"result": one.result} for one in run.done],
    }
    if run.at is not None and ending.step is not None:
        body["stopped_call"] = _call(run.at) | ({} if run.at.result is None else {"result": run.at.result})
    if ending.code != codes.BAD_ARGUMENTS:
        body["remaining"] = list(_remaining(run, ending.step))
    body["advice"] = ADVICE.get(ending.code) or ADVICE[ending.outcome]
    if goes_on is not None:
        body["resume"] = _resume(goes_on, ending.step)
    return _dumps(body)


def _resume(goes_on: GoesOn, stopped_at: int | None) -> dict[str, Any]:
    again = f"Mend what stopped step {stopped_at}, then call this tool: the run goes on with that step."
    after = (
        f"Find out whether step {stopped_at} did its work, and do it by hand if it did not; then call this tool: the run goes "
        "on after it."
    )
    return {
        "tool": "kata_resume",
        "handle": goes_on.handle,
        "from_step": goes_on.step,
        "valid_minutes": VALID_S // 60,
        "how": again if goes_on.step == stopped_at else after,
    }


def line(one: StepTrace) -> str:
    """Write one step of a trace in one line: ``2 terminal: succeeded, 12 ms``."""
    element = "" if one.element is None else f"[{one.element}]"
    reason = f" ({one.reason})" if one.reason else ""
    return f"{one.step}{element} {one.tool}: {one.outcome}, {one.duration_ms} ms{reason}"


def without_marks(value: JsonValue) -> JsonValue:
    """Leave out ``error`` and ``failed`` keys that say nothing (null, 0, empty): the host would take them for failures."""
    if isinstance(value, dict):
        return {key: without_marks(one) for key, one in value.items() if one or str(key).lower() not in MARKS}
    return [without_marks(one) for one in value] if isinstance(value, list) else value


def _has_marks(value: JsonValue) -> bool:
    if isinstance(value, dict):
        return any(str(key).lower() in MARKS or _has_marks(one) for key, one in value.items())
    return isinstance(value, list) and any(map(_has_marks, value))


def _call(done: Done) -> dict[str, Any]:
    place = done.place
    element = {} if place.element is None else {"element": place.element}
    return {"step": place.step, **element, "tool": place.tool, "args": done.args}


def _remaining(run: Run, stopped_at: int | None) -> Iterator[dict[str, Any]]:
    """Yield the calls that were not made, rendered as far as their values are known."""
    number = 1
    for one in run.request.spec.steps:
        body = one.body if isinstance(one, Loop) else (one,)
        last = number + len(body) - 1
        if stopped_at is None or last > stopped_at or (isinstance(one, Loop) and last == stopped_at):
            yield from (
                _of_loop(run, number, one) if isinstance(one, Loop) else (_call_of(number, one, run.scope()),)
            )
        number = last + 1


def _of_loop(run: Run, number: int, loop: Loop) -> Iterator[dict[str, Any]]:
    at = run.at.place if run.at is not None else None
    inside = at is not None and number <= at.step < number + len(loop.body) and at.element is not None
    elements = run.elements if inside else _elements(loop, run.scope())
    if elements is None:
        yield {"step": number, "tool": loop.body[0].tool, "for_each": show(loop.over)}
        return
    for index, element in enumerate(elements[:MOST_REMAINING]):
        for inner, step in enumerate(loop.body, number):
            reached = (
                inside
                and at is not None
                and at.element is not None
                and (index, inner) <= (at.element, at.step)
            )
            if not reached:
                current = inside and at is not None and index == at.element
                scope = run.scope(element) if current else _fresh(run.scope(element), number, len(loop.body))
                yield {**_call_of(inner, step, scope), "element": index}


def _fresh(scope: Scope, number: int, width: int) -> Scope:
    """Leave out the loop's own results: they are another element's."""
    own = range(number, number + width)
    results = {key: one for key, one in scope.results.items() if key not in own}
    return Scope(inputs=scope.inputs, results=results, element=scope.element)


def _elements(loop: Loop, scope: Scope) -> list[JsonValue] | None:
    try:
        found = render(loop.over, scope)
    except TemplateError:
        return None
    return found if isinstance(found, list) else None


def _call_of(number: int, step: Step, scope: Scope) -> dict[str, Any]:
    try:
        return {"step": number, "tool": step.tool, "args": render_step(step, scope)}
    except TemplateError:
        return {"step": number, "tool": step.tool, **_partly(step.args, scope)}


def _partly(args: Record, scope: Scope) -> dict[str, Any]:
    known, missing = {}, {}
    for key, expression in args.fields:
        try:
            known[key] = render(expression, scope)
        except TemplateError:
            missing[key] = show(expression)
    return {"args": known, "still_needs": missing}


def _dumps(value: Any) -> str:
    text = _WRITER.encode(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, default=str)
    return text
