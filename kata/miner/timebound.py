"""Constants that look bound to a day, a temporary place or one run (case B038), and places that will be gone (case B014)."""

import re
from collections.abc import Iterator

from ..json import JsonValue

_MARKS = (
    ("a date", re.compile(r"(?<!\d)(?:19|20)\d\d-[01]\d-[0-3]\d(?!\d)|(?<!\d)20\d{6}(?!\d)")),
    ("a time", re.compile(r"(?<!\d)[0-2]\d:[0-5]\d:[0-5]\d(?!\d)|(?<!\d)1[6-9]\d{8}(?:\d{3})?(?!\d)")),
    (
        "a temporary path",
        re.compile(
            r"(?:^|[\s=:'\"])/(?:private/)?(?:tmp|var/folders|var/tmp|run/user|dev/shm)/|\btmp[a-z0-9_]{6,}\b"
        ),
    ),
    ("a process or run id", re.compile(r"\b(?:pid|run|job|build|session)[-_=/:#]?\d{3,}\b", re.IGNORECASE)),
    ("a port", re.compile(r"(?:localhost|127\.0\.0\.1|\[::1\]):\d{4,5}\b|--port[= ]\d{4,5}\b")),
    (
        "a UUID",
        re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.IGNORECASE),
    ),
    ("a commit id", re.compile(r"(?<![\w-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?![\w-])")),
)
_ENDS = re.compile(r"[\s'\"=;|&<>(),]")
_LEADS = frozenset(" \t\r\n=:'\"")
"""What ends a word, and what a mark may have taken in before its own first letter."""

QUOTED = 60
"""Characters of a quote in a warning."""

_SPILLED = re.compile(r"/cache/tool_responses/|/tool[_-]results?[_/-]")


def looks_bound(value: JsonValue) -> tuple[str, str] | None:
    """Say what in a constant looks bound to a time or a run (``a date``), if anything, and quote the word it stands in."""
    for text in _texts(value):
        for name, pattern in _MARKS:
            found = pattern.search(text)
            if found:
                return name, _word(text, found)
    return None


def _word(text: str, found: re.Match[str]) -> str:
    """Quote a find with what belongs to it, and nothing of what else the text says."""
    mark = found.group()
    before = _ENDS.split(text[: found.start()])[-1]
    if mark[0] in _LEADS:
        before, mark = "", mark[1:]
    rest = mark + _ENDS.split(text[found.end() :])[0]
    return before + rest if len(before + rest) <= QUOTED else shortened(rest)


def shortened(text: str) -> str:
    """Cut a quote that is too long, and show that it was."""
    return text if len(text) <= QUOTED else text[: QUOTED - 3] + "..."


def is_spilled(value: JsonValue) -> bool:
    """Tell whether a value names a file into which the host put one oversized answer."""
    return any(_SPILLED.search(text) for text in _texts(value))


def _texts(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
