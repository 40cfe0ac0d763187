"""Private keys in every shape: real lines, escapes, one line, numbered lines, cut at either end (case B070)."""

import re
from bisect import bisect_left
from collections.abc import Iterator

from .values import Span

MARK = "PRIVATE KEY"
_BEGIN = re.compile(r"-{2,5} ?BEGIN[ A-Z0-9]{0,30}PRIVATE KEY(?: BLOCK)?-{2,5}")
_END = re.compile(r"-{2,5} ?END[ A-Z0-9]{0,30}PRIVATE KEY(?: BLOCK)?-{2,5}")
_BETWEEN = r"(?:[\s\\nrt\"',+>|:*.-]|\d{1,6}[|:\t])"
_BODY = re.compile(
    rf"(?:{_BETWEEN}*+[A-Za-z-]{{4,20}}: [^\n\\]{{1,80}})*+(?:{_BETWEEN}*+[A-Za-z0-9+/=]{{16,}}+)*+(?:{_BETWEEN}++[A-Za-z0-9+/=]{{1,15}}+)?"
)
_LINE_BEFORE = re.compile(r"[\s\\nrt\"',+>|:*\d.-]{0,24}[A-Za-z0-9+/=]{8,}[\s\\nrt\"',+]{0,12}\Z")
_LONGEST = 64 * 1024


def find_private_keys(text: str) -> Iterator[Span]:
    """Find private keys from their first mark to their last; where one mark is missing, as far as the body goes."""
    ends = [match.end() for match in _END.finditer(text)]
    position = 0
    for begin in _BEGIN.finditer(text):
        if begin.start() < position:
            continue
        yield from _orphan(text, position, begin.start())
        following = bisect_left(ends, begin.end())
        near = following < len(ends) and ends[following] - begin.end() <= _LONGEST
        position = ends[following] if near else _body_end(text, begin.end())
        yield Span(begin.start(), position, "private_key")
    yield from _orphan(text, position, len(text))


def _body_end(text: str, start: int) -> int:
    body = _BODY.match(text, start)
    return start + len(body.group().rstrip()) if body else start


def _orphan(text: str, start: int, stop: int) -> Iterator[Span]:
    """Find the rest of a key whose beginning is missing: what looks like its body right before the last mark."""
    end = _END.search(text, start, stop)
    if end is None:
        return
    first = end.start()
    while first > start:
        line = text.rfind("\n", start, first - 1) + 1 if first - 1 > start else start
        line = max(line, start, first - 256)
        if not _LINE_BEFORE.search(text[line:first]):
            break
        first = line
    yield Span(first, end.end(), "private_key")
