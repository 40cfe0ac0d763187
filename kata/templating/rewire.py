"""Taking another source for an argument, as the reviewer chose: ``approve 2 using step3.path=step1.items[0].path``."""

import re
from collections.abc import Callable
from typing import Any

import attrs

from ..errors import UsageError
from ..json import Path, show_path
from ..spec import Array, Concat, Expression, Loop, Record, Ref, ShellWord, Spec, Step
from .transforms import TRANSFORMS

_SOURCE = re.compile(r"(?:(\w+) of )?step ?(\d+)(?:\s*[.·]\s*(.+))?")
_PART = re.compile(r"\[(\d+)\]|\.?([^.\[\]]+)")


def read_source(text: str) -> Ref:
    """Read a source as people write it: ``step1.items[0].path``, or as review shows it: ``basename of step 1 · path``.

    Raises:
        UsageError: the text names no step.
    """
    found = _SOURCE.fullmatch(text.strip())
    if found is None or (found[1] is not None and found[1] not in TRANSFORMS):
        raise UsageError(f"{text!r} is no source", hint="write it as step1.path")
    return Ref(int(found[2]), _read_path(found[3] or ""), found[1])


def rewire(spec: Spec, number: int, leaf: str, source: Ref) -> Spec:
    """Return the spec with an argument leaf taken from a source: the whole value, or the one reference in its text.

    Whether the recordings bear it out is for the validator to say.

    Args:
        spec: The version under review.
        number: The step.
        leaf: The leaf as review shows it (``path``, ``items[0].id``).
        source: An earlier step's field.

    Raises:
        UsageError: there is no such step or leaf, the source is no earlier step, or the leaf holds several references.
    """
    if source.step >= number:
        raise UsageError(f"step {source.step} does not come before step {number}")
    done = False

    def change(path: Path, value: Expression) -> Expression:
        nonlocal done
        if show_path(path) != leaf:
            return value
        done = True
        return _with_source(value, source)

    changed = _change_step(
        spec, number, lambda step: attrs.evolve(step, args=_changed(step.args, (), change))
    )
    if not done:
        raise UsageError(f"step {number} has no argument {leaf}")
    return changed


def _change_step(spec: Spec, number: int, change: Callable[[Step], Step]) -> Spec:
    """Change the step with a number; the steps of a loop's body count on from its own."""
    steps: list[Step | Loop] = []
    at = 1
    for step in spec.steps:
        body = step.body if isinstance(step, Loop) else (step,)
        inner = tuple(change(one) if at + offset == number else one for offset, one in enumerate(body))
        steps.append(attrs.evolve(step, body=inner) if isinstance(step, Loop) else inner[0])
        at += len(body)
    return attrs.evolve(spec, steps=tuple(steps))


def _changed(value: Any, path: Path, change: Callable[[Path, Expression], Expression]) -> Any:
    if isinstance(value, Record):
        return Record(tuple((key, _changed(item, (*path, key), change)) for key, item in value.fields))
    if isinstance(value, Array):
        return Array(tuple(_changed(item, (*path, at), change) for at, item in enumerate(value.items)))
    return change(path, value)


def _with_source(value: Expression, source: Ref) -> Expression:
    if not isinstance(value, Concat):
        return source
    places = [at for at, part in enumerate(value.parts) if isinstance(_inner(part), Ref)]
    if len(places) != 1:
        raise UsageError(f"the text holds {len(places)} references; one can be chosen where there is one")
    part = value.parts[places[0]]
    before = _inner(part)
    assert isinstance(before, Ref)
    made: Expression = attrs.evolve(source, transform=source.transform or before.transform)
    made = attrs.evolve(part, part=made) if isinstance(part, ShellWord) else made
    return Concat((*value.parts[: places[0]], made, *value.parts[places[0] + 1 :]))


def _inner(part: Expression) -> Expression:
    return part.part if isinstance(part, ShellWord) else part


def _read_path(text: str) -> Path:
    path: list[str | int] = []
    at = 0
    while at < len(text):
        found = _PART.match(text, at)
        if found is None:
            raise UsageError(f"{text!r} is no path", hint="write it as items[0].path")
        path.append(int(found[1]) if found[1] is not None else found[2])
        at = found.end()
    return tuple(path)
