"""The lines of shell hooks in Hermes' ``config.yaml``: added and taken away as text, so that nothing else of it changes.

Each line that is Kata's own ends with ``# kata``. What the text does not show at a glance (flow style, tabs, several
documents) is left to a person.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence

from ..errors import RefusedError

MARK = " # kata"
TIMEOUT_S = 10
_HOOKS = re.compile(r"hooks[ ]*:[ ]*(#.*)?")
_ANY_HOOKS = re.compile(r"[\"']?hooks[\"']?[ ]*:")
_ITEM = re.compile(r" *- \{command: .*\} # kata")
_HOLDER = re.compile(r" *\w+: # kata")


class ByHandError(RefusedError):
    """Say that the configuration is written in a way in which only a person should add to it; nothing changed."""

    code = "by_hand"


def block(command: str, events: Iterable[str]) -> tuple[str, ...]:
    """Return the whole section, as it is written where there is none."""
    return (f"hooks:{MARK}", *(line for event in events for line in _entry("  ", event, command)))


def added(text: str, command: str, events: Sequence[str]) -> str:
    """Return a configuration with a command under each of these events, and everything else as it was.

    Raises:
        ByHandError: it is not plain enough.
    """
    lines = removed(text).splitlines()
    _check_plain(lines)
    places = [index for index, line in enumerate(lines) if _ANY_HOOKS.match(line)]
    if not places:
        return _joined([*lines, *block(command, events)])
    if len(places) > 1 or not _HOOKS.fullmatch(lines[places[0]].rstrip()):
        raise ByHandError("the section hooks is not written as a plain block")
    start = places[0] + 1
    section = lines[start : start + _length(lines[start:])]
    grown = _grown(section, command, events)
    return _joined([*lines[:start], *grown, *lines[start + len(section) :]])


def removed(text: str) -> str:
    """Return a configuration without Kata's own lines; what a person put under one of them keeps its holder."""
    lines = [line for line in text.splitlines() if not _ITEM.fullmatch(line)]
    for index in range(len(lines) - 1, -1, -1):
        if _HOLDER.fullmatch(lines[index]) and not _holds(lines, index):
            del lines[index]
    return _joined(lines)


def installed(text: str) -> tuple[str, ...]:
    """Return Kata's own items as they stand there."""
    return tuple(line.strip() for line in text.splitlines() if _ITEM.fullmatch(line))


def item(command: str) -> str:
    """Return one item, without its indentation."""
    return f"- {{command: {json.dumps(command, ensure_ascii=False)}, timeout: {TIMEOUT_S}}}{MARK}"


def _entry(indent: str, event: str, command: str) -> Iterator[str]:
    yield f"{indent}{event}:{MARK}"
    yield f"{indent}  {item(command)}"


def _grown(section: Sequence[str], command: str, events: Sequence[str]) -> list[str]:
    indent = next((" " * _indent(line) for line in section if _says(line)), "  ")
    grown = list(section)
    for event in reversed(events):
        holder = re.compile(rf"{indent}[\"']?{event}[\"']?[ ]*:")
        index = next((index for index, line in enumerate(grown) if holder.match(line)), None)
        if index is None:
            grown[:0] = _entry(indent, event, command)
            continue
        first = next((line for line in grown[index + 1 :] if _says(line)), "")
        if not re.fullmatch(r"[^:]*:[ ]*(#.*)?", grown[index].rstrip()) or not first.lstrip().startswith("-"):
            raise ByHandError(f"the entries of {event} are not written as a plain list")
        grown.insert(index + 1, " " * _indent(first) + item(command))
    return grown


def _check_plain(lines: Sequence[str]) -> None:
    said = [line for line in lines if _says(line)]
    if said and said[0].lstrip()[0] in "{[":
        raise ByHandError("the configuration is written in flow style")
    if any(line.startswith(("---", "...")) for line in said[1:]):
        raise ByHandError("the configuration holds several documents")
    if any("\t" in line[: len(line) - len(line.lstrip())] for line in lines):
        raise ByHandError("the configuration is indented with tabs")


def _length(lines: Sequence[str]) -> int:
    """Count the lines of a section: up to the next line at its own level, or the comments and blanks before that."""
    ends = (index for index, line in enumerate(lines) if _says(line) and line[0] not in " -")
    end = next(ends, len(lines))
    while end and not _says(lines[end - 1]):
        end -= 1
    return end


def _holds(lines: Sequence[str], index: int) -> bool:
    following = next((line for line in lines[index + 1 :] if _says(line)), "")
    own = _indent(lines[index])
    return bool(following) and (
        _indent(following) > own or (_indent(following) == own and following.lstrip().startswith("- "))
    )


def _says(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _joined(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
