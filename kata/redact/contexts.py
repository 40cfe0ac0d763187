"""Secrets that are known by the name before them: assignments, fields, headers, options, parameters of addresses."""

import re
from collections.abc import Iterator

from .looks import is_nothing, is_opaque, is_path, is_reference
from .names import Hint, hint, least_length
from .values import Span

STEMS = ("pass", "pwd", "secret", "token", "key", "auth", "cred", "cookie", "jwt", "otp", "sig", "bearer")
"""What every such name holds: the cheap test."""

_STEM = re.compile("|".join(rf"{stem[:-1]}(?={stem[-1]})" for stem in STEMS[:-1]))
"""A stem, up to the letter with which another may begin (``secretoken``); a scheme's word is no name."""

_NAMED = re.compile(
    r"(?P<own>(?:pass|pwd|secret|token|(?<=[a-z0-9_.-])key|auth|cred|cookie|jwt|(?<![a-z])otp|(?<![a-z])sig)[\w.-]{0,40}+)(?:\\{0,3}+[\"'`])?\]?"
    r"(?:[ \t]{0,3}+(?P<mark>=>|:=|==|=|:(?!//))(?P<blank>[ \t]{0,8}+)|(?P<option>[ \t]{1,4}+(?:\\\r?\n[ \t]{0,16}+)?+)(?=[^\s-]))"
)
_ANNOTATION = re.compile(
    r"(?:[A-Za-z_][\w.]{0,40}(?:\[[\w., |]{0,60}\])?(?: \| None)?)[ \t]{0,3}=[ \t]{0,3}(?=[bru]?[\"'])"
)
_QUOTE = re.compile(r"[bruBRU]{0,2}(\\{0,3}+(?:\"\"\"|'''|[\"'`]))")
_QUOTES = frozenset("\"'`\\bruBRU")
_BARE = re.compile(r"(?:[^\s\"'`,;&<>|\\]++|\\(?![nrt\"'\\u]))++")
_ENV = re.compile(r"(?:[^\s\"'`;&<>|\\]++|\\(?![nrt\"'\\u]))++")
_OPENS = ("(", "[", "{")
"""What code begins with, and no secret without quotes."""

_TRAILING = ".,:;)]}>"
_SCHEME = re.compile(
    r"(?:bearer|basic|token|digest|apikey|api-key|key|negotiate|oauth|splunk|aws4-hmac-sha256)[ \t]{1,4}(?=\S)",
    re.IGNORECASE,
)
_CODE = re.compile(r"(?:[a-z_][a-z0-9_.]*\(|[A-Za-z_][A-Za-z_.]*[()\[\]{}])")
"""A call, an index, or a name at the end of a list of arguments."""

_GOES_ON = re.compile(r"[A-Za-z][a-z'-]*[,.;:]? [A-Za-z][a-z'-]*\b(?!\s*[:=])")
"""A sentence behind a colon."""
_SHORT_WORD = re.compile(r"[a-z]{1,4}$")
_NAME_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"
_LONG_VALUE = re.compile(r"(?:[A-Za-z][\w-]{2,20}[ \t]+)?[^\s]{8}")
"""What a name that says little must have behind it, a scheme aside."""
_LONGEST = 8192
_JUDGED = 520
"""So many first characters show whether an unquoted text is a secret; the rest is read only then."""

MOST_HARMLESS = 2048
"""So many names before harmless values are made to keep Kata busy, telling ones counted thrice: what follows is masked unseen."""

MOST_STEMS = 4096
"""So many words of secrets as well."""


def find_contexts(text: str, lower: str) -> Iterator[Span]:
    """Find secrets by the names before them.

    Args:
        text: The text.
        lower: The same in small letters.
    """
    stems = _stems(lower)
    covered = harmless = 0
    for match in _named(lower, stems[:MOST_STEMS]):
        if match.start() < covered:
            continue
        name = _telling_name(text, match)
        span = _behind(text, match, name) if name else None
        if span is not None:
            covered = span.end
            yield span
            continue
        harmless += 3 if name else 1
        if harmless > MOST_HARMLESS:
            yield Span(match.start(), len(text), "credential")
            return
    if len(stems) > MOST_STEMS:
        yield Span(stems[MOST_STEMS], len(text), "credential")


def _named(lower: str, stems: list[int]) -> Iterator[re.Match[str]]:
    """Find names with a mark behind them: from each stem on, which C finds many times quicker than any pattern."""
    end = 0
    for start in stems:
        match = _NAMED.match(lower, start) if start >= end else None
        if match is not None:
            end = match.end()
            yield match


def _stems(lower: str) -> list[int]:
    """Return where a name's stems begin, in order."""
    return [match.start() for match in _STEM.finditer(lower)]


def _telling_name(text: str, match: re.Match[str]) -> str:
    """Return the name that was found if a secret may stand behind it, else nothing."""
    name = text[_first(text, match.start()) : match.end("own")]
    said = hint(name)
    if said is Hint.NONE or (match["option"] and name[0] != "-"):
        return ""
    if said is Hint.LIKELY and _LONG_VALUE.match(text, match.end()) is None and not _is_header(name):
        return ""
    return name


def _behind(text: str, match: re.Match[str], name: str) -> Span | None:
    """Find the secret behind a name."""
    start, mark = match.end(), match["mark"]
    if mark == ":":
        first = match.end("own") - len(name)
        if text[first - 2 : first] == "${":
            return _default(text, start)
        start = _after_annotation(text, start)
    sure = mark != "==" and hint(name) is Hint.SURE
    if text[start : start + 1] in _QUOTES:
        quote = _QUOTE.match(text, start)
        if quote is not None:
            return _quoted(text, quote, name, sure=sure)
    return _bare(text, start, name, sure=sure)


def _first(text: str, start: int) -> int:
    """Return where a name begins that holds the word found at ``start``."""
    least = start - 64 if start > 64 else 0
    return least + len(text[least:start].rstrip(_NAME_LETTERS))


def _after_annotation(text: str, start: int) -> int:
    """Skip the type in ``password: str = "…"``."""
    if "=" not in text[start : start + 100]:
        return start
    annotation = _ANNOTATION.match(text, start)
    return annotation.end() if annotation else start


def _bare(text: str, start: int, name: str, *, sure: bool) -> Span | None:
    header = _is_header(name)
    scheme = _SCHEME.match(text, start) if header or not sure else None
    start = scheme.end() if scheme else start
    if text[start : start + 1] in _OPENS and not (header and scheme):
        return None
    upper = name.isupper()
    pattern = _ENV if upper else _BARE
    match = pattern.match(text, start, start + _JUDGED)
    if match is None:
        return None
    secret = match.group() if upper else match.group().rstrip(_TRAILING)
    if is_nothing(secret) or (not (header and scheme) and _doubtful(secret, name, sure=sure)):
        return None
    if text[start - 2 : start] == ": " and _GOES_ON.match(text, start):
        return None
    return Span(start, start + len(_whole(text, match, secret)), "credential")


def _whole(text: str, match: re.Match[str], judged: str) -> str:
    """Return all of an unquoted secret of which the beginning was judged."""
    if match.end() < match.start() + _JUDGED:
        return judged
    longer = match.re.match(text, match.start(), match.start() + _LONGEST)
    assert longer is not None
    return longer.group() if match.re is _ENV else longer.group().rstrip(_TRAILING)


def _is_header(name: str) -> bool:
    """Tell whether a scheme (``Bearer``) may stand between a name and the secret."""
    return name[-13:].lower() == "authorization"


def _default(text: str, start: int) -> Span | None:
    """Read the default of a shell variable, ``${NAME:-value}``."""
    end = text.find("}", start, start + 512)
    if end < 0 or text[start : start + 1] not in "-=+" or is_nothing(text[start + 1 : end]):
        return None
    return Span(start + 1, end, "credential")


def _doubtful(secret: str, name: str, *, sure: bool) -> bool:
    """Tell whether an unquoted text is rather code, a variable, a file or a word of prose than a secret."""
    if not (sure or is_opaque(secret, least_length(name))):
        return True
    if is_reference(secret) or secret == name or ("pass" not in name.lower() and is_path(secret)):
        return True
    return _CODE.match(secret) is not None or (not name.isupper() and _SHORT_WORD.match(secret) is not None)


def _quoted(text: str, quote: re.Match[str], name: str, *, sure: bool) -> Span | None:
    mark = quote[1]
    if _closes(text, quote.start(1), mark):
        return None
    start = quote.end()
    end = _end_of_quote(text, mark, start)
    scheme = _SCHEME.match(text, start, end)
    if scheme is not None:
        start, sure = scheme.end(), sure or _is_header(name)
    secret = text[start:end]
    if is_nothing(secret) or secret.count(" ") > 6 or secret.startswith(("http://", "https://")):
        return None
    if not sure and not is_opaque(secret, least_length(name)):
        return None
    return (
        None
        if is_path(secret) or (secret.isupper() and is_reference(secret))
        else Span(start, end, "credential")
    )


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
