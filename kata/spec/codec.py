"""The JSON form of a spec: an explicit ``kind`` beside each value, never guessed from field names (case B064)."""

from collections.abc import Callable, Mapping
from typing import Any

from ..errors import NewerKataError
from ..json import JsonObject, JsonValue
from .expressions import Array, Concat, Const, Expression, Input, Item, Join, Record, Ref, ShellWord
from .steps import (
    Exists,
    InputField,
    Length,
    Loop,
    NonEmpty,
    OneOf,
    Precondition,
    Spec,
    Step,
    StepOrLoop,
    ToolDigest,
)

FORMAT = 1


def dump_spec(spec: Spec) -> dict[str, JsonValue]:
    """Write a spec as JSON: the value that its digest is taken of."""
    return {
        "format": spec.format,
        "steps": [_dump_step(step) for step in spec.steps],
        "inputs": [{"name": one.name, "schema": one.schema, "required": one.required} for one in spec.inputs],
        "output": spec.output,
        "tools": [[one.tool, one.digest] for one in spec.tools],
    }


def load_spec(value: JsonObject) -> Spec:
    """Read a spec back.

    Raises:
        NewerKataError: its format, or an expression in it, is from a newer Kata.
    """
    if value.get("format") != FORMAT:
        raise NewerKataError(f"spec format {value.get('format')!r} is not known here")
    return Spec(
        steps=tuple(_load_step(step) for step in value["steps"]),
        inputs=tuple(InputField(**one) for one in value["inputs"]),
        output=value["output"],
        tools=tuple(ToolDigest(*one) for one in value["tools"]),
    )


def dump_expression(one: Expression) -> dict[str, JsonValue]:
    """Write one expression as JSON."""
    match one:
        case Const(value):
            return {"kind": "const", "value": value}
        case Input(name):
            return {"kind": "input", "name": name}
        case Ref(step, path, transform):
            return {"kind": "ref", "step": step, "path": list(path), "transform": transform}
        case Item(path, transform):
            return {"kind": "item", "path": list(path), "transform": transform}
        case Concat(parts):
            return {"kind": "concat", "parts": [dump_expression(part) for part in parts]}
        case Join(items, separator):
            return {"kind": "join", "items": dump_expression(items), "separator": separator}
        case ShellWord(part, quoting):
            return {"kind": "shell_word", "part": dump_expression(part), "quoting": quoting}
        case Record(fields):
            return {"kind": "record", "fields": [[key, dump_expression(value)] for key, value in fields]}
        case Array(items):
            return {"kind": "array", "items": [dump_expression(item) for item in items]}


_EXPRESSIONS: Mapping[str, Callable[[JsonObject], Expression]] = {
    "const": lambda one: Const(one["value"]),
    "input": lambda one: Input(one["name"]),
    "ref": lambda one: Ref(one["step"], tuple(one["path"]), one["transform"]),
    "item": lambda one: Item(tuple(one["path"]), one["transform"]),
    "concat": lambda one: Concat(tuple(map(load_expression, one["parts"]))),
    "join": lambda one: Join(load_expression(one["items"]), one["separator"]),
    "shell_word": lambda one: ShellWord(load_expression(one["part"]), one["quoting"]),
    "record": lambda one: Record(tuple((key, load_expression(value)) for key, value in one["fields"])),
    "array": lambda one: Array(tuple(map(load_expression, one["items"]))),
}


def load_expression(value: JsonObject) -> Expression:
    """Read one expression back.

    Raises:
        NewerKataError: its kind is not known here.
    """
    load = _EXPRESSIONS.get(value["kind"])
    if load is None:
        raise NewerKataError(f"expression kind {value['kind']!r} is not known here")
    return load(value)


def _dump_step(step: StepOrLoop) -> dict[str, JsonValue]:
    if isinstance(step, Loop):
        return {
            "kind": "loop",
            "over": dump_expression(step.over),
            "limit": step.limit,
            "body": [_dump_step(inner) for inner in step.body],
        }
    return {
        "kind": "step",
        "tool": step.tool,
        "args": dump_expression(step.args),
        "effect": step.effect,
        "accepts": list(step.accepts),
        "requires": [_dump_precondition(one) for one in step.requires],
        "ignores": list(step.ignores),
    }


def _load_step(value: JsonObject) -> StepOrLoop:
    if value["kind"] == "loop":
        over = load_expression(value["over"])
        assert isinstance(over, Ref)
        return Loop(
            over=over, limit=value["limit"], body=tuple(_load_plain_step(one) for one in value["body"])
        )
    return _load_plain_step(value)


def _load_plain_step(value: JsonObject) -> Step:
    if value["kind"] != "step":
        raise NewerKataError(f"step kind {value['kind']!r} is not known here")
    args = load_expression(value["args"])
    assert isinstance(args, Record)
    return Step(
        tool=value["tool"],
        args=args,
        effect=value["effect"],
        accepts=tuple(value["accepts"]),
        requires=tuple(map(_load_precondition, value["requires"])),
        ignores=tuple(value["ignores"]),
    )


def _dump_precondition(one: Precondition) -> dict[str, JsonValue]:
    place: dict[str, Any] = {"step": one.step, "path": list(one.path)}
    match one:
        case Exists():
            return {"kind": "exists", **place}
        case Length():
            return {"kind": "length", **place, "exactly": one.exactly}
        case NonEmpty():
            return {"kind": "non_empty", **place}
        case OneOf():
            return {"kind": "one_of", **place, "values": list(one.values)}


_PRECONDITIONS: Mapping[str, Callable[[JsonObject], Precondition]] = {
    "exists": lambda one: Exists(one["step"], tuple(one["path"])),
    "length": lambda one: Length(one["step"], tuple(one["path"]), one["exactly"]),
    "non_empty": lambda one: NonEmpty(one["step"], tuple(one["path"])),
    "one_of": lambda one: OneOf(one["step"], tuple(one["path"]), tuple(one["values"])),
}


def _load_precondition(value: JsonObject) -> Precondition:
    load = _PRECONDITIONS.get(value["kind"])
    if load is None:
        raise NewerKataError(f"precondition kind {value['kind']!r} is not known here")
    return load(value)
