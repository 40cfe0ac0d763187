"""Credentials in addresses: before the ``@`` (case B069). Parameters are found by their names, as elsewhere."""

import re
from collections.abc import Iterator

from .looks import is_nothing, is_opaque
from .values import Span

MARK = "://"
SHORTEST = 8
"""Characters of a token."""

_NONE = r"\s/?#\"'<>\\`|{}"
_AUTHORITY = re.compile(rf"[^{_NONE}]{{0,512}}")
_TELLING = re.compile(
    rf"://(?=[^{_NONE}@:]{{0,511}}+:|[^{_NONE}:]{{0,511}}+:[^{_NONE}]{{0,511}}@|[^{_NONE}]{{{SHORTEST},511}}@)"
)
"""An address with a colon, which may stand before a password, or with a user part as long as a token."""
_LONGER = re.compile(r"[^\s\"'<>\\`|{}@]{1,128}@[\w.-]+(?::\d{1,5})?(?=[/\s?\"']|$)")
_PORT = re.compile(r"\d{1,5}")
_KEY = re.compile(r"[?&;](?:key|code|sig)=([\w%+/=.~-]{16,512})")


MOST = 4096
"""So many addresses that may hold one are made to keep Kata busy: what follows is masked unseen."""


def find_in_urls(text: str) -> Iterator[Span]:
    """Find passwords and tokens in the user part of addresses."""
    for count, telling in enumerate(_TELLING.finditer(text)):
        if count == MOST:
            yield Span(telling.start(), len(text), "credential")
            break
        match = _AUTHORITY.match(text, telling.end())
        if match is not None:
            yield from _user_part(text, *match.span())
    if "?" in text or "&" in text or ";" in text:
        yield from (
            Span(*match.span(1), "credential") for match in _KEY.finditer(text) if is_opaque(match[1], 16)
        )


def _user_part(text: str, start: int, end: int) -> Iterator[Span]:
    at = text.rfind("@", start, end)
    if at < 0:
        at = _late_at(text, start, end)
    if at < 0:
        return
    colon = text.find(":", start, at)
    if colon < 0:
        yield from _token(text, start, at)
        return
    if not is_nothing(text[colon + 1 : at]):
        yield Span(colon + 1, at, "credential")
    if is_opaque(text[start:colon], 16):
        yield Span(start, colon, "credential")


def _token(text: str, start: int, at: int) -> Iterator[Span]:
    """A bare user part is a token if it looks like one; ``git@`` and people's names do not."""
    if is_opaque(text[start:at]) and not is_nothing(text[start:at]):
        yield Span(start, at, "credential")


def _late_at(text: str, start: int, end: int) -> int:
    """Find the ``@`` behind a password that holds a slash: only where no port stands behind the colon."""
    colon = text.find(":", start, end)
    if colon < 0 or _PORT.fullmatch(text, colon + 1, end) or colon + 1 == end:
        return -1
    match = _LONGER.match(text, colon + 1)
    return text.find("@", colon, match.end()) if match else -1
