"""What a step was about that ended before its call was made: the events tell only of calls. Pure."""

from collections.abc import Iterable

import attrs

from ..executor.checks import with_defaults
from ..json import JsonObject, JsonValue, show_path
from ..spec import Spec, Step, flat_steps
from ..templating import Scope, TemplateError, render_step, show
from .plan import leaves
from .views import RunStepView

STOPPED = frozenset({"failed", "blocked", "unknown"})


def told_whole(steps: tuple[RunStepView, ...], spec: Spec, inputs: JsonValue) -> tuple[RunStepView, ...]:
    """Return a run's steps with tool and effect where no call was made, and its arguments where one would have been.

    The arguments are rendered from what the run recorded, so what was masked there is masked here; where that does not go,
    they stand as the plan shows them.
    """
    planned = dict(enumerate(flat_steps(spec), 1))
    given = with_defaults(spec, inputs) if isinstance(inputs, dict) else {}
    return tuple(
        one
        if one.tool or one.step not in planned
        else _filled(one, planned[one.step], Scope(inputs=given, results=_results(steps, one)))
        for one in steps
    )


def _filled(one: RunStepView, step: Step, scope: Scope) -> RunStepView:
    args = _arguments(one, step, scope) if one.outcome in STOPPED else one.args
    return attrs.evolve(one, tool=step.tool, effect=step.effect, args=args)


def _arguments(one: RunStepView, step: Step, scope: Scope) -> JsonObject:
    as_planned: JsonObject = {show_path(path): show(leaf) for path, leaf in leaves(step.args)}
    if one.element is not None:
        return as_planned
    try:
        return render_step(step, scope)
    except TemplateError:
        return as_planned


def _results(steps: Iterable[RunStepView], at: RunStepView) -> dict[int, JsonValue]:
    """Return what the steps before one answered; a step of a loop answered a list."""
    found: dict[int, JsonValue] = {}
    for one in steps:
        if one.index >= at.index or one.outcome != "succeeded":
            continue
        if one.element is None:
            found[one.step] = one.result
            continue
        before = found.setdefault(one.step, [])
        assert isinstance(before, list)
        before.append(one.result)
    return found
