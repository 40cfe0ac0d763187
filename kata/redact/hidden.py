r"""Secrets behind an encoding: percent signs, ``\u`` escapes, base64 in both alphabets (case B073)."""

import re
from binascii import a2b_base64
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import accumulate, islice
from typing import Protocol

from .values import Span


class Seeker(Protocol):
    """What finds secrets in plain text."""

    active: bool

    def plain(self, text: str) -> Iterator[Span]:
        """Find secrets."""
        ...


class _Decoded:
    """A text decoded, or a piece of it; ``escape`` is None for base64, which is masked as a whole."""

    def __init__(self, start: int, raw: str, text: str, escape: re.Pattern[str] | None) -> None:
        self.text, self.start = text, start
        self._raw, self._escape = raw, escape

    def place(self, start: int, end: int) -> Span:
        """Return where a part of the decoded text stands."""
        if self._escape is None:
            return Span(self.start, self.start + len(self._raw), "credential")
        end = min(end, len(self.text))
        return Span(self.start + self._places.of(start), self.start + self._places.of(end), "credential")

    @cached_property
    def _places(self) -> "_Places":
        assert self._escape is not None
        return _Places(self._raw, self._escape)


_PERCENT = re.compile(r"%([0-9A-Fa-f]{2})")
_UNICODE = re.compile(r"\\+u([0-9A-Fa-f]{4})")
_BASE64 = re.compile(
    r"(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/]{20,}+(?:(?:\\r|\\n|[\r\n])+[A-Za-z0-9+/]{4,}+)*+|[A-Za-z0-9_-]{20,}+)={0,2}"
)
_LONG = re.compile(r"[A-Za-z0-9+/_-]{20}")
"""What base64 that is looked behind holds at least."""

MOST = 1024
"""So many readable runs of base64 are made to keep Kata busy: what follows is masked unseen."""

_FOLDED_FROM = 60
"""Base64 is folded into lines of 64 or 76 letters."""
_UNREADABLE = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_FOLDS = re.compile(r"\\r|\\n|[\r\n]")


def may_hide(text: str) -> bool:
    """Tell whether a text holds anything encoded that may be readable: paths and long names are base64 by their letters."""
    if _PERCENT.search(text) is not None or "\\u" in text:
        return True
    return _LONG.search(text) is not None and any(map(_begins_readable, _BASE64.findall(text)))


def find_hidden(text: str, seek: Callable[[str], Seeker]) -> Iterator[Span]:
    """Find what is a secret once it is decoded; the spans cover what stands in the text.

    Args:
        text: The text.
        seek: Makes what finds secrets in all of the decoded pieces.
    """
    pieces = [*_percent(text), *_unicode(text), *islice(_base64(text), MOST)]
    if not pieces:
        return
    if len(pieces) >= MOST:
        yield Span(pieces[-1].start, len(text), "credential")
    decoded = "\n".join(piece.text for piece in pieces)
    seeker = seek(decoded)
    if not seeker.active:
        return
    starts = [0, *accumulate(len(piece.text) + 1 for piece in pieces)]
    for span in seeker.plain(decoded):
        index = bisect_right(starts, span.start) - 1
        yield pieces[index].place(span.start - starts[index], span.end - starts[index])


def _percent(text: str) -> Iterator[_Decoded]:
    """Decode percent signs, each escape into one character."""
    decoded = _PERCENT.sub(_character, text) if "%" in text else text
    if decoded != text:
        yield _Decoded(0, text, decoded, _PERCENT)


def _unicode(text: str) -> Iterator[_Decoded]:
    """Decode Unicode escapes."""
    decoded = _UNICODE.sub(_character, text) if "\\u" in text else text
    if decoded != text:
        yield _Decoded(0, text, decoded, _UNICODE)


def _character(match: re.Match[str]) -> str:
    return chr(int(match[1], 16))


def _base64(text: str) -> Iterator[_Decoded]:
    """Decode the runs of base64 letters that are readable text."""
    if _LONG.search(text) is None:
        return
    for match in _BASE64.finditer(text):
        run = match.group()
        decoded = _readable(run) if _begins_readable(run) else ""
        if decoded:
            yield _Decoded(match.start(), run, decoded, None)


def _usual(run: str) -> str:
    """Write base64 of the alphabet for addresses in the usual one."""
    return run.replace("-", "+").replace("_", "/") if "-" in run or "_" in run else run


def _begins_readable(run: str) -> bool:
    return a2b_base64(_usual(run[:16])).isascii()


def _readable(run: str) -> str:
    """Decode a run; empty where it is not printable ASCII (zero bytes aside, which wide text has)."""
    run = _usual(run)
    if len(run) > _FOLDED_FROM:
        run = _FOLDS.sub("", run)
    run = run.rstrip("=")
    run = run[:-1] if len(run) % 4 == 1 else run
    data = a2b_base64(run + "==")
    if b"\0" in data:
        data = data.replace(b"\0", b"")
    return data.decode("ascii") if data.isascii() and not _UNREADABLE.search(data) else ""


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
