"""How text is laid out: widths, cuts, columns, colour, and marks for characters that could deceive (case B029)."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

import attrs

BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
ELLIPSIS = "…"
NARROWEST = 24
"""Columns that text behind an indent has at least: it could not be read any more."""
LONGEST = 3500
"""Characters that an answer in a chat may have: what the strictest messengers carry."""

OPERATOR = re.compile(r"\|\||&&|\$\(|[|;&<>`⏎]")
PIECE = re.compile(r"[\u2e80-\uffef]\s*|[^\s\u2e80-\uffef]+\s*")
WORD = re.compile(r"\S* +|\S+")
COLOUR = re.compile(r"\x1b\[[\d;]*m")
STYLES = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "magenta": "35",
    "cyan": "36",
}
EFFECT_STYLE = {
    "read": "green",
    "network_read": "cyan",
    "local_write": "yellow",
    "external": "red",
    "unknown": "magenta",
}
STATE_STYLE = {"candidate": "yellow", "active": "green", "stale": "yellow", "suspended": "red"}


@attrs.frozen(kw_only=True)
class Page:
    """What one writes on: how wide it is, whether that is a screen (a pipe takes lines of any width), and colour."""

    width: int = 80
    screen: bool = True
    colour: bool = False
    plain: bool = False

    def style(self, text: str, *styles: str) -> str:
        """Return the text in a style, where colour is wanted; the words carry the meaning without it."""
        codes = ";".join(STYLES[one] for one in styles if one in STYLES)
        return f"\x1b[{codes}m{text}\x1b[0m" if self.colour and codes and text else text


def visible(text: str) -> str:
    """Replace control and bidirectional characters by visible marks, so that a reviewer sees what will run."""
    return "".join(_mark(char) for char in text)


def _mark(char: str) -> str:
    if char in BIDI or (unicodedata.category(char) in {"Cc", "Cs"} and char not in "\n\t"):
        return f"⟦U+{ord(char):04X}⟧"
    return char


def one_line(text: str) -> str:
    """Put text on one line: newlines become a mark."""
    return visible(text).replace("\t", " ").replace("\n", "⏎")


def width_of(text: str) -> int:
    """Return how many columns a text takes: wide characters take two, combining ones and colours none."""
    return sum(_columns(char) for char in COLOUR.sub("", text))


def _columns(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def pad(text: str, width: int) -> str:
    """Fill a text with spaces up to a width in columns."""
    return text + " " * max(0, width - width_of(text))


def cut(text: str, width: int) -> str:
    """Cut a text in the middle so that it fits; never in a way that hides a shell operator: then it stays whole.

    An operator that the cut itself would split counts as hidden.
    """
    if width_of(text) <= width or width < 8:
        return text
    head, tail = _take(text, (width - 1) // 2), _take(text[::-1], width // 2)[::-1]
    hidden = text[len(head) : len(text) - len(tail)]
    return text if OPERATOR.search(head[-1:] + hidden + tail[:1]) else head + ELLIPSIS + tail


def _take(text: str, width: int) -> str:
    taken = 0
    for place, char in enumerate(text):
        taken += _columns(char)
        if taken > width:
            return text[:place]
    return text


def columns(rows: Iterable[Sequence[str]], gap: str = "  ") -> list[str]:
    """Align rows of cells; the last cell of a row is not padded."""
    table = [list(row) for row in rows]
    widths = [max(map(width_of, cells)) for cells in zip(*table, strict=True)] if table else []
    return [
        gap.join([*(pad(cell, widths[at]) for at, cell in enumerate(row[:-1])), row[-1]]).rstrip()
        for row in table
    ]


def table(rows: Iterable[Sequence[str]], page: Page, indent: str = "  ") -> list[str]:
    """Align rows of cells behind an indent; on a screen where a line is too wide, rows are broken at spaces instead."""
    cells = list(rows)
    lines = [indent + line for line in columns(cells)]
    if not page.screen or max(map(width_of, lines), default=0) <= page.width:
        return lines
    return [line for row in cells for line in hung("  ".join(filter(None, row)), page.width, indent)]


def fold(text: str, width: int) -> list[str]:
    """Break text to a width in columns: at spaces, and between wide characters, which are written without any."""
    lines, line = [], ""
    for piece in PIECE.findall(text):
        if line and width_of(line + piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece
    return [*lines, line.rstrip()]


def broken(text: str, width: int) -> list[str]:
    """Break text after spaces to a width in columns; a longer word stays whole, and the lines put together are the text."""
    lines, line = [], ""
    for piece in WORD.findall(text):
        if line and width_of(line + piece.rstrip()) > width:
            lines.append(line)
            line = ""
        line += piece
    return [*lines, line]


def hung(text: str, width: int, indent: str) -> list[str]:
    """Break text behind an indent; what goes on stands two columns further in, and nothing is left out."""
    first, *rest = broken(text, max(NARROWEST, width - len(indent)) - 2)
    return [indent + first.rstrip(), *(f"{indent}  {line.rstrip()}" for line in rest)]


def wrap(text: str, width: int, indent: str = "") -> list[str]:
    """Break text at spaces to a width in columns; a word that is longer stays whole."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        if line and width_of(f"{indent}{line} {word}") > width:
            lines.append(indent + line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, indent + line]
