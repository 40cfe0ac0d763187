"""Where a text may be cut: at the edges of tokens, and never through a masked secret."""

import re
from collections.abc import Iterator, Sequence

from ..redact import is_masked
from ..redact.marks import mark_spans

MIN_CONSTANT = 4
"""Constant characters that a text without references needs around an input."""

MIN_OBSERVATIONS = 3
"""Examples that a constant part without references needs."""


_IDENTIFIER = re.compile(r"[\w.+-]+(?:@[\w.-]+)?")
_LONG = 8


def is_identifier(text: str) -> bool:
    """Tell whether a text is one name, number, date or e-mail address: what a caller gives whole or not at all."""
    return _IDENTIFIER.fullmatch(text) is not None


def is_specific(text: str) -> bool:
    """Tell whether a text hardly stands somewhere by chance: long, or more than a plain word."""
    return len(text) >= _LONG or not text.isalpha()


def is_edge(text: str, at: int) -> bool:
    """Tell whether a token begins or ends here: not between two letters or digits."""
    return not 0 < at < len(text) or not (text[at - 1].isalnum() and text[at].isalnum())


def hits(text: str, part: str) -> Iterator[tuple[int, int]]:
    """Yield where a part stands in a text as whole tokens, left to right, without overlap.

    A number is whole where no further digit touches it (``10p``).
    """
    whole = _no_digit if part.isdigit() else is_edge
    at = text.find(part)
    while at >= 0:
        end = at + len(part)
        if whole(text, at) and whole(text, end):
            yield at, end
            at = text.find(part, end)
        else:
            at = text.find(part, at + 1)


def _no_digit(text: str, at: int) -> bool:
    return not 0 < at < len(text) or not (text[at - 1].isdigit() and text[at].isdigit())


def common_prefix(texts: Sequence[str]) -> int:
    """Count the characters that all texts begin with, cut back to where a token ends in each."""
    at = _shared(texts)
    while at and not all(_may_cut(text, at) for text in texts):
        at -= 1
    return at


def common_suffix(texts: Sequence[str], after: int) -> int:
    """Count the characters that all texts end with, behind ``after``, cut to where a token begins in each."""
    at = _shared([text[after:][::-1] for text in texts])
    while at and not all(_may_cut(text, len(text) - at) for text in texts):
        at -= 1
    return at


def _shared(texts: Sequence[str]) -> int:
    """Count the characters that all texts begin with: those that the first and last in order share."""
    low, high = min(texts), max(texts)
    return next(
        (at for at, (one, other) in enumerate(zip(low, high, strict=False)) if one != other), len(low)
    )


def split_masks(text: str) -> list[str]:
    """Cut a text so that each masked secret is a piece of its own; empty pieces between keep the order even-odd."""
    pieces, at = [], 0
    for start, end in mark_spans(text):
        if is_masked(text[start:end]):
            pieces += [text[at:start], text[start:end]]
            at = end
    return [*pieces, text[at:]]


def _may_cut(text: str, at: int) -> bool:
    return is_edge(text, at) and not any(start < at < end for start, end in mark_spans(text))
