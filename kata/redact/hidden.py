r"""Secrets behind an encoding: percent signs, ``\u`` escapes, base64 in both alphabets (case B073)."""

import re
from base64 import b64decode
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from .values import Span


class Seeker(Protocol):
    """What finds secrets in plain text."""

    active: bool

    def plain(self, text: str) -> Iterator[Span]:
        """Find secrets."""
        ...


class _Decoded(NamedTuple):
    """A piece of text and what it says; ``escape`` is None for base64, which is masked as a whole."""

    start: int
    raw: str
    text: str
    escape: re.Pattern[str] | None


_PIECE = re.compile(r"[^\s\"'<>]+")
_PERCENT = re.compile(r"%([0-9A-Fa-f]{2})")
_UNICODE = re.compile(r"\\+u([0-9A-Fa-f]{4})")
_BASE64 = re.compile(
    r"(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/]{20,}+(?:(?:\\r|\\n|[\r\n])+[A-Za-z0-9+/]{4,}+)*+|[A-Za-z0-9_-]{20,}+)={0,2}"
)
_BREAKS = str.maketrans("", "", "\n\r\t")
_FOLDS = re.compile(r"\\r|\\n|[\r\n]")


def may_hide(text: str) -> bool:
    """Tell whether a text holds anything encoded at all."""
    return _PERCENT.search(text) is not None or "\\u" in text or _BASE64.search(text) is not None


def find_hidden(text: str, seek: Callable[[str], Seeker]) -> Iterator[Span]:
    """Find what is a secret once it is decoded; the spans cover what stands in the text.

    Args:
        text: The text.
        seek: Makes what finds secrets in all of the decoded pieces.
    """
    pieces = [*_escaped(text, "%", _PERCENT), *_escaped(text, "\\u", _UNICODE), *_base64(text)]
    if not pieces:
        return
    seeker = seek("\n".join(piece.text for piece in pieces))
    if seeker.active:
        for piece in pieces:
            yield from _found(piece, seeker)


def _escaped(text: str, mark: str, escape: re.Pattern[str]) -> Iterator[_Decoded]:
    """Decode the pieces of a text that hold escapes."""
    if mark not in text:
        return
    for piece in _PIECE.finditer(text):
        raw = piece.group()
        if mark in raw:
            decoded = escape.sub(_character, raw)
            if decoded != raw:
                yield _Decoded(piece.start(), raw, decoded, escape)


def _character(match: re.Match[str]) -> str:
    return chr(int(match[1], 16))


def _base64(text: str) -> Iterator[_Decoded]:
    """Decode the runs of base64 letters that are readable text."""
    for match in _BASE64.finditer(text):
        decoded = _readable(match.group())
        if decoded:
            yield _Decoded(match.start(), match.group(), decoded, None)


def _readable(run: str) -> str:
    folded = _FOLDS.sub("", run).rstrip("=").replace("-", "+").replace("_", "/")
    if len(folded) % 4 == 1:
        folded = folded[:-1]
    data = b64decode(folded + "=" * (-len(folded) % 4)).replace(b"\0", b"")
    if len(data) < 12 or not data.isascii():
        return ""
    decoded = data.decode("ascii")
    return decoded if decoded.translate(_BREAKS).isprintable() else ""


def _found(piece: _Decoded, seeker: Seeker) -> Iterator[Span]:
    """Map what is found in a decoded piece back to where it stands."""
    if piece.escape is None:
        if next(seeker.plain(piece.text), None) is not None:
            yield Span(piece.start, piece.start + len(piece.raw), "credential")
        return
    places = _Places(piece.raw, piece.escape)
    for span in seeker.plain(piece.text):
        yield Span(piece.start + places.of(span.start), piece.start + places.of(span.end), span.kind)


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
