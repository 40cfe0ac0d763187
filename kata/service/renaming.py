"""The names that a person gave to inputs: how they stand in a version's template and in what was noted of it. Pure."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import attrs

from ..json import JsonObject, JsonValue
from ..machines import Kata, Version
from ..spec import Array, Concat, Expression, Input, Join, Loop, Record, ShellWord, Spec, Step, load_spec
from ..templating import show

Renames = Sequence[tuple[str, str]]

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")


def is_input_name(name: str) -> bool:
    """Tell whether every provider takes an input of that name."""
    return _NAME.fullmatch(name) is not None


def as_approved(version: Version) -> Spec:
    """Return a version's template with the input names that its approval gave, if it has any."""
    return renamed(load_spec(version.spec), version.renamed)


def renamed(spec: Spec, renames: Renames) -> Spec:
    """Give a template's inputs other names, old to new."""
    if not renames:
        return spec
    names = dict(renames)
    fields = tuple(attrs.evolve(one, name=names.get(one.name, one.name)) for one in spec.inputs)
    put = lambda one: Input(names.get(one.name, one.name)) if isinstance(one, Input) else one  # noqa: E731
    return attrs.evolve(spec, inputs=fields, steps=tuple(_replaced(step, put) for step in spec.steps))


def renamed_notes(notes: JsonObject, renames: Renames) -> JsonObject:
    """Give the inputs that the notes of a version name the same names as `renamed` gives them."""
    if not renames:
        return notes
    arguments = [{**one, "reason": _said(str(one["reason"]), renames)} for one in notes.get("arguments", ())]
    warnings = [_said(str(line), renames) for line in notes.get("warnings", ())]
    return {**notes, "arguments": arguments, "warnings": warnings}


def renamed_values(values: JsonValue, renames: Renames) -> JsonValue:
    """Give the values of a run's inputs the names that its version's approval gave; what is no object stays."""
    names = dict(renames)
    return (
        {names.get(name, name): value for name, value in values.items()}
        if isinstance(values, dict)
        else values
    )


def names_kept(kata: Kata) -> tuple[tuple[str, str], ...]:
    """Return every name that a person gave to an input of a kata, with the name that it was found under."""
    names: dict[str, str] = {}
    for version in kata.versions:
        for old, new in version.renamed:
            first = next((found for found, given in names.items() if given == old), old)
            names[first] = new
    return tuple(names.items())


def fitting(spec: Spec, renames: Renames) -> tuple[tuple[str, str], ...]:
    """Return the renames that a template can bear: of inputs that it has, to names that no other input of it has."""
    taken = {one.name for one in spec.inputs}
    found: list[tuple[str, str]] = []
    for old, new in renames:
        if old in taken and new not in taken:
            found.append((old, new))
            taken.add(new)
    return tuple(found)


def map_sources(one: Expression, put: Callable[[Expression], Expression]) -> Expression:
    """Rebuild an expression, each part replaced by what ``put`` makes of it, from the outside in."""
    made = put(one)
    if made is not one:
        return made
    match one:
        case Record(fields):
            return Record(tuple((key, map_sources(value, put)) for key, value in fields))
        case Array(items):
            return Array(tuple(map_sources(item, put) for item in items))
        case Concat(parts):
            return Concat(tuple(map_sources(part, put) for part in parts))
        case ShellWord(part, quoting):
            return ShellWord(map_sources(part, put), quoting)
        case Join(items, separator):
            return Join(map_sources(items, put), separator)
        case _:
            return one


def _said(text: str, renames: Renames) -> str:
    """Write the inputs that a sentence names, as `show` writes them, under their new names."""
    names = {show(Input(old)): show(Input(new)) for old, new in renames}
    return re.sub("|".join(map(re.escape, names)), lambda found: names[found[0]], text)


def _replaced(step: Step | Loop, put: Callable[[Any], Expression]) -> Step | Loop:
    if isinstance(step, Loop):
        body = tuple(_in_step(inner, put) for inner in step.body)
        return attrs.evolve(step, body=body)
    return _in_step(step, put)


def _in_step(step: Step, put: Callable[[Any], Expression]) -> Step:
    made = map_sources(step.args, put)
    assert isinstance(made, Record)
    return attrs.evolve(step, args=made)
