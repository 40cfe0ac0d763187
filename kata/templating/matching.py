"""From recorded calls back to inputs: the inverse of rendering, checked by rendering again."""

import re
from collections.abc import Iterator, Mapping, Sequence

import attrs

from ..json import JsonValue, same
from ..spec import Array, Concat, Expression, Input, Loop, Record, ShellWord, Spec, Step
from .calls import Call
from .errors import TemplateError
from .render import OPTION, Scope, render
from .shell import quote, unquote
from .transforms import as_text
from .values import fetch

_WORD = {
    "bare": r"[^\s;|&()<>'\"\\$`]+|'[^']*'(?:\"'\"'[^']*')*|''",
    "single": r"(?:[^']|'\\'')*",
    "double": r"(?:[^\"\\$`]|\\.)*",
}


def match(spec: Spec, calls: Sequence[Call]) -> dict[str, JsonValue] | None:
    """Recover the inputs with which the spec issues exactly these calls; None where none do.

    Results are taken from the calls. A loop takes as many rounds as its list has elements; none where it has more than
    the limit.
    """
    placed = list(_place(spec, calls))
    whole = [one for one in placed if one is not None and one.call.tool == one.step.tool]
    if not placed or len(whole) < len(placed):
        return None
    found = _Bindings({})
    if not all(found.bind(one.step.args, _recorded(one), one.scope) for one in whole) or not found.settle():
        return None
    values = found.values
    return values if all(_reproduces(one, values) for one in whole) else None


@attrs.frozen
class _Placed:
    step: Step
    call: Call
    scope: Scope


def _place(spec: Spec, calls: Sequence[Call]) -> Iterator[_Placed | None]:
    """Lay the calls along the steps, each with what its step could see; ends in None where they do not fit."""
    results: dict[int, JsonValue] = {}
    left = list(reversed(calls))
    number = 1
    for step in spec.steps:
        body, elements = _rounds(step, results)
        if elements is None or len(left) < len(elements) * len(body):
            yield None
            return
        answers: list[list[JsonValue]] = [[] for _ in body]
        for element in elements:
            for offset, inner in enumerate(body):
                call = left.pop()
                yield _Placed(inner, call, Scope(results=dict(results), element=element))
                results[number + offset] = call.result
                answers[offset].append(call.result)
        if isinstance(step, Loop):
            results |= {number + offset: found for offset, found in enumerate(answers)}
        number += len(body)
    if left:
        yield None


def _rounds(
    step: Step | Loop, results: Mapping[int, JsonValue]
) -> tuple[tuple[Step, ...], Sequence[JsonValue] | None]:
    if isinstance(step, Step):
        return (step,), (None,)
    try:
        elements = fetch(results[step.over.step], step.over.path)
    except LookupError:
        return step.body, None
    fits = isinstance(elements, list) and len(elements) <= step.limit
    return step.body, elements if fits else None


def _recorded(one: _Placed) -> dict[str, JsonValue]:
    return {key: value for key, value in one.call.args.items() if key not in one.step.ignores}


def _reproduces(one: _Placed, inputs: Mapping[str, JsonValue]) -> bool:
    try:
        return same(render(one.step.args, attrs.evolve(one.scope, inputs=inputs)), _recorded(one))
    except TemplateError:
        return False


@attrs.define
class _Bindings:
    """Inputs found so far; texts are read last, when the whole values among the inputs are known."""

    values: dict[str, JsonValue]
    _texts: list[tuple[Concat | ShellWord, str, Scope]] = attrs.Factory(list)

    def bind(self, expression: Expression, value: JsonValue, scope: Scope) -> bool:
        match expression:
            case Input(name):
                return same(self.values.setdefault(name, value), value)
            case Record(fields):
                return (
                    isinstance(value, dict)
                    and value.keys() == {key for key, _ in fields}
                    and all(self.bind(field, value[key], scope) for key, field in fields)
                )
            case Array(items):
                return (
                    isinstance(value, list)
                    and len(value) == len(items)
                    and all(map(self.bind, items, value, [scope] * len(items)))
                )
            case Concat() | ShellWord() if isinstance(value, str):
                self._texts.append((expression, value, scope))
                return True
            case _:
                return True

    def settle(self) -> bool:
        """Read the texts, those with the fewest unknown inputs first; tell whether all could be read."""
        pending = list(self._texts)
        while pending:
            pending.sort(key=lambda one: sum(name not in self.values for name in _names(one[0])))
            expression, text, scope = pending.pop(0)
            if not self._read(expression, text, scope):
                return False
        return True

    def _read(self, expression: Concat | ShellWord, text: str, scope: Scope) -> bool:
        names: dict[str, tuple[str, str | None]] = {}
        try:
            pattern = self._pattern(expression, scope, names)
        except TemplateError:
            return False
        found = re.fullmatch(pattern, text, re.DOTALL)
        if found is None:
            return False
        for group, (name, quoting) in names.items():
            raw = found[group]
            value = raw if quoting is None else unquote(raw, quoting)
            if value is None:
                return False
            self.values.setdefault(name, value)
        return True

    def _pattern(self, expression: Expression, scope: Scope, names: dict[str, tuple[str, str | None]]) -> str:
        pattern = ""
        for part in expression.parts if isinstance(expression, Concat) else (expression,):
            inner, quoting = (part.part, _quoting(part)) if isinstance(part, ShellWord) else (part, None)
            if isinstance(inner, Input) and inner.name not in self.values:
                pattern += _group(inner.name, quoting, names)
            else:
                text = as_text(render(inner, attrs.evolve(scope, inputs=self.values)))
                pattern += re.escape(text if quoting is None else quote(text, quoting))
        return pattern


def _group(name: str, quoting: str | None, names: dict[str, tuple[str, str | None]]) -> str:
    for group, (known, _) in names.items():
        if known == name:
            return f"(?P={group})"
    group = f"g{len(names)}"
    names[group] = (name, quoting)
    return f"(?P<{group}>{_WORD[quoting] if quoting else '.*?'})"


def _quoting(word: ShellWord) -> str:
    return "bare" if word.quoting == OPTION else word.quoting


def _names(expression: Expression) -> set[str]:
    parts = expression.parts if isinstance(expression, Concat) else (expression,)
    inner = (part.part if isinstance(part, ShellWord) else part for part in parts)
    return {part.name for part in inner if isinstance(part, Input)}
