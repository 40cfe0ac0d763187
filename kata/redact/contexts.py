"""Secrets that are known by what stands before them: a name, a header, an option."""

import re
from collections.abc import Iterator

from .names import names_secret
from .values import Span

STEMS = ("pass", "pwd", "secret", "token", "key", "auth", "cred", "bearer", "cookie")

_ASSIGNED = re.compile(
    r"""(?P<name>[A-Za-z_][\w.-]{0,60}?)(?:\\*["'])?\s{0,4}(?:=>|:=|[=:])\s{0,4}"""
    r"""(?:(?P<quote>\\*["'`])(?P<quoted>[^"'`\\\n]{1,4096})|(?P<bare>[^\s"'`,;&<>(){}\[\]\\]{1,4096}))"""
)
_SCHEME = re.compile(
    r"(?:bearer|basic|token|digest|apikey|negotiate)\s+(?P<secret>[^\s\"',;\\]{1,4096})", re.IGNORECASE
)
_PLACEHOLDER = re.compile(
    r"(?:\$|<|\{\{|%|\*+$|\.\.\.|x+$|none$|null$|true$|false$|str\b|string$|required$|os\.|process\.|env\.|self\.)",
    re.IGNORECASE,
)


def find_contexts(text: str, lower: str) -> Iterator[Span]:
    """Find secrets by the words before them; ``lower`` is the text in small letters."""
    if not any(stem in lower for stem in STEMS):
        return
    for match in _ASSIGNED.finditer(text):
        if names_secret(match["name"]):
            yield from _value(match)
    if any(word in lower for word in ("bearer ", "basic ")):
        for match in _SCHEME.finditer(text):
            yield Span(match.start("secret"), match.end("secret"), "credential")


def _value(match: re.Match[str]) -> Iterator[Span]:
    group = "quoted" if match["quoted"] else "bare"
    if not is_placeholder(match[group]):
        yield Span(match.start(group), match.end(group), "credential")


def is_placeholder(text: str) -> bool:
    """Tell whether what stands in a secret's place is plainly none."""
    return _PLACEHOLDER.match(text) is not None
