"""Secrets that a program's own way of writing shows: ``-u user:S``, ``-pS``, ``login -p S`` (case B073)."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from .holding import Holds
from .lazily import compiled
from .looks import is_nothing
from .values import Span

_ON = r"(?:\\\r?\n[ \t]{0,16}+)?"
"""A command that goes on in the next line."""

_WORD = _ON + r"(?:'([^'\n]{1,512})'|\"([^\"\n]{1,512})\"|([^\s'\"|;&<>\\]{1,512}))"


class _Usage(NamedTuple):
    """A program's name, and of what in the rest of its command is a secret the source (any group that matched)."""

    program: str
    source: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """The pattern itself."""
        return compiled(self.source)


def _usages(programs: str, *patterns: str) -> tuple[_Usage, ...]:
    return tuple(
        _Usage(program, pattern.replace("WORD", _WORD))
        for program in programs.split()
        for pattern in patterns
    )


_USER = (
    _ON
    + r"(?:'[^':\n]{0,128}:([^'\n]{1,512})'|\"[^\":\n]{0,128}:([^\"\n]{1,512})\"|[^\s'\":]{1,128}:([^\s'\"|;&<>\\]{1,512}))"
)
USAGES = (
    *_usages("curl", rf"\s(?:-[a-zA-Z]{{0,8}}[uU]|--user|--proxy-user)[ =]?{_USER}", r"\s--pass[ =]WORD"),
    _Usage("http ", rf"(?<=\s)(?:-a|--auth)[ =]?{_USER}"),
    *_usages("mysql mysqldump mysqladmin mariadb", r"\s-p(?![\s-])WORD"),
    *_usages("sshpass", r"\s-p\s?WORD"),
    *_usages("login", r"\s(?:-p|--password)[ =]WORD"),
    *_usages("redis-cli", r"\s-a\s+WORD"),
    *_usages("mongosh mongo mongodump mongorestore", r"\s-p\s+WORD"),
    *_usages("zip unzip", r"\s-P\s+WORD"),
    *_usages("7z 7za", r"\s-p(?![\s-])WORD"),
    *_usages("openssl", r"\bpass:([^\s'\"|;&<>\\]{1,512})", r"\s-[kK]\s+WORD"),
    *_usages("smbclient", r"\s-U\s*[^\s%'\"]{1,128}%([^\s'\"|;&<>\\]{1,512})"),
    *_usages("ldapsearch ldapmodify ldapadd", r"\s-w\s+WORD"),
    *_usages("htpasswd", r"\s-\w{0,16}b\w{0,16}\s+\S{1,256}\s+\S{1,128}\s+WORD"),
    *_usages("sqlcmd", r"\s-P\s?WORD"),
    *_usages("vault", r"\slogin\s+(?!-)WORD"),
    *_usages("_authToken", r"(?<=_authToken)\s+WORD"),
    _Usage("configure set ", r"(?<!\S)(?=\S{1,140}+\s)\S{0,64}?(?:secret|token)\S{0,64}+\s+" + _WORD),
    *_usages("--from-literal", r"[= ]['\"]?[\w.-]{1,128}=([^\s'\"|;&<>\\]{1,512})"),
    *_usages("--with-token --password-stdin", r"<<<\s*WORD"),
    *_usages("chpasswd", r"<<<\s*['\"]?[\w.-]{1,64}:([^\s'\"|;&<>\\]{1,512})"),
)
_FED = re.compile(
    r"(?:echo|printf)\s+(?:-\w+\s+|'%s(?:\\n)?'\s+)?"
    + _WORD
    + r"\s*\|[^\n|]{0,300}?(?:--with-token|--password-stdin|\bsudo\s+-\w*S|--passphrase-fd|\blogin\b|\bchpasswd\b)"
)
_FED_TO = ("--with-token", "--password-stdin", "sudo", "--passphrase-fd", "login", "chpasswd")
_SEGMENT = re.compile(r"(?:[^\n;|&'\"\\]++|\\(?:\r?\n)?|'[^'\n]*+'|\"(?:\\.|[^\"\\\n])*+\"|['\"])*+")
"""One command, quoted text taken whole."""


MOST = 1024
"""So many commands of one program, and words in them, are made to keep Kata busy: what follows is masked unseen."""

_SIGNS = (" -", "\n-", "pass:", "_authToken", "configure set ", "vault", "|")
"""What every such command holds: the cheap test."""


def present(holds: Holds) -> tuple[_Usage, ...]:
    """Return the usages whose program stands in a text."""
    if not any(map(holds, _SIGNS)):
        return ()
    return tuple(usage for usage in USAGES if holds(usage.program))


def find_in_commands(text: str, usages: tuple[_Usage, ...]) -> Iterator[Span]:
    """Find secrets in commands of these programs."""
    for usage in usages:
        yield from _find(text, usage)


def may_feed(holds: Holds) -> bool:
    """Tell whether something may be fed to a login in a text."""
    return holds("|") and any(map(holds, _FED_TO))


def find_fed(text: str) -> Iterator[Span]:
    """Find secrets that are piped into a login."""
    for match in _FED.finditer(text):
        yield from _groups(match)


def _find(text: str, usage: _Usage) -> Iterator[Span]:
    done = 0
    position = text.find(usage.program)
    while position >= 0:
        if done >= MOST:
            yield Span(position, len(text), "credential")
            return
        start = position + len(usage.program)
        segment = _SEGMENT.match(text, start)
        end = segment.end() if segment else start
        for match in usage.pattern.finditer(text, start, end):
            if done >= MOST:
                yield Span(match.start(), len(text), "credential")
                return
            done += 1
            yield from _groups(match)
        done += 1
        position = text.find(usage.program, max(end, start))


def _groups(match: re.Match[str]) -> Iterator[Span]:
    for group in range(1, (match.re.groups or 0) + 1):
        if match[group] and not is_nothing(match[group]):
            yield Span(match.start(group), match.end(group), "credential")
