"""What the free words behind a verb mean: ``as NAME``, ``old=new``, ``using step2.a=step1.b``, ``because TEXT``, ``yes``."""

import re
from collections.abc import Sequence

import attrs

from ..errors import UsageError
from .text import say

CHOICE = re.compile(r"(step ?\d+\.[^=]+)=(step ?\d+.*|shown)")
RENAME = re.compile(r"([A-Za-z_][A-Za-z0-9_.]*)=([a-z][a-z0-9_]*)")


@attrs.frozen(kw_only=True)
class Words:
    """What a person added to a decision."""

    name: str = ""
    renames: tuple[tuple[str, str], ...] = ()
    using: tuple[tuple[str, str], ...] = ()
    note: str = ""
    yes: bool = False


def read_words(words: Sequence[str]) -> Words:
    """Read the words behind a verb.

    Raises:
        UsageError: a word means nothing here.
    """
    name, note, yes = "", "", False
    renames: list[tuple[str, str]] = []
    using: list[tuple[str, str]] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        rename, choice = RENAME.fullmatch(word), CHOICE.fullmatch(word)
        if word.lower() == "as" and rest:
            name = rest.pop(0).lower()
        elif word.lower() == "because" and rest:
            note, rest = " ".join(rest), []
        elif word.lower() == "yes":
            yes = True
        elif choice is not None:
            using.append((choice[1], choice[2]))
        elif word.lower() == "using" and rest:
            continue
        elif rename is not None:
            renames.append((rename[1], rename[2]))
        else:
            raise UsageError(say("usage.word", word=word), hint=say("usage.word.hint"))
    return Words(name=name, renames=tuple(renames), using=tuple(using), note=note, yes=yes)
