"""Secrets in ways of writing that have a name and a value, but no mark between them: XML, forms, netrc, YAML blocks, macros."""

import re
from collections.abc import Iterator

from .looks import is_nothing
from .names import Hint, hint
from .values import Span

_NAME = r"[\w:.-]{0,40}?(?:pass|pwd|secret|token|key|cred)[\w.-]{0,40}"
_KINDS = (
    ("</", re.compile(rf"<({_NAME})(?:\s[^<>\n]{{0,200}})?>([^<>\n]{{1,8192}})</", re.IGNORECASE)),
    (
        "type=",
        re.compile(
            r"type=[\"'](password)[\"'][^<>\n]{0,200}?\bvalue=[\"']([^\"'<>\n]{1,512})", re.IGNORECASE
        ),
    ),
    (
        "machine ",
        re.compile(
            r"\bmachine[ \t]+\S{1,256}\s{1,9}login\s{1,9}\S{1,256}\s{1,9}(password)\s{1,9}(\S{1,512})"
        ),
    ),
    (
        "#define ",
        re.compile(rf"#define[ \t]{{1,9}}({_NAME})[ \t]{{1,9}}\"([^\"\n]{{1,512}})\"", re.IGNORECASE),
    ),
    (
        ":",
        re.compile(rf"(?<![\w.-])({_NAME}):[ \t]{{0,4}}[|>][+-]?\n[ \t]{{1,16}}(\S{{6,512}})", re.IGNORECASE),
    ),
)
"""What stands in each at least: the cheap test; then the name and the secret."""

Writing = tuple[str, re.Pattern[str]]


def present(whole: str) -> tuple[Writing, ...]:
    """Return the ways of writing that a text may hold."""
    kinds = [kind for kind in _KINDS[:-1] if kind[0] in whole]
    block = ":\n" in whole or "|\n" in whole or ">\n" in whole or "-\n" in whole
    return (*kinds, _KINDS[-1]) if block else tuple(kinds)


def find_written(text: str, kinds: tuple[Writing, ...]) -> Iterator[Span]:
    """Find secrets behind names that can only mean one."""
    for needle, pattern in kinds:
        if needle not in text:
            continue
        for match in pattern.finditer(text):
            if hint(match[1]) is Hint.SURE and not is_nothing(match[2]):
                yield Span(*match.span(2), "credential")
