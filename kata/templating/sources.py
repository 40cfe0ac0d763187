"""Where the values of an argument may come from: labels seeded in one example and verified in all (design 6.4).

The intersection over the examples is kept whole, so that what stays ambiguous can be shown (design 6.5).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import attrs

from ..json import JsonValue, Path, same
from ..spec import Input, Item, Ref
from .calls import Call, Place
from .transforms import as_text, is_weak, transform
from .values import fetch

ELEMENT = 0
"""The step number under which a loop's element stands among the earlier calls."""

Source: TypeAlias = Ref | Item
Places: TypeAlias = Callable[[Call, Any], Sequence[Place]]
"""Lists where a call's result has a value."""

Form: TypeAlias = Callable[[JsonValue], JsonValue]
"""Writes a found value as it is compared."""


@attrs.frozen
class Sources:
    """What explains a vector of values, one per example.

    Attributes:
        full: Sources that give the value in every example, best first: plain before transformed, earliest step, document
            order.
        misses: Examples that alone contradict a source which explains all the others.
        nearly: Those sources.
    """

    full: tuple[Source, ...] = ()
    misses: frozenset[int] = frozenset()
    nearly: tuple[Source, ...] = ()


NOTHING = Sources()


@attrs.frozen
class Mark:
    """A text that may stand inside longer ones: its form in each example, and the sources, or the input, that give it."""

    texts: tuple[str, ...]
    sources: tuple[Source, ...] = ()
    given: Input | None = None


def _as_is(value: JsonValue) -> JsonValue:
    return value


class Earlier:
    """The calls before a step, in every example: ``calls[number][example]``."""

    def __init__(self, calls: Mapping[int, Sequence[Call]], examples: int) -> None:
        self._calls = calls
        self._examples = examples

    def whole(self, values: Sequence[JsonValue]) -> Sources:
        """Find the sources of a value, type for type; texts also through a transform."""
        plain = self._explain(values, Call.places, _as_is)
        if not all(isinstance(value, str) for value in values):
            return plain
        derived = self._explain(values, Call.derived, _as_is)
        return Sources(
            plain.full + derived.full, plain.misses | derived.misses, plain.nearly + derived.nearly
        )

    def first_seed(self, values: Sequence[JsonValue]) -> list[Source]:
        """Find the plain sources alone, or where there is none the transformed: enough to see that there is one."""
        seed = next((i for i, value in enumerate(values) if not is_weak(value)), 0)
        looks = (
            (Call.places, Call.derived) if all(isinstance(value, str) for value in values) else (Call.places,)
        )
        for places in looks:
            found = [
                _source(number, place)
                for number, calls in self._calls.items()
                for place in places(calls[seed], values[seed])
                if not self._wrong(number, place, values, _as_is)
            ]
            if found:
                return found
        return []

    def text(self, values: Sequence[str]) -> Sources:
        """Find the sources of a piece of text; a number gives its JSON text."""
        return self._explain(values, lambda call, value: call.texts().get(value, []), as_text)

    def inside(self, texts: Sequence[str]) -> tuple[list[Mark], list[Mark]]:
        """Find what stands inside each text and varies with it, and what does so in all texts but one."""
        found: dict[tuple[str, ...], list[Source]] = {}
        nearly: dict[tuple[str, ...], list[Source]] = {}
        for seed in range(min(2, len(texts))):
            for number, place in self._candidates(seed, texts[seed]):
                forms = tuple(form or "" for form in self._forms(number, place))
                lacking = sum(not form or form not in text for form, text in zip(forms, texts, strict=True))
                if lacking < 2 and len(set(forms)) > 1 + lacking and not (seed and not lacking):
                    (nearly if lacking else found).setdefault(forms, []).append(_source(number, place))
        return _marks(found), _marks(nearly)

    def lists(self) -> Iterator[tuple[Source, list[list[str]]]]:
        """Yield the lists of text that every example has at the same place, earliest step and document order first."""
        for number, calls in self._calls.items():
            for path, _ in calls[0].lists():
                found = [_fetched(call, path) for call in calls]
                texts = [
                    one
                    for one in found
                    if isinstance(one, list) and all(isinstance(item, str) for item in one)
                ]
                if len(texts) == len(calls):
                    yield _source(number, (path, None)), texts

    def member_of(self, values: Sequence[JsonValue]) -> Source | None:
        """Find the list (its index left open as 0) that holds the value somewhere in every example."""
        common: dict[tuple[int, Place], Source] | None = None
        for example, value in enumerate(values):
            if is_weak(value):
                return None
            here = self._open_places(example, value)
            common = here if common is None else {key: one for key, one in common.items() if key in here}
            if not common:
                return None
        return next(iter(common.values())) if common else None

    def _open_places(self, example: int, value: JsonValue) -> dict[tuple[int, Place], Source]:
        found: dict[tuple[int, Place], Source] = {}
        for number, calls in self._calls.items():
            for path, name in calls[example].places(value):
                if any(isinstance(part, int) for part in path):
                    opened = tuple(0 if isinstance(part, int) else part for part in path)
                    found.setdefault((number, (opened, name)), _source(number, (opened, name)))
        return found

    def _explain(self, values: Sequence[JsonValue], places: Places, form: Form) -> Sources:
        seeds = [i for i, value in enumerate(values) if not is_weak(value)][:2]
        full: list[Source] = []
        nearly: list[Source] = []
        misses: set[int] = set()
        for seed in seeds:
            for number, calls in self._calls.items():
                for place in places(calls[seed], values[seed]):
                    wrong = self._wrong(number, place, values, form)
                    if len(wrong) == 1:
                        misses.update(wrong)
                        nearly.append(_source(number, place))
                    elif not wrong and seed == seeds[0]:
                        full.append(_source(number, place))
        return Sources(tuple(sorted(full, key=_plain_first)), frozenset(misses), tuple(nearly))

    def _wrong(self, number: int, place: Place, values: Sequence[JsonValue], form: Form) -> list[int]:
        """List the examples where a place does not give the value; gives up after two."""
        wrong: list[int] = []
        for i, call in enumerate(self._calls[number]):
            if not _gives(call, place, values[i], form):
                wrong.append(i)
                if len(wrong) == 2:
                    break
        return wrong

    def _candidates(self, seed: int, text: str) -> Iterable[tuple[int, Place]]:
        for number, calls in self._calls.items():
            for form, places in calls[seed].texts().items():
                if len(form) > 1 and form in text:
                    for place in places:
                        yield number, place

    def _forms(self, number: int, place: Place) -> list[str | None]:
        return [_form(call, place) for call in self._calls[number]]


def _gives(call: Call, place: Place, value: JsonValue, form: Form) -> bool:
    path, name = place
    try:
        return same(form(transform(fetch(call.result, path), name)), value)
    except (LookupError, TypeError):
        return False


def _fetched(call: Call, path: Path) -> JsonValue:
    try:
        return fetch(call.result, path)
    except LookupError:
        return None


def gives(call: Call, place: Place, value: JsonValue) -> bool:
    """Tell whether a place in a call's result gives a value, type for type."""
    return _gives(call, place, value, _as_is)


def _form(call: Call, place: Place) -> str | None:
    path, name = place
    try:
        return as_text(transform(fetch(call.result, path), name))
    except (LookupError, TypeError):
        return None


def _source(number: int, place: Place) -> Source:
    path, name = place
    return Item(path, name) if number == ELEMENT else Ref(number, path, name)


def _marks(found: Mapping[tuple[str, ...], list[Source]]) -> list[Mark]:
    return [Mark(forms, tuple(sorted(sources, key=_plain_first))) for forms, sources in found.items()]


def _plain_first(source: Source) -> bool:
    return source.transform is not None
