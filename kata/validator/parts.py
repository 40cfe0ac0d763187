"""A recording laid along a version: plain calls, and the rounds of its loops."""

from collections.abc import Iterator, Sequence

from ..json import JsonValue
from ..spec import Loop, Spec, Step
from ..templating import Call, decode_result, fetch, ignored_keys
from ..templating.generalise import generalise
from ..templating.loops import Part, Rounds, generalise_loops

Example = tuple[Call, ...]


def parts_of(spec: Spec, example: Sequence[Call]) -> list[Part] | None:
    """Lay calls along the steps; a loop takes as many rounds as its list is long. None where they do not fit."""
    parts: list[Part] = []
    results: dict[int, JsonValue] = {}
    number, at = 1, 0
    for one in spec.steps:
        body = one.body if isinstance(one, Loop) else (one,)
        rounds = _rounds(one, results) if isinstance(one, Loop) else 1
        wanted = [step.tool for step in body] * rounds
        calls = tuple(example[at : at + len(wanted)])
        if [call.tool for call in calls] != wanted:
            return None
        parts.append(_cut(calls, len(body)) if isinstance(one, Loop) else calls[0])
        if isinstance(one, Step):
            results[number] = calls[0].result
        number, at = number + len(body), at + len(wanted)
    return parts if at == len(example) else None


def _rounds(loop: Loop, results: dict[int, JsonValue]) -> int:
    try:
        found = fetch(results[loop.over.step], loop.over.path)
    except LookupError:
        return 0
    found = decode_result(found) if isinstance(found, str) else found
    return min(len(found), loop.limit) if isinstance(found, list) else 0


def _cut(calls: Example, size: int) -> Rounds:
    return Rounds(tuple(calls[at : at + size] for at in range(0, len(calls), size)))


def recorded_output(spec: Spec, example: Sequence[Call]) -> JsonValue:
    """Return what a run would have given for a recording: the last step's result, a list of them after a loop."""
    parts = parts_of(spec, example)
    last = parts[-1] if parts else example[-1]
    return [calls[-1].result for calls in last.calls] if isinstance(last, Rounds) else last.result


def hold_out_each(spec: Spec, examples: Sequence[Example]) -> float | None:
    """Hold every example out once and return the share that the others' template reproduces (design 6.7).

    None where that cannot be said: fewer than two examples, or examples that are not alike.
    """
    laid = [parts_of(spec, example) for example in examples]
    if len(laid) < 2 or any(parts is None or not _is_alike(parts, laid[0] or []) for parts in laid):
        return None
    overs = {at: one.over for at, one in enumerate(spec.steps) if isinstance(one, Loop)}
    if not overs:
        return generalise(examples).fit_rate
    template = generalise_loops([parts for parts in laid if parts is not None], overs)
    return None if template is None else template.fit_rate


def _is_alike(parts: Sequence[Part], first: Sequence[Part]) -> bool:
    """Tell whether all calls at one place have the same argument keys, and every loop went round at least once."""
    return all(keys == other for keys, other in zip(_keys(parts), _keys(first), strict=True))


def _keys(parts: Sequence[Part]) -> Iterator[list[frozenset[str]]]:
    for part in parts:
        calls = (part.calls[0] if part.calls else ()) if isinstance(part, Rounds) else (part,)
        yield [frozenset(call.args) - ignored_keys(call.tool, call.args) for call in calls]
