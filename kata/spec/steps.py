"""Steps, loops, learned preconditions and the whole of one version."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import attrs

from ..json import JsonObject, JsonValue, Path
from .expressions import Expression, Record, Ref


@attrs.frozen
class Exists:
    """The result of a step has something at a path."""

    step: int
    path: Path


@attrs.frozen
class Length:
    """The list at a path has exactly this many elements, as in every recording (case B041)."""

    step: int
    path: Path
    exactly: int


@attrs.frozen
class NonEmpty:
    """The list or text at a path is not empty."""

    step: int
    path: Path


@attrs.frozen
class OneOf:
    """The value at a path is one of those seen."""

    step: int
    path: Path
    values: tuple[JsonValue, ...]


Precondition: TypeAlias = Exists | Length | NonEmpty | OneOf


@attrs.frozen(kw_only=True)
class Step:
    """One call: a tool, how its arguments are made, and what must hold before it is dispatched.

    Attributes:
        effect: The class (``kata.effects``) of the recorded calls, the most serious of them.
        accepts: Exit codes that the recordings ended with; a run may end with these (case B024).
        ignores: Argument keys of free text that the template leaves out and matching passes over.
    """

    tool: str
    args: Record
    effect: str
    accepts: tuple[int, ...] = (0,)
    requires: tuple[Precondition, ...] = ()
    ignores: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class Loop:
    """Steps done once for each element of an earlier list, at most ``limit`` times.

    Inside the body ``Ref.step`` counts on: the first body step has the loop's own number, the next one more, and so on; a
    reference into the body means the same element's result.
    """

    over: Ref
    limit: int
    body: tuple[Step, ...]


StepOrLoop: TypeAlias = Step | Loop


@attrs.frozen(kw_only=True)
class InputField:
    """An input: its name, its JSON Schema, and the default where one was learned."""

    name: str
    schema: JsonObject = attrs.field(hash=False)
    required: bool = True


@attrs.frozen
class ToolDigest:
    """The schema that a tool had when it was recorded (SHA-256 over canonical JSON; empty where unknown)."""

    tool: str
    digest: str


@attrs.frozen(kw_only=True)
class Spec:
    """One version of a compiled routine: all that its digest covers (design 4)."""

    steps: tuple[StepOrLoop, ...]
    inputs: tuple[InputField, ...] = ()
    output: JsonObject = attrs.field(factory=dict, hash=False)
    tools: tuple[ToolDigest, ...] = ()
    format: int = 1

    def input_schema(self, names: Mapping[str, str] | None = None) -> dict[str, Any]:
        """Return the JSON Schema object that the compiled tool's arguments must meet.

        Args:
            names: What an approval calls inputs, by the name that they have here.
        """
        fields = [((names or {}).get(field.name, field.name), field) for field in self.inputs]
        return {
            "type": "object",
            "properties": {name: dict(field.schema) for name, field in fields},
            "required": [name for name, field in fields if field.required],
            "additionalProperties": False,
        }


def flat_steps(spec: Spec) -> Iterator[Step]:
    """Yield every step in order, the bodies of loops once."""
    for step in spec.steps:
        if isinstance(step, Loop):
            yield from step.body
        else:
            yield step


def step_shapes(spec: Spec) -> tuple[dict[str, Any], ...]:
    """Return what ``list --json`` says of each step: ``{tool}`` or ``{tool, for_each, body}``."""
    return tuple(_shape(step) for step in spec.steps)


def _shape(step: StepOrLoop) -> dict[str, Any]:
    if isinstance(step, Step):
        return {"tool": step.tool}
    source: Expression = step.over
    assert isinstance(source, Ref)
    return {
        "tool": step.body[0].tool,
        "for_each": {"step": source.step, "path": list(source.path)},
        "body": [{"tool": inner.tool} for inner in step.body],
    }
