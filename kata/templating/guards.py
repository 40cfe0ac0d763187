"""What was true in every recording, and must be before a step that rests on it (cases B041; design 8)."""

from collections.abc import Iterator, Mapping, Sequence

from ..effects import Effect
from ..json import JsonValue, Path, same
from ..spec import Concat, Expression, Length, NonEmpty, OneOf, Precondition, Ref, ShellWord
from .arguments import walk_expression
from .calls import Call
from .values import fetch

STATUS_KEYS = frozenset({"status", "state", "conclusion", "outcome", "phase"})
"""Fields that say whether things stand as they should; elsewhere a value that never changed is no rule."""

MAX_STATES = 3


def learn_guards(
    args: Expression, effect: str, results: Mapping[int, Sequence[JsonValue]]
) -> tuple[Precondition, ...]:
    """Learn what must hold before a step is dispatched.

    Args:
        args: The step's argument template.
        effect: Its effect class.
        results: The decoded results of the earlier steps, by number, one an example.
    """
    found = [
        guard
        for ref, inside in _refs(args)
        if ref.step in results
        for guard in _of_reference(ref, results, inside_text=inside)
    ]
    used = {ref.step for ref, _ in _refs(args)} & results.keys()
    if effect not in (Effect.READ, Effect.NETWORK_READ):
        used = set(results)
    found += [guard for step in sorted(used) for guard in _states(step, results[step])]
    return tuple(dict.fromkeys(found))


def holds(guard: Precondition, results: Mapping[int, JsonValue]) -> bool:
    """Tell whether a learned precondition holds for some results."""
    found = _fetched(results.get(guard.step), guard.path)
    match guard:
        case Length(exactly=exactly):
            return isinstance(found, list) and len(found) == exactly
        case OneOf(values=values):
            return any(same(found, value) for value in values)
        case NonEmpty():
            return bool(found)
        case _:
            return found is not None


def first_of_many(ref: Ref, results: Sequence[JsonValue]) -> bool:
    """Tell whether a reference takes an element by its place from lists of more than one (case B041)."""
    return any(max(_lengths(path, results), default=0) > 1 for path in _indexed(ref.path))


def _refs(expression: Expression) -> Iterator[tuple[Ref, bool]]:
    """Yield the references of an expression, and whether they become part of a text."""
    inside = {
        id(part)
        for text in walk_expression(expression)
        if isinstance(text, Concat | ShellWord)
        for part in walk_expression(text)
    }
    for part in walk_expression(expression):
        if isinstance(part, Ref):
            yield part, id(part) in inside


def _of_reference(
    ref: Ref, results: Mapping[int, Sequence[JsonValue]], *, inside_text: bool
) -> Iterator[Precondition]:
    for path in _indexed(ref.path):
        if set(_lengths(path, results[ref.step])) == {1}:
            yield Length(ref.step, path, 1)
    values = [_fetched(result, ref.path) for result in results[ref.step]]
    kinds = (str, list) if inside_text else (list,)
    if all(isinstance(value, kinds) and value for value in values):
        yield NonEmpty(ref.step, ref.path)


def _indexed(path: Path) -> Iterator[Path]:
    """Yield the lists on a path that an index is taken of."""
    for at, part in enumerate(path):
        if isinstance(part, int):
            yield path[:at]


def _lengths(path: Path, results: Sequence[JsonValue]) -> list[int]:
    lists = (_fetched(result, path) for result in results)
    return [len(one) for one in lists if isinstance(one, list)]


def _fetched(result: JsonValue, path: Path) -> JsonValue:
    try:
        return fetch(result, path)
    except LookupError:
        return None


def _states(step: int, results: Sequence[JsonValue]) -> Iterator[Precondition]:
    first = results[0] if results else None
    for key in sorted(STATUS_KEYS & first.keys()) if isinstance(first, dict) else ():
        values = [_fetched(result, (key,)) for result in results]
        seen = sorted({value for value in values if isinstance(value, str)})
        if all(isinstance(value, str) for value in values) and len(seen) <= min(MAX_STATES, len(values) // 2):
            yield OneOf(step, (key,), tuple(seen))


def exit_codes(calls: Sequence[Call]) -> tuple[int, ...]:
    """Return the exit codes that recorded calls ended with, for a run to accept (case B024)."""
    return tuple(sorted({call.exit_code or 0 for call in calls}))
