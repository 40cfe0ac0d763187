"""Checks of the tools that a version calls: whether they are here, and whether their calls can be replayed at all."""

from collections.abc import Iterator, Mapping
from typing import Any

from ..effects import classify, mentions_kata
from ..effects.classes import INTERACTIVE
from ..json import JsonValue, Path, canonical, show_path
from ..redact import is_truncated
from ..schemas import Call as SchemaCall
from ..schemas import SchemaError, schema_digest, violations
from ..spec import Array, Const, Expression, Record, Step, flat_steps
from .report import Verdict, failed, passed, warning
from .subject import Subject

NOT_COMPILABLE: Mapping[str, str] = {
    **dict.fromkeys(("todo_list", "memory", "delegate_task"), "is bound to the agent's own loop"),
    "clarify": "asks the user",
    **dict.fromkeys(("tool_search", "tool_describe", "tool_call"), "is a bridge, not a tool"),
    **dict.fromkeys(
        ("todo", "process", "cronjob", "tour", "tip"), "is an old name that the host does not dispatch"
    ),
}
"""Tools whose calls cannot be replayed outside the agent's loop, and why."""

PREFIX = "kata_"


def tools_available(subject: Subject) -> Verdict:
    """Check that every tool is here, with the schema it had when recorded, or one that still takes the calls."""
    recorded = {one.tool: one.digest for one in subject.spec.tools}
    notes: list[str] = []
    for tool in dict.fromkeys(step.tool for step in flat_steps(subject.spec)):
        schema = subject.schemas.get(tool)
        if schema is None:
            return failed(f"{tool} is not here")
        if not recorded.get(tool) or recorded[tool] == schema_digest(schema):
            continue
        fault = next(_rejected(subject, tool, schema), None)
        if fault is not None:
            return failed(fault)
        notes.append(f"the schema of {tool} changed since it was recorded; the recorded calls still meet it")
    return (
        warning("; ".join(notes))
        if notes
        else passed("every tool is here with the schema it was recorded with")
    )


def _rejected(subject: Subject, tool: str, schema: JsonValue) -> Iterator[str]:
    for call in _calls_of(subject, tool):
        try:
            faults = violations(schema, dict(call.args))
        except SchemaError as error:
            yield f"the schema of {tool} cannot be used: {error}"
            return
        for fault in faults:
            if not any(fault.path[: len(path)] == path for path in call.unknown):
                yield f"{tool}: {show_path(fault.path) or 'arguments'}: {fault.message}"


def _calls_of(subject: Subject, tool: str) -> Iterator[SchemaCall]:
    for example in subject.examples:
        yield from (SchemaCall(args=call.args) for call in example if call.tool == tool)
    yield from (skeleton(step) for step in flat_steps(subject.spec) if step.tool == tool)


def skeleton(step: Step) -> SchemaCall:
    """Return a step's call as far as its constants say it; the rest is unknown until it runs."""
    unknown: set[Path] = set()
    return SchemaCall(args=_skeleton(step.args, (), unknown), unknown=frozenset(unknown))


def _skeleton(one: Expression, path: Path, unknown: set[Path]) -> Any:
    match one:
        case Const(value):
            return value
        case Record(fields):
            return {key: _skeleton(value, (*path, key), unknown) for key, value in fields}
        case Array(items):
            return [_skeleton(item, (*path, at), unknown) for at, item in enumerate(items)]
        case _:
            unknown.add(path)
            return None


def compilable_tools(subject: Subject) -> Verdict:
    """Check that every step can be replayed outside the agent's loop, and none reaches for Kata itself."""
    for number, step in enumerate(flat_steps(subject.spec), 1):
        reason = _obstacle(step)
        if reason is not None:
            return failed(f"step {number}: {reason}")
    return passed()


def _obstacle(step: Step) -> str | None:
    if step.tool in NOT_COMPILABLE:
        return f"{step.tool} {NOT_COMPILABLE[step.tool]}"
    if step.tool.startswith(PREFIX):
        return f"{step.tool} is a compiled tool itself"
    known = _skeleton(step.args, (), set())
    if is_truncated(_all_text(known)):
        return "a value was cut when it was recorded"
    reached = mentions_kata(known)
    if reached is not None:
        return reached
    return "waits for a person at a terminal" if INTERACTIVE in classify(step.tool, known).flags else None


def _all_text(value: JsonValue) -> str:
    """Write every text in a value one after another, marks as they are."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return " ".join(map(_all_text, (*value, *value.values())))
    return " ".join(map(_all_text, value)) if isinstance(value, list) else canonical(value)
