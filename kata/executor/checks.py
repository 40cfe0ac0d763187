"""What is checked of a run before it starts, and of each rendered call before it is made (design 8)."""

from collections.abc import Iterator, Mapping

from ..effects import Effect, classify, exceeds, mentions_kata
from ..json import JsonError, JsonObject, JsonValue, canonical, show_path
from ..schemas import violations
from ..spec import Spec, Step, flat_steps
from ..templating import MissingValueError, RefusedValueError, Scope, TemplateError, render_step
from . import ending as codes
from .ending import blocked, failed
from .masks import placeholder
from .preconditions import first_broken
from .protocols import Verdict

READS = frozenset({Effect.READ.value, Effect.NETWORK_READ.value})
"""The classes whose calls may be repeated."""


def has_effect(effect: str) -> bool:
    """Tell whether a class does more than read; a class that is not known here counts as one that does."""
    return effect not in READS


def changes_something(spec: Spec) -> bool:
    """Tell whether any step of a version does more than read."""
    return any(has_effect(step.effect) for step in flat_steps(spec))


def check_arguments(spec: Spec, arguments: JsonObject, names: Mapping[str, str]) -> None:
    """Check the caller's arguments against the input schema, and speak of them by the names that the approval gave.

    Raises:
        StopRunError: they do not meet it; nothing was done.
    """
    try:
        canonical(dict(arguments))
    except JsonError as error:
        raise blocked(codes.BAD_ARGUMENTS, str(error)) from error
    given = {names.get(name, name): value for name, value in arguments.items()}
    faults = [
        f"{show_path(one.path) or 'arguments'}: {one.message}"
        for one in violations(spec.input_schema(names), given)
    ]
    if faults:
        raise blocked(codes.BAD_ARGUMENTS, "; ".join(faults))


def check_acknowledged(spec: Spec, unacknowledged: str | None) -> None:
    """Check that no earlier run with these arguments may already have done the work (case B025).

    Raises:
        StopRunError: one may have, and a person has not allowed a repeat. Reads need nobody.
    """
    if unacknowledged is not None and changes_something(spec):
        reason = f"run {unacknowledged} may already have done this; a person has to allow a repeat"
        raise blocked(codes.UNACKNOWLEDGED, reason)


def with_defaults(spec: Spec, arguments: JsonObject) -> Mapping[str, JsonValue]:
    """Add the learned defaults of inputs that the caller left out."""
    defaults = {one.name: one.schema["default"] for one in spec.inputs if "default" in one.schema}
    return {**defaults, **arguments}


def rendered(step: Step, scope: Scope) -> dict[str, JsonValue]:
    """Render a step's arguments and check the call that they make.

    Raises:
        StopRunError: a value is missing or hostile, or the rendered call does more than was approved.
    """
    try:
        args = render_step(step, scope)
    except RefusedValueError as error:
        raise blocked(codes.REFUSED_VALUE, str(error)) from error
    except MissingValueError as error:
        raise failed(codes.PRECONDITION, first_broken(step.requires, scope.results) or str(error)) from error
    except TemplateError as error:
        raise failed(codes.PRECONDITION, str(error)) from error
    _check_effect(step, args)
    masked = placeholder(step.args, args)
    if masked is not None:
        raise blocked(codes.MASKED_VALUE, f"{show_path(masked)} holds a masked value")
    return args


def check_preconditions(step: Step, scope: Scope) -> None:
    """Check what the recordings always showed.

    Raises:
        StopRunError: it does not hold this time.
    """
    broken = first_broken(step.requires, scope.results)
    if broken is not None:
        raise failed(codes.PRECONDITION, broken)


def check_verdict(verdict: Verdict, step: Step) -> None:
    """Check what the host's own policy says of a call.

    Raises:
        StopRunError: somebody blocks, denies or modifies the call, or nobody could be asked about an effect.
    """
    if verdict.kind == "unavailable" and not has_effect(step.effect):
        return
    if verdict.kind != "allow":
        code = codes.GUARD_CODES.get(verdict.kind, codes.GUARD_UNAVAILABLE)
        raise blocked(code, verdict.message or f"the host's guard says {verdict.kind}")


def _check_effect(step: Step, args: JsonObject) -> None:
    found = classify(step.tool, args)
    if found.effect != step.effect and exceeds(found.effect, Effect(step.effect)):
        reason = f"the call is {found.effect} ({found.reason}); approved was {step.effect}"
        raise blocked(codes.EFFECT_EXCEEDED, reason)
    reached = mentions_kata(args)
    if reached is not None:
        raise blocked(codes.REACHES_KATA, reached)


def numbered(spec: Spec) -> Iterator[tuple[int, Step]]:
    """Yield every step with its number, the bodies of loops once."""
    yield from enumerate(flat_steps(spec), 1)
