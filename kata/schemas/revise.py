"""The mechanical revision of a routine after a tool's schema changed (design 4, "Revision by schema").

A removed property is dropped where it was constant; a new required one, or a narrowed one, becomes an input. What needs
judgement is not edited: then there is no revision, and the routine is stale without one.
"""

from collections.abc import Iterator, Sequence

import attrs

from ..json import JsonObject, JsonValue, resolve
from ..spec import (
    Array,
    Concat,
    Const,
    Expression,
    Input,
    InputField,
    Join,
    Loop,
    Record,
    ShellWord,
    Spec,
    Step,
    StepOrLoop,
    ToolDigest,
    flat_steps,
)
from .change import Change
from .form import parameters, schema_digest


@attrs.frozen(kw_only=True)
class Revision:
    """A revised spec and, one line each, what was done to it."""

    spec: Spec
    edits: tuple[str, ...]


class _NoEditError(Exception):
    """No mechanical edit answers a change."""


def revise(
    spec: Spec, tool: str, schema: JsonValue, found: Sequence[Change], digest: str | None = None
) -> Revision | None:
    """Rewrite a spec so that it meets a tool's new schema; None where no mechanical edit does.

    Args:
        spec: The version that went stale.
        tool: The tool whose schema changed.
        schema: Its new schema.
        found: The changes that matter (`matters`).
        digest: What to write beside the tool, where it is not `schema_digest` of the schema.
    """
    editor = _Editor(tool, parameters(schema), found, list(spec.inputs))
    try:
        steps = tuple(editor.step_or_loop(one) for one in spec.steps)
    except _NoEditError:
        return None
    digests = tuple(
        ToolDigest(one.tool, digest or schema_digest(parameters(schema))) if one.tool == tool else one
        for one in spec.tools
    )
    revised = attrs.evolve(spec, steps=steps, tools=digests)
    used = {name for step in flat_steps(revised) for name in _inputs_of(step.args)}
    inputs = tuple(one for one in editor.inputs if one.name in used)
    return Revision(spec=attrs.evolve(revised, inputs=inputs), edits=tuple(dict.fromkeys(editor.edits)))


class _Editor:
    """Apply the changes of one tool to every step that calls it."""

    def __init__(
        self, tool: str, schema: JsonValue, found: Sequence[Change], inputs: list[InputField]
    ) -> None:
        self._tool = tool
        self._schema = schema
        self._found = found
        self.inputs = inputs
        self.edits: list[str] = []

    def step_or_loop(self, one: StepOrLoop) -> StepOrLoop:
        if isinstance(one, Loop):
            return attrs.evolve(one, body=tuple(self._step(step) for step in one.body))
        return self._step(one)

    def _step(self, step: Step) -> Step:
        if step.tool != self._tool:
            return step
        args = step.args
        for change in self._found:
            args = self._apply(args, change, change.path)
        return attrs.evolve(step, args=args)

    def _apply(self, record: Record, change: Change, path: tuple[str, ...]) -> Record:
        if not path:
            raise _NoEditError
        fields = dict(record.fields)
        if len(path) > 1:
            inner = fields.get(path[0])
            if inner is None and change.kind == "gone":
                return record
            if not isinstance(inner, Record):
                raise _NoEditError
            fields[path[0]] = self._apply(inner, change, path[1:])
        elif change.kind == "gone":
            self._drop(fields, path[0], change)
        elif change.kind in ("required", "narrowed"):
            self._make_input(fields, path[0], change)
        else:
            raise _NoEditError
        return Record(tuple(fields.items()))

    def _drop(self, fields: dict[str, Expression], name: str, change: Change) -> None:
        held = fields.get(name)
        if held is None:
            return
        if not _is_constant(held):
            raise _NoEditError
        del fields[name]
        self.edits.append(f"{self._tool}.{'.'.join(change.path)} is no longer given")

    def _make_input(self, fields: dict[str, Expression], name: str, change: Change) -> None:
        held = fields.get(name)
        if (held is None and change.kind == "narrowed") or (held is not None and change.kind == "required"):
            return
        if isinstance(held, Input):
            self._retype(held.name, change)
        else:
            fields[name] = Input(self._new_input(change))

    def _retype(self, name: str, change: Change) -> None:
        wanted = self._schema_at(change.path)
        self.inputs = [attrs.evolve(one, schema=wanted) if one.name == name else one for one in self.inputs]
        self.edits.append(f"input {name} follows the new schema")

    def _new_input(self, change: Change) -> str:
        name = _free_name(change.path[-1], {one.name for one in self.inputs})
        self.inputs.append(InputField(name=name, schema=self._schema_at(change.path)))
        self.edits.append(f"{self._tool}.{'.'.join(change.path)} becomes the input {name}")
        return name

    def _schema_at(self, path: tuple[str, ...]) -> JsonObject:
        steps = [part for name in path for part in ("properties", name)]
        try:
            found = resolve(self._schema, steps)
        except LookupError:
            return {}
        return found if isinstance(found, dict) else {}


def _free_name(name: str, taken: set[str]) -> str:
    numbered = (name if number == 1 else f"{name}_{number}" for number in range(1, len(taken) + 2))
    return next(one for one in numbered if one not in taken)


def _is_constant(one: Expression) -> bool:
    match one:
        case Const():
            return True
        case Record(fields):
            return all(_is_constant(value) for _, value in fields)
        case Array(items):
            return all(map(_is_constant, items))
    return False


def _inputs_of(one: Expression) -> Iterator[str]:
    match one:
        case Input(name):
            yield name
        case Concat(parts):
            for part in parts:
                yield from _inputs_of(part)
        case Join(items):
            yield from _inputs_of(items)
        case ShellWord(part):
            yield from _inputs_of(part)
        case Record(fields):
            for _, value in fields:
                yield from _inputs_of(value)
        case Array(items):
            for item in items:
                yield from _inputs_of(item)
