"""What people type in a chat, on phones above all: curly quotes, long dashes, full-width characters, capitals (ux 5)."""

import re
import shlex
import unicodedata

from ..errors import UsageError
from .parser import ALIASES, VERBS
from .text import say

MARKS = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»″＂", '"'),
        **dict.fromkeys("‘’‚‛′＇", "'"),
        **dict.fromkeys("—―", "--"),
        **dict.fromkeys("–‐‑‒−﹣－", "-"),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u200e\u200f", ""),
    }
)
"""Keyboards put these where one means plain quotes and dashes, or nothing at all."""

REASON = re.compile(r"(.*?\bbecause)\s+(.*)", re.IGNORECASE | re.DOTALL)
KEYWORDS = frozenset(
    (*VERBS, *ALIASES, "all", "allow", "as", "because", "changed", "last", "show", "until", "using", "yes")
)


def split(text: str) -> list[str]:
    """Split typed words as a shell would; what follows ``because`` is one word, whatever it holds.

    Raises:
        UsageError: a quotation mark is not closed.
    """
    plain = unicodedata.normalize("NFKC", text.translate(MARKS)).strip()
    words = _words(plain)
    at = next((at for at, word in enumerate(words) if word.lower() == "because"), len(words))
    note = " ".join(words[at + 1 :])
    return [*map(_keyword, words[: at + 1]), *([note] if note else [])]


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        reason = REASON.fullmatch(text)
    try:
        if reason is not None:
            return [*shlex.split(reason[1]), *reason[2].split()]
    except ValueError:
        pass
    raise UsageError(say("usage.quotes"))


def _keyword(word: str) -> str:
    """Write a word of Kata's own small; a value stays as it was typed."""
    flag, equals, value = word.partition("=")
    if flag.startswith("--") or (not equals and flag.lower() in KEYWORDS):
        return flag.lower() + equals + value
    return word
