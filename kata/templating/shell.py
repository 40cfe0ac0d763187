"""Shell text seen as words: where a value may stand in it, and how it is written so that it stays one word (case B027)."""

import re
import shlex

import attrs

from ..effects import words

_DELIMITERS = " \t\n;|&()<>"
_SAFE = re.compile(r"[\w@%+=:,./⟦⟧-]+")
"""What no shell gives a meaning to, wherever it stands in a word; the marks of masked secrets among it."""

_DOUBLE_SPECIAL = re.compile(r'(["\\$`])')
_SINGLE_ESCAPE = "'\\''"


@attrs.frozen
class Cell:
    """One piece of a command line: a word, or what stands between words."""

    text: str
    word: bool


def cells(command: str) -> tuple[Cell, ...] | None:
    """Cut a command line into words and gaps, in order and without loss; None where the grammar does not follow.

    A word with others inside (a substitution) is one piece.
    """
    found = words(command)
    if found is None:
        return None
    pieces: list[Cell] = []
    at = 0
    for word in found:
        if word.start < at:
            continue
        if word.start > at:
            pieces.append(Cell(command[at : word.start], word=False))
        pieces.append(Cell(command[word.start : word.end], word=True))
        at = word.end
    if at < len(command):
        pieces.append(Cell(command[at:], word=False))
    return tuple(pieces)


def quote(value: str, quoting: str) -> str:
    """Write a value so that the shell reads it back as it is, inside the quotes that stand around it."""
    if quoting == "single":
        return value.replace("'", _SINGLE_ESCAPE)
    if quoting == "double":
        return _DOUBLE_SPECIAL.sub(r"\\\1", value)
    return value if _SAFE.fullmatch(value) else shlex.quote(value)


def quoted(value: str) -> str:
    """Write a value as one bare shell word."""
    return quote(value, "bare")


def unquote(raw: str, quoting: str) -> str | None:
    """Read a value back; None unless `quote` would write exactly this text."""
    value = _unquoted(raw, quoting)
    return value if value is not None and quote(value, quoting) == raw else None


def _unquoted(raw: str, quoting: str) -> str | None:
    if quoting == "single":
        return raw.replace(_SINGLE_ESCAPE, "'")
    if quoting == "double":
        return re.sub(r"\\(.)", r"\1", raw, flags=re.DOTALL)
    if _SAFE.fullmatch(raw):
        return raw
    try:
        parts = shlex.split(raw)
    except ValueError:
        return None
    return parts[0] if len(parts) == 1 else None


def at_word_start(before: str, quoting: str) -> bool:
    """Tell whether a value behind this text begins a word; inside quotes, right behind the opening one."""
    if quoting in ("single", "double"):
        return before[-1:] in ("'", '"') and (len(before) == 1 or before[-2] in _DELIMITERS)
    return not before or before[-1] in _DELIMITERS
