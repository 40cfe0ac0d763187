"""Find the secrets in texts, asking only for what can be there at all."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate, islice
from string import ascii_lowercase, ascii_uppercase

from . import commands, passfile, urls, written
from .contexts import STEMS, find_contexts
from .hidden import find_hidden, may_hide
from .holding import holding
from .marks import mark_spans
from .pem import MARK as PEM_MARK
from .pem import find_private_keys
from .schemes import find_schemes
from .shapes import find_shapes, present
from .values import Span

SHORTEST = 14
"""What has a secret's shape, stands behind an encoding or is an address with a password has at least this many
characters without a blank."""


MOST = 256
"""A text or value with so many secrets is a list of them, or made to keep Kata busy: no more are looked for."""


class Search:
    """A search through the texts of one value.

    What none of them holds (the fixed part of a token, a program's name) is looked for once, in all of them together.
    """

    def __init__(self, whole: str) -> None:
        holds, held_small = holding(whole), holding(whole.lower())
        long_words = " ".join([word for word in whole.split() if len(word) >= SHORTEST])
        self._shapes = present(long_words) if long_words else ()
        self._usages = commands.present(holds)
        self._fed = commands.may_feed(holds)
        self._named = any(map(held_small, STEMS))
        self._written = written.present(holds) if self._named else ()
        self._schemes = held_small("bearer ") or held_small("basic ")
        self._urls = urls.MARK in long_words
        self._keys = holds(PEM_MARK)
        self._passfile = passfile.may_stand(holds)
        self._hidden = bool(long_words) and may_hide(long_words)
        self.active = bool(
            self._shapes
            or self._usages
            or self._fed
            or self._named
            or self._schemes
            or self._urls
            or self._keys
            or self._passfile
        )
        short = self._named or self._schemes or self._usages or self._fed or self._passfile
        self._least = 0 if short else SHORTEST
        self.idle = not (self.active or self._hidden or "kty" in whole)

    def find(self, text: str) -> Iterator[Span]:
        """Find the secrets in one of the texts; spans may overlap."""
        if len(text) < self._least:
            return
        if self.active:
            yield from self.plain(text)
        if self._hidden:
            yield from find_hidden(text, Search)

    def plain(self, text: str) -> Iterator[Span]:
        """Find secrets without looking behind encodings; spans may overlap."""
        yield from find_shapes(text, self._shapes)
        if self._named or self._schemes:
            lower = small(text)
            yield from find_contexts(text, lower) if self._named else ()
            yield from written.find_written(text, self._written) if self._written else ()
            yield from find_schemes(text, lower) if self._schemes else ()
        if self._urls and (urls.MARK in text or "=" in text):
            yield from urls.find_in_urls(text)
        if self._keys and PEM_MARK in text:
            yield from find_private_keys(text)
        if self._passfile:
            yield from passfile.find_in_passfile(text)
        if self._usages:
            yield from commands.find_in_commands(text, self._usages)
        if self._fed:
            yield from commands.find_fed(text)

    def across(self, texts: list[str]) -> Iterator[tuple[int, Span]]:
        """Find what only several items of a list show: a private key's lines, a command's words."""
        if self._keys:
            yield from _by_item(texts, "\n", islice(find_private_keys("\n".join(texts)), MOST))
        if (self._named or self._usages) and any(text.startswith("-") for text in texts):
            yield from _by_item(texts, " ", islice(self.plain(" ".join(texts)), MOST))


_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)


def small(text: str) -> str:
    """Write a text in small letters, of the same length (a few letters would become two)."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text.translate(_SMALL)


def _by_item(texts: list[str], joint: str, spans: Iterable[Span]) -> Iterator[tuple[int, Span]]:
    """Part spans in a joined text among its items."""
    starts = [0, *accumulate(len(text) + len(joint) for text in texts)]
    for span in apart(spans):
        index = bisect_right(starts, span.start) - 1
        while index < len(texts) and starts[index] < span.end:
            first, last = max(span.start - starts[index], 0), min(span.end - starts[index], len(texts[index]))
            if first < last:
                yield index, Span(first, last, span.kind)
            index += 1


def apart(spans: Iterable[Span]) -> list[Span]:
    """Sort spans and join those that overlap."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not merged or span.start >= merged[-1].end:
            merged.append(span)
        elif span.end > merged[-1].end:
            merged[-1] = Span(merged[-1].start, span.end, merged[-1].kind)
    return merged


def outside_marks(spans: list[Span], text: str) -> list[Span]:
    """Leave out spans that touch a mark; what they would hide is hidden."""
    marks = mark_spans(text)
    begins = [start for start, _ in marks]
    return [span for span in spans if not _touches(span, marks, begins)] if marks else spans


def _touches(span: Span, marks: list[tuple[int, int]], begins: list[int]) -> bool:
    """Tell whether a span and a mark share a letter: the last mark that begins before the span's end is the one to ask."""
    before = bisect_left(begins, span.end)
    return before > 0 and marks[before - 1][1] > span.start
