"""What an input is called: the argument's key; in a command the flag before it, or a known place; never a value (design 4)."""

import re
from collections.abc import Sequence

_SHORT_FLAGS = {
    "-m": "message",
    "-b": "branch",
    "-o": "output",
    "-f": "file",
    "-n": "number",
    "-C": "directory",
}
_PLACES = {
    ("git", "push"): ("remote", "branch"),
    ("git", "pull"): ("remote", "branch"),
    ("git", "fetch"): ("remote", "branch"),
    ("git", "checkout"): ("branch",),
    ("git", "switch"): ("branch",),
    ("git", "merge"): ("branch",),
    ("git", "rebase"): ("branch",),
    ("git", "add"): ("path",),
    ("git", "show"): ("commit",),
    ("git", "clone"): ("url",),
}
"""Positional words that everybody calls the same."""

_UNSAFE = re.compile(r"\W+", re.ASCII)


def input_hint(key: str, words: Sequence[str], texts: Sequence[str]) -> str:
    """Suggest a name for a part of a command.

    Args:
        key: The argument that holds the command.
        words: The words before it, as in the first example.
        texts: The word itself, in each example.
    """
    flags = {text.split("=", 1)[0] for text in texts if "=" in text}
    if len(flags) == 1 and next(iter(flags)).startswith("-"):
        return identifier(next(iter(flags)), key)
    if words and words[-1].startswith("-") and "=" not in words[-1]:
        return _SHORT_FLAGS.get(words[-1]) or identifier(words[-1], key)
    return _place(words) or identifier(key, "value")


def identifier(text: str, otherwise: str) -> str:
    """Make a plain lower-case name of a flag or key; ``otherwise`` where nothing of it can be used."""
    name = _UNSAFE.sub("_", text).strip("_").lower()
    if len(name) < 2 or name[0].isdigit():
        return otherwise
    return name[:40]


def _place(words: Sequence[str]) -> str | None:
    plain = [word for word in words if not word.startswith("-")]
    for start in range(len(plain) - 2, -1, -1):
        names = _PLACES.get((plain[start], plain[start + 1]))
        if names:
            place = len(plain) - start - 2
            return names[place] if place < len(names) else None
    return None
