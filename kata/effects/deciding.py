"""Calls that reach for Kata itself: a deciding command, its API, its data folder (design 9, case B021)."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

DECIDING = ("approve", "enable", "rollback", "reconsider", "undo", "forget")
"""Verbs that only a person may use."""

CODE_KEYS = frozenset(
    {"command", "cmd", "code", "script", "data", "input", "args", "argv", "expression", "operations"}
)
"""Arguments that are run, not read: there a verb that only the run shows counts too."""

_VERB = rf"(?:(?:{'|'.join(DECIDING)})\b|verify\b[^\n;|&]{{0,200}}?\s--a)"
_OPTION = rf"\s+-[^\s;|&]*(?:\s+(?!kata\b|(?:{'|'.join(DECIDING)}|verify)\b)[^\s;|&$-][^\s;|&]*)?"
_OPTIONS = rf"(?:{_OPTION}){{0,6}}+"


class _Reach(NamedTuple):
    """One way to reach for Kata: words that must be there, the pattern, and what to say."""

    needles: tuple[str, ...]
    pattern: re.Pattern[str]
    reason: str


_EVERYWHERE = (
    _Reach(
        ("hermes",),
        re.compile(rf"hermes[\w.]*+{_OPTIONS}\s+kata{_OPTIONS}\s+{_VERB}"),
        "a deciding command of Kata",
    ),
    _Reach(("/kata",), re.compile(rf"/kata(?<![\w.~/-]/kata)\s+{_VERB}"), "a deciding command of Kata"),
    _Reach(("plugins", "api"), re.compile(r"/api/+plugins/+kata\b"), "the path of Kata's dashboard API"),
    _Reach(("plugin-data", "kata"), re.compile(r"plugin-data\b[^\n]{0,80}?\bkata\b"), "Kata's data folder"),
    _Reach(
        ("plugin-data",), re.compile(r"plugin-data\b[/\s]{0,9}[^/\s]{0,99}?[*?\[{$]"), "Kata's data folder"
    ),
    _Reach(("kata/",), re.compile(r"kata/(?:data\.db\b|spool/)"), "Kata's data folder"),
    _Reach(("hermes_plugins",), re.compile(r"hermes_plugins\s*\.\s*kata\b"), "Kata's own code"),
)
_IN_CODE = (
    _Reach(
        ("hermes",),
        re.compile(rf"hermes[\w.]*+{_OPTIONS}\s+kata{_OPTIONS}\s*[$+{{%]"),
        "a command of Kata that only the run shows",
    ),
    _Reach(("hermes",), re.compile(rf"kata{_OPTIONS}\s+{_VERB}"), "a deciding command of Kata"),
    _Reach(
        ("hermes", "xargs"),
        re.compile(r"xargs\b[^\n]{0,200}?\bhermes\b[^\n]{0,200}?\bkata\b"),
        "a command of Kata that only the run shows",
    ),
)
_SPELT = re.compile(r"""k['"\\^\n]*a['"\\^\n]*t['"\\^\n]*a""")
_TAKEN_OUT = (
    ("\\\n", ""),
    ("\\", ""),
    ("'", ""),
    ('"', ""),
    ("^", ""),
    ("`", "$"),
    ("${ifs}", " "),
    ("$ifs", " "),
)
_PERCENT = tuple((f"%{ord(letter):02x}", letter) for letter in "abdegiklnpstu/-_")
_JOINTS = tuple((mark, " ") for mark in ",[]()=")


def mentions_kata(args: Mapping[str, Any]) -> str | None:
    """Tell why a tool call must be blocked: what of Kata its arguments reach for; None for all other calls.

    Looks at every string in the arguments, with quotes, backslashes, ``$IFS``, percent signs and list syntax taken
    out of the way. Encoded text (base64) is not looked into.
    """
    text = " ".join(_strings(args))
    if not _names_kata(text):
        return None
    code = " ".join(_strings({key: value for key, value in args.items() if key in CODE_KEYS}))
    return _reason(text, _EVERYWHERE) or _reason(code, _IN_CODE)


def _strings(value: Any) -> list[str]:
    """Return every text in a value, keys aside, in order."""
    found: list[str] = []
    open_values = [value]
    while open_values:
        value = open_values.pop()
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, dict | Mapping):
            open_values.extend(list(value.values())[::-1])
        elif isinstance(value, list | tuple):
            open_values.extend(value[::-1])
    return found


def _names_kata(text: str) -> bool:
    """Tell whether Kata, or the folder above its data, is named at all, perhaps with marks in between."""
    small = text.lower()
    if "kata" in small or "plugin-data" in small:
        return True
    return _SPELT.search(_replaced(small, _PERCENT) if "%" in small else small) is not None


def _plain(text: str) -> str:
    """Take quotes, escapes and odd blanks out of the way."""
    return _replaced(_replaced(text, _PERCENT) if "%" in text else text, _TAKEN_OUT)


def _replaced(text: str, pairs: tuple[tuple[str, str], ...]) -> str:
    for old, new in pairs:
        text = text.replace(old, new)
    return text


def _reason(text: str, reaches: tuple[_Reach, ...]) -> str | None:
    small = text.lower()
    plain = _plain(small)
    for candidate in (plain, _replaced(plain, _JOINTS), small.replace("\\", "/")):
        for reach in reaches:
            if all(needle in candidate for needle in reach.needles) and reach.pattern.search(candidate):
                return f"holds {reach.reason}"
    return None
