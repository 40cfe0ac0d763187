"""``Bearer S`` and ``Basic S`` wherever they stand."""

import re
from base64 import b64decode
from collections.abc import Callable, Iterator

from .looks import is_nothing, is_opaque
from .values import Span

_BEARER = re.compile(r"bearer[ \t]{1,4}")
_BASIC = re.compile(r"basic[ \t]{1,4}")
_TOKEN = re.compile(r"[\w.~+/=:-]{6,8192}+")


def find_schemes(text: str, lower: str) -> Iterator[Span]:
    """Find the credentials behind the names of authentication schemes, where they look like some."""
    if "bearer " in lower:
        yield from _behind(_BEARER, text, lower, is_opaque)
    if "basic " in lower:
        yield from _behind(_BASIC, text, lower, _is_pair)


MOST = 2048
"""So many names of a scheme are made to keep Kata busy: what follows is masked unseen."""


def _behind(
    scheme: re.Pattern[str], text: str, lower: str, is_secret: Callable[[str], bool]
) -> Iterator[Span]:
    for number, match in enumerate(scheme.finditer(lower)):
        if number == MOST:
            yield Span(match.end(), len(text), "credential")
            return
        token = _TOKEN.match(text, match.end())
        if token is not None and not is_nothing(token.group()) and is_secret(token.group()):
            yield Span(token.start(), token.end(), "credential")


def _is_pair(token: str) -> bool:
    """Tell whether base64 text decodes to ``user:password``."""
    try:
        data = b64decode(token, validate=True)
    except ValueError:
        return False
    return b":" in data and data.isascii()
