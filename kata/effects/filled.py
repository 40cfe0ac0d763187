"""Variables of a line that may hold an option: a word that begins with one may be one (case B079)."""

import re

import attrs

from .parts import ShellLine, SimpleCommand
from .word import Word

_LEADING = re.compile(r"\$\{?[!#]?(\w+|[@*])")
_READERS = frozenset({"read", "getopts", "mapfile", "readarray", "printf", "select"})


def uncertain_names(line: ShellLine) -> frozenset[str]:
    """Name the variables that the line itself sets to what may begin with a dash."""
    names = {loop.name for loop in line.loops if not loop.values or any(map(_may_lead, loop.values))}
    for simple in line.commands:
        names.update(item.name for item in simple.assignments if item.value is None or _may_lead(item.value))
        if simple.words and simple.words[0].text in _READERS:
            names.update(word.text for word in simple.words[1:])
    return frozenset(names)


def _may_lead(word: Word) -> bool:
    return word.text.startswith("-") or (not word.static and word.text[:1] in {"$", "`"})


def with_doubts(simple: SimpleCommand, names: frozenset[str]) -> SimpleCommand:
    """Mark the words of a command that may turn out to be options."""
    return attrs.evolve(simple, words=tuple(_doubtful(word, names) for word in simple.words))


def _doubtful(word: Word, names: frozenset[str]) -> Word:
    leading = None if word.static else _LEADING.match(word.text)
    if leading is None or word.splits:
        return word
    name = leading[1]
    return attrs.evolve(word, splits=True) if name in names or name in "@*" or name.isdigit() else word
