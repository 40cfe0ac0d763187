"""Secrets that are known by the name before them: assignments, fields, headers, options, parameters of addresses."""

import re
from collections.abc import Iterator

from .looks import is_nothing, is_opaque, is_path, is_reference
from .names import Hint, hint
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


def _named(text: str, match: re.Match[str]) -> Span | None:
    name = _name(text, match)
    said = hint(name.strip("-."))
    if said is Hint.NONE or (match["option"] and not name.startswith("-")):
        return None
    header = name.lower().rpartition("-")[2] == "authorization"
    start = match.end()
    annotation = _ANNOTATION.match(text, start) if match["mark"] == ":" else None
    start = annotation.end() if annotation else start
    sure = said is Hint.SURE and match["mark"] != "=="
    return _value(text, start, name, sure=sure, header=header, prose=match["mark"] == ":")


def _name(text: str, match: re.Match[str]) -> str:
    """Return the whole name, with the part before the word that was found, and its dashes."""
    start = match.start()
    first = max(0, start - 64)
    while start > first and (text[start - 1].isalnum() or text[start - 1] in "_.-"):
        start -= 1
    return text[start : match.end("own")]


def _value(text: str, start: int, name: str, *, sure: bool, header: bool, prose: bool) -> Span | None:
    quote = _QUOTE.match(text, start)
    if quote is not None:
        return _quoted(text, quote, sure=sure, header=header)
    scheme = _SCHEME.match(text, start) if header or not sure else None
    start = scheme.end() if scheme else start
    pattern = _ENV if name.isupper() else _BARE
    match = pattern.match(text, start, start + _LONGEST)
    if match is None:
        return None
    secret = match.group().rstrip(_TRAILING if not name.isupper() else "")
    if is_nothing(secret) or text[start + len(secret) : start + len(secret) + 1] == "(":
        return None
    if scheme is not None and header:
        return Span(start, start + len(secret), "credential")
    if _unsure(secret, name) or not (sure or is_opaque(secret)):
        return None
    if prose and not name.isupper() and secret.isalpha() and secret.islower() and len(secret) < 6:
        return None
    return Span(start, start + len(secret), "credential")


def _unsure(secret: str, name: str) -> bool:
    """Tell whether an unquoted text is rather code, a variable or a file than the value itself."""
    return is_reference(secret) or ("pass" not in name.lower() and is_path(secret))


def _quoted(text: str, quote: re.Match[str], *, sure: bool, header: bool) -> Span | None:
    mark = quote[1]
    start = quote.end()
    end = _end_of_quote(text, mark, start)
    scheme = _SCHEME.match(text, start, end)
    if scheme is not None:
        start, sure = scheme.end(), sure or header
    secret = text[start:end]
    if is_nothing(secret) or secret.count(" ") > 6 or secret.startswith(("http://", "https://")):
        return None
    if not sure and not is_opaque(secret):
        return None
    if is_path(secret) or (is_reference(secret) and secret.isupper()):
        return None
    return Span(start, end, "credential")


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
