"""Passwords in lines of a ``.pgpass``: ``host:port:database:user:password``, with no word that says so."""

import re
from collections.abc import Iterator

from .holding import Holds
from .looks import is_nothing, is_path
from .values import Span

_LINE = re.compile(
    r"^([\w.*/-]{1,255}+):(?:\d{4,5}+|\*):(?!\d+:)[^\s:]{1,63}+:[^\s:]{1,63}+:((?:\\[:\\]|[^\s:\\]){1,512}+)[ \t]{0,4}+\r?$",
    re.MULTILINE,
)
_SIGNS = (":5432:", ":*:", "pgpass")
"""The usual port, any port or database, or the file's name: the cheap test."""


def may_stand(holds: Holds) -> bool:
    """Tell whether such lines may stand in a text."""
    return any(map(holds, _SIGNS))


def find_in_passfile(text: str) -> Iterator[Span]:
    """Find the passwords; a place in a file (``a.py:1234:…``) is no host."""
    for match in _LINE.finditer(text):
        if not is_path(match[1]) and not is_nothing(match[2]):
            yield Span(*match.span(2), "credential")
