"""What a reviewer is told of each argument, and warned of (issue 3, ``why``)."""

from collections.abc import Iterator, Mapping, Sequence

from ..effects import Effect, shell_command
from ..json import JsonValue, dumps, show_path
from ..redact import has_host_mask
from ..spec import Concat, Const, Input, Ref, Spec, Step
from ..templating import Template, show, show_source
from ..templating.arguments import CONSTANT, INPUT, REFERENCE, Leaf, walk_expression
from ..templating.generalise import Drafted
from ..templating.guards import first_of_many
from ..templating.loops import DraftedLoop
from .evidence import Example
from .looped import LoopedRoutine
from .timebound import looks_bound, shortened
from .types import ArgumentNote

READS = (Effect.READ, Effect.NETWORK_READ)
SHOWN = 8
"""Alternatives that a note names."""


def argument_notes(steps: Sequence[Drafted], count: int) -> tuple[ArgumentNote, ...]:
    """Say of each argument leaf what it became, why, and what else would explain it."""
    return tuple(note for step in steps for note in _notes(step, count))


def _notes(step: Drafted, count: int) -> Iterator[ArgumentNote]:
    for leaf in step.leaves:
        yield ArgumentNote(
            step=step.number,
            path=show_path(leaf.path),
            became=leaf.became,
            reason=_reason(leaf, count),
            values=leaf.values,
            alternatives=tuple(show_source(source) for source in leaf.ambiguous[:SHOWN]),
        )
    for key in step.ignores:
        yield ArgumentNote(
            step=step.number, path=key, became="ignored", reason="it only says what the call does", values=0
        )


def _reason(leaf: Leaf, count: int) -> str:
    if leaf.became == CONSTANT:
        also = "; an earlier result held it too, and never another" if leaf.ambiguous else _runner_up(leaf)
        return f"the same in all {count} conversations{also}"
    if leaf.became == REFERENCE:
        found = f"equals {show(leaf.expression)} in all {count} conversations, {_values(leaf.values)}"
        return found + ("" if leaf.ambiguous else _runner_up(leaf))
    if leaf.became == INPUT:
        return _why_input(leaf)
    return f"text made as {show(leaf.expression)}, {_values(leaf.values)}"


def _why_input(leaf: Leaf) -> str:
    if leaf.shared:
        return f"always the same as the input {show(leaf.expression)}"
    return f"{_values(leaf.values)}, which nothing earlier explains{_runner_up(leaf)}"


def _runner_up(leaf: Leaf) -> str:
    """Name what nearly explains an argument; sources that explain it wholly are told of as alternatives."""
    return f"; runner-up {show_source(leaf.nearly[0])}, in all but one" if leaf.nearly else ""


def _values(count: int) -> str:
    return "1 value" if count == 1 else f"{count} distinct values"


def loop_notes(routine: LoopedRoutine) -> tuple[ArgumentNote, ...]:
    """Say what each loop goes over, and how long the lists were."""
    seen = ", ".join(map(str, routine.lengths))
    return tuple(
        ArgumentNote(
            step=part.number,
            path="for each",
            became=REFERENCE,
            reason=f"walks {show_source(part.over)} from the first element to the last; lists of {seen} were seen",
            values=len(routine.lengths),
        )
        for part in routine.template.parts
        if isinstance(part, DraftedLoop)
    )


def warnings(template: Template, spec: Spec, examples: Sequence[Example]) -> tuple[str, ...]:
    """List what a reviewer must see before saying yes."""
    results = {at + 1: [example[at].result for example in examples] for at in range(len(template.steps))}
    found: list[str] = []
    for drafted, step in zip(template.steps, spec.steps, strict=True):
        assert isinstance(step, Step)
        found += step_warnings(drafted, step, results)
    return tuple(dict.fromkeys(found))


def step_warnings(drafted: Drafted, step: Step, results: Mapping[int, Sequence[JsonValue]]) -> Iterator[str]:
    """Yield the warnings of one step."""
    where = f"step {drafted.number} ({drafted.tool})"
    if step.effect not in READS:
        yield from _ambiguous(where, drafted)
    yield from _by_place(where, drafted, results)
    yield from _bound(where, drafted)
    yield from _placeholders(where, drafted)
    yield from _free_text(where, drafted)


def _ambiguous(where: str, drafted: Drafted) -> Iterator[str]:
    for leaf in drafted.leaves:
        if leaf.ambiguous:
            others = ", ".join(show_source(source) for source in leaf.ambiguous[:SHOWN])
            yield f"{where} has an effect and {show_path(leaf.path)} is ambiguous: {show(leaf.expression)}, or {others}"


def _by_place(where: str, drafted: Drafted, results: Mapping[int, Sequence[JsonValue]]) -> Iterator[str]:
    for part in walk_expression(drafted.args):
        if isinstance(part, Ref) and first_of_many(part, results.get(part.step, ())):
            yield f"{where} takes {show_source(part)} by its place in a list of several"


def _bound(where: str, drafted: Drafted) -> Iterator[str]:
    for part in walk_expression(drafted.args):
        found = looks_bound(part.value) if isinstance(part, Const) else None
        if found is not None:
            kind, word = found
            yield f"{where} holds {kind}, which looks bound to a time or a run: {dumps(word)}"


def _placeholders(where: str, drafted: Drafted) -> Iterator[str]:
    """Warn of what looks masked and is let through, since it goes into a sample file (case B072)."""
    for part in walk_expression(drafted.args):
        if isinstance(part, Const) and has_host_mask(part.value):
            yield f"{where} writes what looks like a masked value: {shortened(show(part))}"


def _free_text(where: str, drafted: Drafted) -> Iterator[str]:
    """Warn of inputs that are pasted into a command as they are (only where no word of their own could be found)."""
    for key, value in drafted.args.fields:
        if isinstance(value, Concat) and shell_command(drafted.tool, {key: "x"}) is not None:
            for part in value.parts:
                if isinstance(part, Input):
                    yield f"{where} takes {show(part)} as free shell text"


def setting_warnings(days: Sequence[str], conversations: Sequence[str]) -> tuple[str, ...]:
    """Warn of evidence that is less than it seems: one day, or scheduled jobs alone (cases B006, B038)."""
    found: list[str] = []
    if len(set(days)) == 1 and len(conversations) > 1:
        found.append(f"all of the evidence is from one day ({days[0]})")
    jobs = sorted({one.removeprefix("job:") for one in conversations if one.startswith("job:")})
    if len(jobs) == len(set(conversations)):
        found.append(f"seen only in scheduled job {', '.join(jobs)}")
    return tuple(found)


def otherwise_warnings(against: int, support: int) -> tuple[str, ...]:
    """Warn that the same tools were also used in another way."""
    return (
        (f"in {against} of {against + support} conversations the same tools were used otherwise",)
        if against
        else ()
    )
