"""When two routines are nearly the same (design 4 "Near-duplicate"): same key, or one contiguous in the other at 80% or more."""

from collections.abc import Iterable, Iterator
from contextlib import suppress

import attrs

from ..errors import UsageError
from ..json import JsonObject, canonical
from ..spec import Const, Expression, Loop, Record, Ref, Spec, Step
from ..templating import read_source, rewire

COVERS = 0.8


@attrs.frozen
class Outline:
    """What of a routine counts for likeness: the key, the step signatures, and how each step refers to earlier ones."""

    key: str
    signatures: tuple[str, ...]
    wiring: tuple[tuple[tuple[str, int, str], ...], ...]


def outline(key: str, signatures: tuple[str, ...], spec: Spec) -> Outline:
    """Return a routine's outline; references are counted back from the step that holds them."""
    return Outline(key, signatures, tuple(_wires(number, step) for number, step in enumerate(spec.steps, 1)))


def is_near(one: Outline, other: Outline) -> bool:
    """Tell whether two routines are near-duplicates."""
    if one.key == other.key:
        return True
    short, long = sorted((one, other), key=lambda each: len(each.signatures))
    if len(short.signatures) < COVERS * len(long.signatures):
        return False
    return any(_fits(short, long, at) for at in range(len(long.signatures) - len(short.signatures) + 1))


def is_same(one: Outline, other: Outline) -> bool:
    """Tell whether two outlines are of one routine: the same steps, wired alike."""
    return one.key == other.key or (one.signatures, one.wiring) == (other.signatures, other.wiring)


def is_separated(known: Outline, spec: Spec, notes: Iterable[JsonObject], found: Outline) -> bool:
    """Tell whether a routine is a known one in which new occurrences told ambiguous sources apart (design 6.5).

    Args:
        known: The outline of the known one.
        spec: Its newest version.
        notes: What was noted of that version's arguments, with the sources that explained them as well.
        found: What was found now.
    """
    if known.signatures != found.signatures:
        return False
    for other in _alternatives(notes):
        changed = spec
        with suppress(UsageError):
            changed = rewire(spec, *other[:2], read_source(other[2]))
        if _apart(outline("", found.signatures, changed), found) < _apart(
            outline("", found.signatures, spec), found
        ):
            spec = changed
    return outline("", found.signatures, spec).wiring == found.wiring


def _alternatives(notes: Iterable[JsonObject]) -> Iterator[tuple[int, str, str]]:
    for note in notes:
        for source in note.get("alternatives", ()):
            yield int(note["step"]), str(note["path"]), str(source)


def _apart(one: Outline, other: Outline) -> int:
    return sum(len(set(mine) ^ set(theirs)) for mine, theirs in zip(one.wiring, other.wiring, strict=True))


def _fits(short: Outline, long: Outline, at: int) -> bool:
    end = at + len(short.signatures)
    if long.signatures[at:end] != short.signatures:
        return False
    return all(_inside(long.wiring[at + place], place) == wires for place, wires in enumerate(short.wiring))


def _inside(wires: tuple[tuple[str, int, str], ...], reach: int) -> tuple[tuple[str, int, str], ...]:
    """Drop references that lead to before the shorter routine begins."""
    return tuple(wire for wire in wires if wire[1] <= reach)


def _wires(number: int, step: Step | Loop) -> tuple[tuple[str, int, str], ...]:
    if isinstance(step, Loop):
        own = (("*", number - step.over.step, canonical(list(step.over.path))),)
        return own + tuple(wire for inner in step.body for wire in _wires(number, inner))
    return tuple(sorted(_references(number, "", step.args)))


def _references(number: int, path: str, one: Expression) -> list[tuple[str, int, str]]:
    if isinstance(one, Ref):
        return [(path, number - one.step, canonical([*one.path, one.transform]))]
    if isinstance(one, Record):
        return [wire for key, value in one.fields for wire in _references(number, f"{path}.{key}", value)]
    parts: tuple[Expression, ...] = ()
    if hasattr(one, "parts"):
        parts = one.parts
    elif hasattr(one, "items") and not isinstance(one, Const):
        parts = one.items if isinstance(one.items, tuple) else (one.items,)
    elif hasattr(one, "part"):
        parts = (one.part,)
    return [wire for part in parts for wire in _references(number, path, part)]
