"""Calls that reach for Kata itself: a deciding command, its API, its data folder (design 9, case B021)."""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

DECIDING = ("approve", "enable", "rollback", "reconsider", "undo")
"""Verbs that only a person may use."""

_OPTIONS = (
    r"(?:\s+-[^\s;|&]*(?:\s+(?!(?:kata|approve|enable|rollback|reconsider|undo)\b)[^\s;|&-][^\s;|&]*)?){0,6}"
)
_VERB = rf"(?P<verb>{'|'.join(DECIDING)})\b"
_COMMAND = re.compile(rf"\bhermes[\w.]*{_OPTIONS}\s+kata{_OPTIONS}\s+{_VERB}", re.IGNORECASE)
_SLASH = re.compile(rf"(?<![\w.~/-])/kata\s+{_VERB}", re.IGNORECASE)
_API = re.compile(r"/api/+plugins/+kata\b", re.IGNORECASE)
_DATA = re.compile(
    r"\bplugin-data\b(?:[/\s]+kata\b|/[^/\s]*[*?\[]|[^\n]{0,80}\s(?:\./)?kata/)", re.IGNORECASE
)
_MODULE = re.compile(r"\bhermes_plugins\s*\.\s*kata\b")
_QUOTES = str.maketrans("", "", "'\"`^")
_JOINTS = str.maketrans(dict.fromkeys(",[](){}=\x1f", " "))


def mentions_kata(args: Mapping[str, Any]) -> str | None:
    """Tell why a tool call must be blocked: what of Kata its arguments reach for; None for all other calls.

    Looks at every string in the arguments, with quotes, backslashes, ``$IFS``, percent signs and list syntax taken
    out of the way. Encoded text (base64) is not looked into.
    """
    text = "\x1f".join(_strings(args))
    if "kata" in text.lower() or _may_hide(text):
        return _reason(text)
    return None


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item)


def _may_hide(text: str) -> bool:
    """Tell whether the name may be there with marks in between."""
    if not any(mark in text for mark in "'\"\\%*?["):
        return False
    return "kata" in _plain(text).lower() or "plugin-data" in text


def _plain(text: str) -> str:
    """Take quotes, escapes and odd blanks out of the way."""
    if "%" in text:
        text = unquote(text)
    if "$" in text:
        text = text.replace("${IFS}", " ").replace("$IFS", " ")
    return text.translate(_QUOTES).replace("\\\n", "").replace("\\", "")


def _reason(text: str) -> str | None:
    plain = _plain(text)
    for candidate in (plain, plain.translate(_JOINTS)):
        found = _COMMAND.search(candidate) or _SLASH.search(candidate)
        if found:
            return f"holds a deciding command of Kata ({found['verb'].lower()})"
    if _API.search(plain):
        return "holds the path of Kata's dashboard API"
    if _DATA.search(plain) or _DATA.search(text.replace("\\", "/")):
        return "holds Kata's data folder"
    if _MODULE.search(plain):
        return "reaches into Kata's own code"
    return None
