"""When two routines are the same one, or nearly (design 4)."""

from collections.abc import Iterator, Sequence

import attrs

from ..json import JsonValue, digest
from ..spec import Array, Concat, Expression, Item, Join, Record, Ref, ShellWord, Spec, Step, StepOrLoop

NEAR = 0.8
"""The share of the longer one that the shorter must cover."""

Wiring = tuple[JsonValue, ...]


@attrs.frozen
class Known:
    """A kata that exists already, whatever its state."""

    key: str
    signatures: tuple[str, ...]
    spec: Spec


def pattern_key(signatures: Sequence[str], spec: Spec | None) -> str:
    """Hash the step signatures and the wiring, without constants and inputs."""
    wiring = [] if spec is None else [list(one) for one in wirings(spec)]
    return digest([list(signatures), wiring])


def wirings(spec: Spec) -> list[Wiring]:
    """List what feeds each step, bodies of loops once: argument leaf, step and path of each reference."""
    return [wiring for step in spec.steps for wiring in _wirings(step)]


def nearly_same(one: Known, other: Known) -> bool:
    """Tell whether two are the same routine or near-duplicates.

    The same key, or one step list contiguous in the other, covering at least 80% of the longer with equal wiring there.
    """
    if one.key == other.key:
        return True
    short, long = sorted((one, other), key=lambda known: len(known.signatures))
    size = len(short.signatures)
    if size < NEAR * len(long.signatures):
        return False
    return any(
        long.signatures[at : at + size] == short.signatures
        and _inside(wirings(long.spec)[at : at + size], at, size) == _inside(wirings(short.spec), 0, size)
        for at in range(len(long.signatures) - size + 1)
    )


def _wirings(step: StepOrLoop) -> Iterator[Wiring]:
    if isinstance(step, Step):
        yield tuple(_wires(step))
        return
    for inner in step.body:
        yield (["over", step.over.step, list(step.over.path)], *_wires(inner))


def _wires(step: Step) -> Iterator[JsonValue]:
    for key, value in step.args.fields:
        yield from _references(value, [key])


def _references(expression: Expression, where: list[JsonValue]) -> Iterator[JsonValue]:
    match expression:
        case Ref(step, path, name):
            yield [where, step, list(path), name]
        case Item(path, name):
            yield [where, "item", list(path), name]
        case Record(fields):
            for key, value in fields:
                yield from _references(value, [*where, key])
        case Array(items):
            for index, item in enumerate(items):
                yield from _references(item, [*where, index])
        case Concat(parts):
            for part in parts:
                yield from _references(part, where)
        case ShellWord(part):
            yield from _references(part, where)
        case Join(items):
            yield from _references(items, where)


def _inside(wires: Sequence[Wiring], offset: int, size: int) -> list[list[JsonValue]]:
    """Keep the references that stay within a window, its steps counted from its own beginning."""
    return [[_moved(wire, offset) for wire in step if _within(wire, offset, size)] for step in wires]


def _within(wire: JsonValue, offset: int, size: int) -> bool:
    return not isinstance(wire[1], int) or offset < wire[1] <= offset + size


def _moved(wire: JsonValue, offset: int) -> JsonValue:
    return [wire[0], wire[1] - offset if isinstance(wire[1], int) else wire[1], *wire[2:]]
