"""Lists written into a text: ``git add a.py b.py`` from the files of an earlier step, however many there are.

Two index references would look the same on recordings of one length and be wrong on all others (measurements, section 3).
"""

from collections.abc import Callable, Iterator, Sequence

import attrs

from ..spec import Const, Expression, Join
from .sources import Earlier, Source
from .text import Explained
from .tokens import hits

SEPARATORS = (" ", ", ", ",", "\n")
STAND_IN = "\ue000"
"""Stands for the joined list while the rest of the text is explained; texts that hold it are left alone."""


@attrs.frozen
class Joined:
    """A list that stands in every text, its elements joined."""

    source: Source
    separator: str
    forms: tuple[str, ...]


def explain_joined(
    texts: Sequence[str],
    earlier: Earlier,
    write: Callable[[str], str],
    wrap: Callable[[Source], Expression],
    explain: Callable[[Sequence[str]], Explained | None],
) -> Explained | None:
    """Explain texts in which a list stands; None where none does.

    Args:
        texts: One text an example.
        earlier: The calls before.
        write: How an element is written.
        wrap: Makes the expression of the list.
        explain: Explains the texts once the list is out of the way.
    """
    found = next(_joined(texts, earlier, write), None)
    if found is None or any(STAND_IN in text for text in texts):
        return None
    rest = [text.replace(form, STAND_IN) for text, form in zip(texts, found.forms, strict=True)]
    explained = _constant(rest) or explain(rest)
    if explained is None:
        return None
    join = Join(wrap(found.source), found.separator)
    parts = tuple(piece for part in explained.parts for piece in _filled(part, join))
    return attrs.evolve(explained, parts=parts, sources=(found.source, *explained.sources))


def _joined(texts: Sequence[str], earlier: Earlier, write: Callable[[str], str]) -> Iterator[Joined]:
    """Yield the lists of text that stand in every text, longest first; one of them with two elements at least."""
    for source, lists in sorted(earlier.lists(), key=lambda one: -len(one[1][0])):
        if len({tuple(one) for one in lists}) > 1 and max(map(len, lists)) > 1 and min(map(len, lists)) > 0:
            for separator in SEPARATORS:
                forms = tuple(separator.join(map(write, one)) for one in lists)
                if all(next(hits(text, form), None) for text, form in zip(texts, forms, strict=True)):
                    yield Joined(source, separator, forms)


def _constant(texts: Sequence[str]) -> Explained | None:
    return Explained((Const(texts[0]),)) if len(set(texts)) == 1 else None


def _filled(part: Expression, join: Join) -> Iterator[Expression]:
    if not isinstance(part, Const):
        yield part
        return
    for number, text in enumerate(part.value.split(STAND_IN)):
        if number:
            yield join
        if text:
            yield Const(text)
