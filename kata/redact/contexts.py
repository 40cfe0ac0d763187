"""Secrets that are known by the name before them: assignments, fields, headers, options, parameters of addresses."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from .looks import is_nothing, is_opaque, is_path, is_reference
from .names import Hint, hint, least_length
from .values import Span

STEMS = ("pass", "pwd", "secret", "token", "key", "auth", "cred", "cookie", "jwt", "otp", "sig", "bearer")
"""What every such name holds: the cheap test."""

_NAMED = re.compile(
    r"(?P<own>(?:pass|pwd|secret|token|key|auth|cred|cookie|jwt|otp|sig)[\w.-]{0,60}+)(?:\\{0,3}+[\"'`])?\]?"
    r"(?:[ \t]{0,3}+(?P<mark>=>|:=|==|=|:(?!//))(?P<blank>[ \t]{0,8}+)|(?P<option>[ \t]{1,4}+)(?=[^\s-]))"
)
_ANNOTATION = re.compile(
    r"(?:[A-Za-z_][\w.]{0,40}(?:\[[\w., |]{0,60}\])?(?: \| None)?)[ \t]{0,3}=[ \t]{0,3}(?=[bru]?[\"'])"
)
_QUOTE = re.compile(r"[bruBRU]{0,2}(\\{0,3}+(?:\"\"\"|'''|[\"'`]))")
_BARE = re.compile(r"(?:[^\s\"'`,;&<>|\\]|\\(?![nrt\"'\\u]))+")
_ENV = re.compile(r"(?:[^\s\"'`;&<>|\\]|\\(?![nrt\"'\\u]))+")
_TRAILING = ".,:;)]}>"
_SCHEME = re.compile(
    r"(?:bearer|basic|token|digest|apikey|api-key|key|negotiate|oauth|splunk|aws4-hmac-sha256)[ \t]{1,4}(?=\S)",
    re.IGNORECASE,
)
_CALL = re.compile(r"(?:[a-z_][a-z0-9_.]*|[A-Za-z_.]+)\(")
_DEFAULT = re.compile(r"[-=+]([^}\s]{1,512})\}")
_LONGEST = 8192


def find_contexts(text: str, lower: str) -> Iterator[Span]:
    """Find secrets by the names before them.

    Args:
        text: The text.
        lower: The same in small letters.
    """
    position = 0
    while (match := _NAMED.search(lower, position)) is not None:
        span = _named(text, match)
        if span is not None:
            yield span
        position = span.end if span else match.end()


class _Name(NamedTuple):
    """A name before a value.

    Attributes:
        text: The name, with its dashes.
        sure: Whether whatever stands there is a secret.
        header: Whether a scheme (``Bearer``) may stand before the secret.
        default: Whether it is a shell variable with a default (``${NAME:-value}``).
        colon: Whether a colon stands behind it, as in prose.
    """

    text: str
    sure: bool
    header: bool
    default: bool
    colon: bool


def _named(text: str, match: re.Match[str]) -> Span | None:
    first = _first(text, match.start())
    name = text[first : match.end("own")]
    said = hint(name.strip("-."))
    if said is Hint.NONE or (match["option"] and not name.startswith("-")):
        return None
    colon = match["mark"] == ":"
    start = match.end()
    annotation = _ANNOTATION.match(text, start) if colon else None
    kind = _Name(
        name,
        said is Hint.SURE and match["mark"] != "==",
        name.lower().endswith("authorization"),
        text.endswith("${", 0, first) and colon,
        colon,
    )
    return _value(text, annotation.end() if annotation else start, kind)


def _first(text: str, start: int) -> int:
    """Return where a name begins that holds the word found at ``start``."""
    least = max(0, start - 64)
    while start > least and (text[start - 1].isalnum() or text[start - 1] in "_.-"):
        start -= 1
    return start


def _value(text: str, start: int, name: _Name) -> Span | None:
    if name.default:
        return _default(text, start)
    quote = _QUOTE.match(text, start)
    if quote is not None:
        return _quoted(text, quote, name)
    scheme = _SCHEME.match(text, start) if name.header or not name.sure else None
    start = scheme.end() if scheme else start
    upper = name.text.isupper()
    match = (_ENV if upper else _BARE).match(text, start, start + _LONGEST)
    secret = "" if match is None else match.group() if upper else match.group().rstrip(_TRAILING)
    if is_nothing(secret) or (not (name.header and scheme) and _doubtful(secret, name)):
        return None
    return Span(start, start + len(secret), "credential")


def _default(text: str, start: int) -> Span | None:
    """Read ``-value}``."""
    match = _DEFAULT.match(text, start)
    return None if match is None or is_nothing(match[1]) else Span(*match.span(1), "credential")


def _doubtful(secret: str, name: _Name) -> bool:
    """Tell whether an unquoted text is rather code, a variable, a file or a word of prose than a secret."""
    if not (name.sure or is_opaque(secret, least_length(name.text))):
        return True
    if is_reference(secret) or ("pass" not in name.text.lower() and is_path(secret)):
        return True
    if name.text.isupper():
        return False
    return _CALL.match(secret) is not None or (
        name.colon and len(secret) < 6 and secret.isalpha() and secret.islower()
    )


def _quoted(text: str, quote: re.Match[str], name: _Name) -> Span | None:
    mark, sure = quote[1], name.sure
    if _closes(text, quote.start(1), mark):
        return None
    start = quote.end()
    end = _end_of_quote(text, mark, start)
    scheme = _SCHEME.match(text, start, end)
    if scheme is not None:
        start, sure = scheme.end(), sure or name.header
    secret = text[start:end]
    if is_nothing(secret) or secret.count(" ") > 6 or secret.startswith(("http://", "https://")):
        return None
    if not sure and not is_opaque(secret, least_length(name.text)):
        return None
    if is_path(secret) or (is_reference(secret) and secret.isupper()):
        return None
    return Span(start, end, "credential")


def _closes(text: str, position: int, mark: str) -> bool:
    """Tell whether a quote ends what was quoted before it, as in ``input('Password: ')``."""
    line = text.rfind("\n", max(0, position - 400), position) + 1
    known = line > 0 or position <= 400
    return known and text.count(mark, line, position) % 2 == 1


def _end_of_quote(text: str, mark: str, start: int) -> int:
    """Return where the quoted text ends: at the same mark, not escaped; at the latest at the end of the line."""
    limit = min(len(text), start + _LONGEST)
    if len(mark.lstrip("\\")) == 1:
        line = text.find("\n", start, limit)
        limit = line if line >= 0 else limit
    end = text.find(mark, start, limit)
    while end > start and text[end - 1] == "\\" and not mark.startswith("\\"):
        end = text.find(mark, end + 1, limit)
    return end if end >= 0 else limit
