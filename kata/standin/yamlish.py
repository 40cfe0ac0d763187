"""The little YAML that hook manifests and configuration files are written in.

Block mappings and lists, plain and quoted scalars, ``[a, b]``, comments: no anchors, no folded texts, no documents.
"""

import json
import re
from typing import Any, Final

import attrs

from .errors import StandInError

_WORDS: Final = {"true": True, "false": False, "null": None, "~": None, "": None}
_NUMBER: Final = re.compile(r"-?\d+(\.\d+)?")
_KEY: Final = re.compile(r"(?P<key>[^\s'\"\[{#:][^:#]*|'[^']*'|\"[^\"]*\")\s*:(?:\s+(?P<rest>.*))?$")
_COMMENT: Final = re.compile(r"(^|\s)#.*$")


class YamlError(StandInError, ValueError):
    """Say which line is beyond the little YAML that is read here."""

    code = "standin_yaml"
    hint = "Write plain block mappings and lists, or JSON."


@attrs.frozen
class _Line:
    number: int
    indent: int
    text: str


def load(text: str) -> Any:
    """Read a text: JSON, or the YAML of hook manifests; an empty text is ``None``.

    Raises:
        YamlError: the text is something else.
    """
    if text.lstrip().startswith("{"):
        return json.loads(text)
    lines = [_Line(at, _indent(raw), _bare(raw)) for at, raw in enumerate(text.splitlines(), 1) if _bare(raw)]
    if not lines:
        return None
    value, rest = _block(lines, lines[0].indent)
    if rest:
        raise YamlError(f"line {rest[0].number}: {rest[0].text!r} is out of place")
    return value


def _indent(raw: str) -> int:
    return len(raw) - len(raw.lstrip(" "))


def _bare(raw: str) -> str:
    text = raw.strip()
    return text if text[:1] in "'\"" else _COMMENT.sub("", text).strip()


def _block(lines: list[_Line], indent: int) -> tuple[Any, list[_Line]]:
    return _list(lines, indent) if lines[0].text.startswith("- ") else _mapping(lines, indent)


def _list(lines: list[_Line], indent: int) -> tuple[list[Any], list[_Line]]:
    items: list[Any] = []
    while lines and lines[0].indent == indent and lines[0].text.startswith("- "):
        head = lines[0]
        inner = head.text[2:].lstrip()
        shift = len(head.text) - len(inner)
        if _KEY.match(inner):
            value, lines = _mapping([_Line(head.number, indent + shift, inner), *lines[1:]], indent + shift)
        else:
            value, lines = _scalar(inner), lines[1:]
        items.append(value)
    return items, lines


def _mapping(lines: list[_Line], indent: int) -> tuple[dict[str, Any], list[_Line]]:
    mapping: dict[str, Any] = {}
    while lines and lines[0].indent == indent:
        match = _KEY.match(lines[0].text)
        if match is None:
            raise YamlError(f"line {lines[0].number}: expected 'key: value', not {lines[0].text!r}")
        value, lines = _value(match["rest"] or "", lines, indent)
        mapping[str(_scalar(match["key"].strip()))] = value
    return mapping, lines


def _value(rest: str, lines: list[_Line], indent: int) -> tuple[Any, list[_Line]]:
    below = lines[1:]
    if rest or not below:
        return _scalar(rest), below
    nested = below[0].indent > indent or (below[0].indent == indent and below[0].text.startswith("- "))
    return _block(below, below[0].indent) if nested else (None, below)


def _scalar(text: str) -> Any:
    if text.startswith("[") and text.endswith("]"):
        return [_scalar(part.strip()) for part in text[1:-1].split(",") if part.strip()]
    if text == "{}":
        return {}
    if text[:1] == '"' and text[-1:] == '"':
        return json.loads(text)
    if text[:1] == "'" and text[-1:] == "'":
        return text[1:-1].replace("''", "'")
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if _NUMBER.fullmatch(text):
        return float(text) if "." in text else int(text)
    return text
