"""Text arguments: what of them is constant, what comes from elsewhere (design 6.4; measurements, section 3)."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import attrs

from ..json import JsonValue, canonical
from ..redact import is_masked
from ..spec import Const, Expression, Input
from .inputs import Inputs
from .sources import Earlier, Mark, Source
from .tokens import (
    MIN_CONSTANT,
    MIN_OBSERVATIONS,
    common_prefix,
    common_suffix,
    hits,
    is_identifier,
    is_specific,
    split_masks,
)
from .transforms import is_weak

Wrap = Callable[[Source | Input, Sequence[str]], Expression | None]
"""Makes the expression of a varying part from its source and its recorded forms; None where it must not stand."""


Span = tuple[Mark, tuple[tuple[int, int], ...]]
"""A mark and where it stands in each example."""

COMPANY = 2
"""Characters beside a mark that tell, where they are the same everywhere."""


@attrs.frozen
class Explained:
    """How a vector of values is made.

    Attributes:
        parts: Expressions whose texts together are the value (one for what is no text).
        sources: All sources of the referenced parts, the chosen ones first.
        misses: Examples that the template made of all the others would get wrong.
        ambiguous: Sources beside the chosen ones that explain as well.
        constant: Constant text worth mentioning.
    """

    parts: tuple[Expression, ...]
    sources: tuple[Source, ...] = ()
    misses: frozenset[int] = frozenset()
    ambiguous: tuple[Source, ...] = ()


def contradicted(values: Sequence[JsonValue]) -> frozenset[int]:
    """Return the examples whose value is not the one that all the others share: held out, they would not be reproduced.

    A weak value that the others share (``0``, ``true``) is no rule, and contradicts none.
    """
    odd = odd_one_out(list(map(canonical, values)))
    return frozenset(i for i in odd if not is_weak(values[1] if i == 0 else values[0]))


def odd_one_out(keys: Sequence[object]) -> frozenset[int]:
    """Return the examples all of whose others agree with each other, where not all agree."""
    first = keys[0]
    others = [i for i, key in enumerate(keys) if key != first]
    if len(others) == 1:
        return frozenset(others if len(keys) > 2 else (0, 1))
    if len(others) == len(keys) - 1 and len({keys[i] for i in others}) == 1:
        return frozenset((0,))
    return frozenset()


class TextExplainer:
    """Takes the texts of one argument apart, the same way in every example."""

    def __init__(self, earlier: Earlier, inputs: Inputs, hint: str, wrap: Wrap) -> None:
        self._earlier = earlier
        self._inputs = inputs
        self._hint = hint
        self._wrap = wrap

    def explain(self, texts: Sequence[str], *, anchored: bool = False) -> Explained | None:
        """Make parts for the texts; None where nothing in them is constant or comes from elsewhere.

        Args:
            texts: One text an example.
            anchored: Constant text stands around them already, so that an input alone is an explanation.
        """
        if any(map(is_masked, texts)):
            return self._around_masks(texts)
        return self._plain(texts, anchored=anchored)

    def _around_masks(self, texts: Sequence[str]) -> Explained | None:
        pieces = [split_masks(text) for text in texts]
        if len({len(one) for one in pieces}) > 1:
            return None
        explained = [self._piece([one[at] for one in pieces], at) for at in range(len(pieces[0]))]
        return _joined([one for one in explained if one is not None])

    def _piece(self, texts: Sequence[str], at: int) -> Explained | None:
        if at % 2:
            return self._varying(texts)
        return self._plain(texts, anchored=True)

    def _plain(self, texts: Sequence[str], *, anchored: bool) -> Explained | None:
        if len(set(texts)) == 1:
            return Explained((Const(texts[0]),) if texts[0] else ())
        whole = self._whole(texts) if anchored else None
        if whole is not None:
            return whole
        marks, nearly = self._earlier.inside(texts)
        known = [Mark(forms, given=source) for forms, source in self._inputs.texts()]
        marks = [mark for mark in (*marks, *known) if anchored or mark.texts != tuple(texts)]
        spans = _telling(texts, _spans(texts, marks))
        gaps = [
            [text[a:b] for text, (a, b) in zip(texts, span, strict=True)] for span in _gap_spans(texts, spans)
        ]
        pieces = [self._gap(gap, anchored=anchored or bool(spans)) for gap in gaps]
        for number, (mark, _) in enumerate(spans):
            pieces.insert(2 * number + 1, self._marked(mark))
        if any(piece is None for piece in pieces):
            return None
        joined = _joined([piece for piece in pieces if piece is not None])
        misses = frozenset().union(*(_lacking(gap, nearly) for gap in gaps))
        return attrs.evolve(joined, misses=joined.misses | misses)

    def _whole(self, texts: Sequence[str]) -> Explained | None:
        found = self._earlier.text(texts)
        for number, source in enumerate(found.full):
            part = self._wrap(source, texts)
            if part is not None:
                rest = found.full[:number] + found.full[number + 1 :]
                return Explained((part,), (source, *rest), ambiguous=rest)
        shared = self._inputs.find(texts)
        part = self._wrap(shared, texts) if shared is not None else None
        return None if part is None else Explained((part,), misses=contradicted(texts) | found.misses)

    def _marked(self, mark: Mark) -> Explained | None:
        part = self._wrap(mark.given or mark.sources[0], mark.texts)
        if part is None:
            return None
        if mark.given is not None:
            return Explained((part,), misses=contradicted(mark.texts))
        return Explained((part,), mark.sources, ambiguous=mark.sources[1:])

    def _gap(self, texts: Sequence[str], *, anchored: bool) -> Explained | None:
        if len(set(texts)) == 1:
            return Explained((Const(texts[0]),) if texts[0] else ())
        before = common_prefix(texts)
        after = common_suffix(texts, before)
        if not anchored and (
            len(texts) < MIN_OBSERVATIONS or before + after < MIN_CONSTANT or all(map(is_identifier, texts))
        ):
            return None
        if len(texts) < MIN_OBSERVATIONS or all(map(is_identifier, texts)):
            before = after = 0
        inner = [text[before : len(text) - after] for text in texts]
        varying = self._varying(inner)
        if varying is None:
            return None
        misses = varying.misses | _longer_without(texts, before, after)
        edges = texts[0][:before], texts[0][len(texts[0]) - after :] if after else ""
        parts = (*(_constant(edges[0])), *varying.parts, *(_constant(edges[1])))
        return attrs.evolve(varying, parts=parts, misses=misses)

    def _varying(self, texts: Sequence[str]) -> Explained | None:
        whole = self._whole(texts)
        if whole is not None:
            return whole
        part = self._wrap(self._inputs.take(texts, self._hint), texts)
        return None if part is None else Explained((part,), misses=contradicted(texts))


def _lacking(gap: Sequence[str], nearly: Sequence[Mark]) -> frozenset[int]:
    """Find the examples that alone lack a part which all the others would have taken from an earlier result."""
    misses: set[int] = set()
    for mark in nearly:
        without = [
            i
            for i, (text, form) in enumerate(zip(gap, mark.texts, strict=True))
            if len(form) < MIN_CONSTANT or next(hits(text, form), None) is None
        ]
        if len(without) == 1:
            misses.update(without)
    return frozenset(misses)


def _constant(text: str) -> tuple[Const, ...]:
    return (Const(text),) if text else ()


def _joined(pieces: Sequence[Explained]) -> Explained:
    return Explained(
        tuple(part for piece in pieces for part in piece.parts),
        tuple(source for piece in pieces for source in piece.sources),
        frozenset().union(*(piece.misses for piece in pieces)),
        tuple(source for piece in pieces for source in piece.ambiguous),
    )


def _longer_without(texts: Sequence[str], before: int, after: int) -> frozenset[int]:
    """Find the examples without which the constant edges would be longer than they can bear (linear: two candidates)."""
    if len(texts) <= MIN_OBSERVATIONS:
        return frozenset()
    return frozenset(i for i in _extremes(texts) if _breaks(texts, i, before, after))


def _extremes(texts: Sequence[str]) -> set[int]:
    shared = [_shared(texts[0], text) for text in texts[1:]]
    ended = [_shared(texts[0][::-1], text[::-1]) for text in texts[1:]]
    return {0, shared.index(min(shared)) + 1, ended.index(min(ended)) + 1}


def _shared(left: str, right: str) -> int:
    return next(
        (i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right))
    )


def _breaks(texts: Sequence[str], held: int, before: int, after: int) -> bool:
    others = [text for i, text in enumerate(texts) if i != held]
    if len(set(others)) == 1:
        return True
    start = common_prefix(others)
    end = common_suffix(others, start)
    if start <= before and end <= after:
        return False
    text, one = texts[held], others[0]
    return not (
        len(text) >= start + end
        and text.startswith(one[:start])
        and text.endswith(one[len(one) - end :] if end else "")
    )


def _spans(texts: Sequence[str], marks: Sequence[Mark]) -> list[Span]:
    """Place the marks: longest first, disjoint, every hit, in the same order in every example."""
    placed: list[Span] = []
    for mark in sorted(marks, key=lambda one: -sum(map(len, one.texts))):
        columns = [
            _free_hits(text, form, placed, i)
            for i, (text, form) in enumerate(zip(texts, mark.texts, strict=True))
        ]
        count = len(columns[0])
        if not count or any(len(column) != count for column in columns):
            continue
        more = [*placed, *((mark, span) for span in zip(*columns, strict=True))]
        more.sort(key=lambda one: one[1][0])
        if all(_in_order(more, i) for i in range(len(texts))):
            placed = more
    return placed


def _telling(texts: Sequence[str], spans: Sequence[Span]) -> list[Span]:
    """Drop marks that chance could have put there: a plain short word with nothing constant beside it."""
    return [
        span
        for span in spans
        if span[0].given is not None or any(map(is_specific, span[0].texts)) or _has_company(texts, span)
    ]


def _has_company(texts: Sequence[str], span: Span) -> bool:
    """Tell whether the same characters stand before, or behind, a mark in every example."""
    edges = span[1]
    before = {text[max(0, start - COMPANY) : start] for text, (start, _) in zip(texts, edges, strict=True)}
    behind = {text[end : end + COMPANY] for text, (_, end) in zip(texts, edges, strict=True)}
    return len(before) == 1 or len(behind) == 1


def _free_hits(text: str, form: str, placed: Sequence[Span], example: int) -> list[tuple[int, int]]:
    if not form:
        return []
    taken = [span[example] for _, span in placed]
    return [hit for hit in hits(text, form) if all(hit[1] <= a or hit[0] >= b for a, b in taken)]


def _in_order(placed: Sequence[Span], example: int) -> bool:
    spans = [span[example] for _, span in placed]
    return all(left[1] <= right[0] for left, right in pairwise(spans))


def _gap_spans(texts: Sequence[str], spans: Sequence[Span]) -> list[list[tuple[int, int]]]:
    columns = [
        [0, *(edge for _, span in spans for edge in span[i]), len(text)] for i, text in enumerate(texts)
    ]
    return [[(column[at], column[at + 1]) for column in columns] for at in range(0, len(columns[0]), 2)]
