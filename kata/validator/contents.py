"""Checks of what stands in a version: secrets, tools, effects."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from ..effects import Classification, Effect, classify, exceeds, mentions_kata
from ..effects.classes import INTERACTIVE, RUNS_CODE, SENSITIVE_PATH
from ..json import JsonValue, Path, canonical, show_path
from ..redact import Masker, find_masks, has_host_mask, is_truncated
from ..schemas import Call as SchemaCall
from ..schemas import SchemaError, schema_digest, violations
from ..spec import Array, Concat, Const, Expression, Loop, OneOf, Record, Spec, Step, dump_spec, flat_steps
from ..templating import Scope, TemplateError, render_step
from .parts import parts_of
from .report import Verdict, failed, not_run, passed, warning
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
SAMPLES = ("example", "sample", "template", ".dist")
"""Names of files in which a placeholder is what belongs there."""

_KEY = b"only to look for secrets, never to store a mark"


def no_secrets(subject: Subject) -> Verdict:
    """Check that no constant holds a credential, a mark of Kata's or a placeholder of the host's (case B072)."""
    masker = Masker(_KEY)
    doubts: list[str] = []
    for where, value, args in _constants(subject.spec):
        if find_masks(value):
            return failed(f"{where} holds a masked value")
        if has_host_mask(value):
            if not _belongs_to_a_sample(args):
                return failed(f"{where} holds a masked value")
            doubts.append(f"{where} holds what looks like a masked value")
        elif masker.mask(value).found:
            return failed(f"{where} holds a credential")
    if masker.mask(_without_steps(subject.spec)).found or find_masks(_without_steps(subject.spec)):
        return failed("a schema or precondition holds a credential")
    return warning("; ".join(doubts)) if doubts else passed("no credential and no masked value")


def _belongs_to_a_sample(args: Record) -> bool:
    texts = [
        value.value for key, value in args.fields if key in ("path", "file") and isinstance(value, Const)
    ]
    return any(
        isinstance(text, str) and mark in text.rsplit("/", 1)[-1] for text in texts for mark in SAMPLES
    )


def _constants(spec: Spec) -> Iterator[tuple[str, JsonValue, Record]]:
    for number, step in enumerate(flat_steps(spec), 1):
        for path, value in _constant_parts(step.args, ()):
            yield f"step {number}.{show_path(path)}", value, step.args
        for one in step.requires:
            if isinstance(one, OneOf):
                yield f"step {number}'s precondition", list(one.values), step.args


def _constant_parts(one: Expression, path: Path) -> Iterator[tuple[Path, JsonValue]]:
    match one:
        case Const(value):
            yield path, value
        case Concat(parts):
            for part in parts:
                yield from _constant_parts(part, path)
        case Record(fields):
            for key, value in fields:
                yield from _constant_parts(value, (*path, key))
        case Array(items):
            for at, item in enumerate(items):
                yield from _constant_parts(item, (*path, at))


def _without_steps(spec: Spec) -> JsonValue:
    return {key: value for key, value in dump_spec(spec).items() if key in ("inputs", "output")}


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
    if is_truncated(canonical_text(known)):
        return "a value was cut when it was recorded"
    reached = mentions_kata(known)
    if reached is not None:
        return reached
    return "waits for a person at a terminal" if INTERACTIVE in classify(step.tool, known).flags else None


def canonical_text(value: JsonValue) -> str:
    """Write every text in a value one after another, marks as they are."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return " ".join(map(canonical_text, (*value, *value.values())))
    return " ".join(map(canonical_text, value)) if isinstance(value, list) else canonical(value)


def recorded_examples(subject: Subject) -> Verdict:
    """Check that there are recordings to check against, with the calls of the version."""
    kept, wanted = len(subject.examples), max(subject.wanted, len(subject.examples))
    if not kept:
        return not_run("examples expired")
    if any(parts_of(subject.spec, example) is None for example in subject.examples):
        return failed("an example has other calls than the version")
    if kept < wanted:
        return warning(f"{kept} of {wanted} examples are still kept")
    return passed(f"{kept} examples")


def side_effects(subject: Subject) -> Verdict:
    """Check that no recorded or re-rendered call does more than its step says, and tell what the steps do."""
    flags: dict[str, None] = {}
    for number, step, found in _classified(subject):
        if exceeds(found.effect, Effect(step.effect)):
            return failed(f"step {number} is {found.effect} ({found.reason}), not {step.effect}")
        flags.update(
            (f"step {number} {flag}", None) for flag in found.flags if flag in (RUNS_CODE, SENSITIVE_PATH)
        )
    counts = Counter(step.effect for step in flat_steps(subject.spec))
    told = ", ".join(f"{counts[one.value]} {one.value}" for one in Effect if counts[one.value])
    return warning("; ".join((told, *flags))) if flags else passed(told)


def _classified(subject: Subject) -> Iterator[tuple[int, Step, Classification]]:
    for number, step in enumerate(flat_steps(subject.spec), 1):
        call = skeleton(step)
        if not call.unknown:
            yield number, step, classify(step.tool, call.args)
    for inputs, example in subject.matched:
        yield from _of_example(subject.spec, inputs, [call.result for call in example])


def _of_example(
    spec: Spec, inputs: Any, results: list[JsonValue]
) -> Iterator[tuple[int, Step, Classification]]:
    if any(isinstance(one, Loop) for one in spec.steps):
        return
    known = dict(enumerate(results, 1))
    for number, step in enumerate(flat_steps(spec), 1):
        try:
            args = render_step(step, Scope(inputs=inputs, results=known))
        except TemplateError:
            continue
        yield number, step, classify(step.tool, args)
