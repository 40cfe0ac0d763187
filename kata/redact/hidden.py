r"""Secrets behind an encoding: percent signs, ``\u`` escapes, base64 in both alphabets (case B073)."""

import re
from base64 import b64decode
from bisect import bisect_right
from collections.abc import Callable, Iterator

from .values import Span

Finder = Callable[[str], list[Span]]
"""What finds secrets in decoded text."""

_PIECE = re.compile(r"[^\s\"'<>]+")
_PERCENT = re.compile(r"%([0-9A-Fa-f]{2})")
_UNICODE = re.compile(r"\\+u([0-9A-Fa-f]{4})")
_BASE64 = re.compile(
    r"(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/]{20,}+(?:(?:\\r|\\n|[\r\n])+[A-Za-z0-9+/]{4,}+)*+|[A-Za-z0-9_-]{20,}+)={0,2}"
)
_FOLDS = re.compile(r"\\r|\\n|[\r\n]")


def may_hide(text: str) -> bool:
    """Tell whether a text holds anything encoded at all."""
    return _PERCENT.search(text) is not None or "\\u" in text or _BASE64.search(text) is not None


def find_hidden(text: str, find: Finder) -> Iterator[Span]:
    """Find what is a secret once it is decoded; the span covers what stands in the text."""
    if "%" in text:
        for piece in _PIECE.finditer(text):
            if "%" in piece.group():
                yield from _escaped(piece, _PERCENT, find)
    if "\\u" in text:
        for piece in _PIECE.finditer(text):
            if "\\u" in piece.group():
                yield from _escaped(piece, _UNICODE, find)
    for match in _BASE64.finditer(text):
        if _decodes_to_secret(match.group(), find):
            yield Span(match.start(), match.end(), "encoded_secret")


def _escaped(piece: re.Match[str], escape: re.Pattern[str], find: Finder) -> Iterator[Span]:
    """Decode one piece of text, and map what is found back to where it stands."""
    text = piece.group()
    decoded = escape.sub(_character, text)
    if decoded == text:
        return
    spans = find(decoded)
    if not spans:
        return
    places = _Places(text, escape)
    for span in spans:
        yield Span(piece.start() + places.of(span.start), piece.start() + places.of(span.end), span.kind)


def _character(match: re.Match[str]) -> str:
    return chr(int(match[1], 16))


class _Places:
    """Where each character of a decoded text stood."""

    def __init__(self, text: str, escape: re.Pattern[str]) -> None:
        self._decoded, self._raw = [0], [0]
        removed = 0
        for match in escape.finditer(text):
            removed += len(match.group()) - 1
            self._raw.append(match.end())
            self._decoded.append(match.end() - removed)

    def of(self, index: int) -> int:
        before = bisect_right(self._decoded, index) - 1
        return self._raw[before] + index - self._decoded[before]


def _decodes_to_secret(run: str, find: Finder) -> bool:
    """Tell whether a run of base64 letters is readable text that holds a secret."""
    folded = _FOLDS.sub("", run).rstrip("=").replace("-", "+").replace("_", "/")
    if len(folded) % 4 == 1:
        folded = folded[:-1]
    data = b64decode(folded + "=" * (-len(folded) % 4)).replace(b"\0", b"")
    if not data.isascii() or len(data) < 12:
        return False
    decoded = data.decode("ascii")
    return decoded.replace("\n", "").replace("\r", "").replace("\t", "").isprintable() and bool(find(decoded))
