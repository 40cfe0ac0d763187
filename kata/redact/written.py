"""Secrets in ways of writing that have a name and a value, but no mark between them: XML, forms, netrc, macros, YAML blocks."""

import re
from collections.abc import Iterator

from .holding import Holds
from .looks import is_nothing, is_opaque, is_path, is_prose, is_reference
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
)
"""What stands in each at least: the cheap test; then the name and the secret."""

_PAIR = re.compile(
    r"(?:auth[ \t]{0,3}=[ \t]{0,3}|(?:Basic|Digest|Ntlm|NTLM)Auth)\(\s{0,9}+[bru]?(?:\"[^\"\n]{0,256}+\"|'[^'\n]{0,256}+'|[\w.]{1,64}+)"
    r"\s{0,9}+,\s{0,9}+[bru]?(?:\"([^\"\n]{1,512}+)\"|'([^'\n]{1,512}+)')"
)
"""``auth=("user", "secret")``."""

_BLOCK = re.compile(
    rf"(?<![\w.-])({_NAME})[\"']?:[ \t]{{0,4}}+[|>][0-9+-]{{0,2}}+[ \t]{{0,4}}+(?:#[^\n]{{0,80}}+)?\r?\n([ \t]{{1,16}}+)(?=[^\s|#])",
    re.IGNORECASE,
)
_BLOCK_SIGNS = (": |", ": >", ":|", ":>")
_MOST_LINES = 64

MOST = 1024
"""So many names of blocks are made to keep Kata busy: what follows is masked unseen."""

_LONE = r"[\"']?([^\s\"'=(){}\[\]<>;,|]{8,512}+)(?<!:)[\"']?[ \t]{0,4}+\r?$"
_BELOW = re.compile(
    rf"^(?:[ \t]{{1,16}}+(?:- )?)?[\"']?({_NAME})[\"']?:[ \t]{{0,4}}+\r?\n[ \t]{{1,16}}+(?:- )?{_LONE}",
    re.IGNORECASE | re.MULTILINE,
)
_PROMPT = re.compile(
    rf"(password|passphrase|passcode)(?: for [^\s:]{{1,64}}+)?:[ \t]{{0,4}}+\r?\n{_LONE}",
    re.IGNORECASE | re.MULTILINE,
)
_BELOW_SIGNS = (":\n", ": \n", ":\r\n", ": \r\n")
_SAYING = re.compile(r"(?:[a-z]+(?:[-_/.:][a-z0-9]+)+|\d{4}-\d\d.*)$", re.IGNORECASE)
"""A file, a host, a date, or words with hyphens."""

Finder = tuple[str, ...]


def present(holds: Holds) -> Finder:
    """Return which ways of writing a text may hold."""
    kinds = [needle for needle, _ in _KINDS if holds(needle)]
    kinds += ["pair"] if holds("uth") and holds("(") else []
    kinds += ["block"] if any(map(holds, _BLOCK_SIGNS)) else []
    kinds += ["below"] if any(map(holds, _BELOW_SIGNS)) else []
    return tuple(kinds)


def find_written(text: str, kinds: Finder) -> Iterator[Span]:
    """Find secrets behind names that can only mean one."""
    for needle, pattern in _KINDS:
        if needle in kinds and needle in text:
            yield from _named(text, pattern)
    if "pair" in kinds:
        yield from _pairs(text)
    if "block" in kinds:
        yield from _blocks(text)
    if "below" in kinds:
        yield from _below(text)


def _named(text: str, pattern: re.Pattern[str]) -> Iterator[Span]:
    for match in pattern.finditer(text):
        if hint(match[1]) is Hint.SURE and not is_nothing(match[2]):
            yield Span(*match.span(2), "credential")


def _pairs(text: str) -> Iterator[Span]:
    for match in _PAIR.finditer(text):
        secret = match[match.lastindex or 0]
        if not is_nothing(secret) and not secret.startswith(("http://", "https://")):
            yield Span(*match.span(match.lastindex or 0), "credential")


def _blocks(text: str) -> Iterator[Span]:
    """Find YAML's ``name: |`` with lines below it that are all of the secret."""
    covered = 0
    for count, head in enumerate(_BLOCK.finditer(text)):
        if count >= MOST:
            yield Span(head.start(), len(text), "credential")
            return
        start = head.end()
        if head.start() < covered or hint(head[1]) is not Hint.SURE:
            continue
        first = text[start : _end_of_line(text, start)].strip()
        if not is_nothing(first) and not is_prose(first):
            covered = _end_of_block(text, start, head[2])
            yield Span(start, covered, "credential")


def _end_of_block(text: str, start: int, indent: str) -> int:
    end = _end_of_line(text, start)
    for _ in range(_MOST_LINES):
        if not text.startswith(indent, end + 1):
            break
        end = _end_of_line(text, end + 1)
    return end - 1 if text[end - 1] == "\r" else end


def _end_of_line(text: str, start: int) -> int:
    end = text.find("\n", start)
    return end if end >= 0 else len(text)


def _below(text: str) -> Iterator[Span]:
    """Find what stands alone on the line below a name, or below a prompt."""
    for pattern in (_BELOW, _PROMPT):
        for match in pattern.finditer(text):
            if hint(match[1]) is Hint.SURE and _is_lone_secret(match[2]):
                yield Span(*match.span(2), "credential")


def _is_lone_secret(text: str) -> bool:
    return (
        is_opaque(text)
        and not is_nothing(text)
        and not is_reference(text)
        and not is_path(text)
        and _SAYING.match(text) is None
    )
