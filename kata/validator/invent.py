"""Inputs and results for a rehearsal without recordings: just what the version's own expressions ask for (case B042)."""

from collections.abc import Iterator
from typing import Any

from ..json import JsonObject, JsonValue, Path
from ..schemas import SchemaError, accepts
from ..spec import (
    Array,
    Concat,
    Expression,
    Item,
    Join,
    Length,
    Loop,
    OneOf,
    Precondition,
    Record,
    Ref,
    ShellWord,
    Spec,
    Step,
)

WORD = "example"
_BY_TYPE: dict[str, JsonValue] = {
    "string": WORD,
    "integer": 7,
    "number": 7.5,
    "boolean": True,
    "null": None,
    "array": [WORD],
    "object": {},
}


def invent_inputs(spec: Spec) -> dict[str, JsonValue]:
    """Make a value for every input."""
    return {one.name: _of_schema(one.schema) for one in spec.inputs}


def _of_schema(schema: JsonObject) -> JsonValue:
    if "default" in schema:
        return schema["default"]
    if isinstance(schema.get("enum"), list) and schema["enum"]:
        return schema["enum"][0]
    kinds = schema.get("type", "string")
    candidates = [_BY_TYPE.get(kind, WORD) for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    return next((one for one in candidates if _fits(schema, one)), candidates[0])


def _fits(schema: JsonObject, value: JsonValue) -> bool:
    try:
        return accepts(schema, value)
    except SchemaError:
        return False


def invent_results(spec: Spec) -> list[JsonValue]:
    """Make the result of every call in order, as rich as the later steps need; a loop goes over two elements."""
    wants = _Wants()
    for one in spec.steps:
        wants.add_step(one)
    results: list[JsonValue] = []
    number = 1
    for one in spec.steps:
        body = one.body if isinstance(one, Loop) else (one,)
        rounds = min(2, one.limit) if isinstance(one, Loop) else 1
        results += [wants.result(number + offset) for _ in range(rounds) for offset in range(len(body))]
        number += len(body)
    return results


class _Wants:
    """What later expressions want at which place of which result."""

    def __init__(self) -> None:
        self._trees: dict[int, Any] = {}

    def add_step(self, one: Step | Loop) -> None:
        for step in one.body if isinstance(one, Loop) else (one,):
            for source, value in _sources(step.args):
                if isinstance(source, Ref):
                    self._want(source.step, source.path, value)
            for required in step.requires:
                self._want(required.step, required.path, _required(required))
        if isinstance(one, Loop):
            items = [
                place for step in one.body for place, _ in _sources(step.args) if isinstance(place, Item)
            ]
            self._want(one.over.step, one.over.path, [_element(items)] * min(2, one.limit))

    def result(self, number: int) -> JsonValue:
        return self._trees.get(number, {"ok": True})

    def _want(self, number: int, path: Path, value: JsonValue) -> None:
        self._trees[number] = _planted(self._trees.get(number), path, value)


def _element(items: list[Item]) -> JsonValue:
    element: Any = None
    for item in items:
        element = _planted(element, item.path, WORD)
    return WORD if element is None else element


def _planted(tree: Any, path: Path, value: JsonValue) -> Any:
    """Return a tree with a value at a path; what stands there already and is richer stays."""
    if not path:
        return value if tree is None or (isinstance(value, list) and not isinstance(tree, list)) else tree
    part, rest = path[0], path[1:]
    if isinstance(part, int):
        filled = list(tree) if isinstance(tree, list) else []
        filled += [None] * (part + 1 - len(filled))
        filled[part] = _planted(filled[part], rest, value)
        return [filled[part] if one is None else one for one in filled]
    found = dict(tree) if isinstance(tree, dict) else {}
    return {**found, part: _planted(found.get(part), rest, value)}


def _required(one: Precondition) -> JsonValue:
    match one:
        case Length(exactly=exactly):
            return [WORD] * exactly
        case OneOf(values=values):
            return values[0]
        case _:
            return WORD


def _sources(one: Expression) -> Iterator[tuple[Ref | Item, JsonValue]]:
    match one:
        case Ref() | Item():
            yield one, WORD
        case Join(Ref() as items):
            yield items, [WORD]
        case Join(ShellWord(Ref() as items)):
            yield items, [WORD]
        case Concat(parts):
            for part in parts:
                yield from _sources(part)
        case ShellWord(part):
            yield from _sources(part)
        case Record(fields):
            for _, value in fields:
                yield from _sources(value)
        case Array(items):
            for item in items:
                yield from _sources(item)
