"""Private keys in every shape: real lines, escapes, one line, numbered lines, cut at either end (case B070)."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from .values import Span

MARK = "PRIVATE KEY"
_BEGIN = re.compile(r"BEGIN[ A-Z0-9]{0,30}PRIVATE KEY(?: BLOCK)?-{2,5}")
_END = re.compile(r"END[ A-Z0-9]{0,30}PRIVATE KEY(?: BLOCK)?-{2,5}")
_DASHES = re.compile(r"-{2,5} ?\Z")
"""What stands before either: looked at behind the word, which C finds many times quicker than dashes."""
_BETWEEN = r"(?:[\s\\nrt\"',+>|:*.-]|\d{1,6}[|:\t])"
_BODY = re.compile(
    rf"(?:{_BETWEEN}*+[A-Za-z-]{{4,20}}: [^\n\\]{{1,80}})*+(?:{_BETWEEN}*+[A-Za-z0-9+/=]{{16,}}+)*+(?:{_BETWEEN}++[A-Za-z0-9+/=]{{1,15}}+)?"
)
_LINE_BEFORE = re.compile(r"[\s\\nrt\"',+>|:*\d.-]{0,24}[A-Za-z0-9+/=]{8,}[\s\\nrt\"',+]{0,12}\Z")
_LONGEST = 64 * 1024


def find_private_keys(text: str) -> Iterator[Span]:
    """Find private keys from their first mark to their last; where one mark is missing, as far as the body goes."""
    marks = list(_marks(_END, text))
    ends = [end for _, end in marks]
    position = 0
    for start, end in _marks(_BEGIN, text):
        if start < position:
            continue
        yield from _orphan(text, position, start, marks)
        following = bisect_left(ends, end)
        near = following < len(ends) and ends[following] - end <= _LONGEST
        position = ends[following] if near else _body_end(text, end)
        yield Span(start, position, "private_key")
    yield from _orphan(text, position, len(text), marks)


def _marks(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    """Yield where marks begin and end."""
    for match in pattern.finditer(text):
        dashes = _DASHES.search(text[max(0, match.start() - 6) : match.start()])
        if dashes is not None:
            yield match.start() - len(dashes.group()), match.end()


def _body_end(text: str, start: int) -> int:
    body = _BODY.match(text, start)
    return start + len(body.group().rstrip()) if body else start


def _orphan(text: str, start: int, stop: int, marks: Sequence[tuple[int, int]]) -> Iterator[Span]:
    """Find the rest of a key whose beginning is missing: what looks like its body right before the last mark."""
    at = bisect_left(marks, (start, 0))
    if at == len(marks) or marks[at][1] > stop:
        return
    first, end = marks[at]
    while first > start:
        line = text.rfind("\n", start, first - 1) + 1 if first - 1 > start else start
        line = max(line, start, first - 256)
        if not _LINE_BEFORE.search(text[line:first]):
            break
        first = line
    yield Span(first, end, "private_key")
