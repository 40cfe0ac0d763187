"""Trajectories of Hermes (ShareGPT): one conversation a line, calls and results as text between tags.

The form has no ids and no time but that of saving: a conversation is named after its content, and when its calls ended is
unknown.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Any

from ..json import JsonError, canonical, loads
from .calls import Found, LeftOut, LineError
from .conversation import Answer, Conversation
from .lines import Line, parsed
from .unwrap import entries, unwrapped

_CALL = re.compile(r"<tool_call>\n(.*?)\n</tool_call>(?=\n|\Z)", re.DOTALL)
_RESPONSE = re.compile(r"<tool_response>\n(.*?)\n</tool_response>(?=\n|\Z)", re.DOTALL)


def is_trajectory(value: Any) -> bool:
    """Tell whether a line's value is a conversation of this form."""
    parts = value.get("conversations") if isinstance(value, dict) else None
    return isinstance(parts, list) and all(isinstance(part, dict) and "from" in part for part in parts)


def read_trajectory(lines: Iterable[Line]) -> Iterator[Found]:
    """Yield the calls of each line's conversation."""
    for number, value in parsed(lines):
        if isinstance(value, LineError):
            yield value
        elif not is_trajectory(value):
            yield LineError(number, "a conversation is a list of parts")
        else:
            yield from _calls(value["conversations"])


def _calls(parts: list[dict[str, Any]]) -> Iterator[Found]:
    said = hashlib.sha256(canonical(parts).encode()).hexdigest()
    talk = Conversation(said[:16])
    for number, part in enumerate(parts):
        speaker, text = part.get("from"), part.get("value")
        if speaker == "human":
            yield from talk.turn()
        elif speaker == "gpt" and isinstance(text, str):
            yield from _announced(talk, text, f"r{number}")
        elif speaker == "tool" and isinstance(text, str):
            yield from _answered(talk, text)
    yield from talk.turn()


def _announced(talk: Conversation, text: str, group: str) -> Iterator[LeftOut]:
    for match in _CALL.finditer(text):
        call = _decoded(match[1])
        if not isinstance(call, dict) or not isinstance(call.get("name"), str):
            yield LeftOut("bad_call")
            continue
        for tool, args in entries(call["name"], call.get("arguments")):
            talk.announce(f"t{talk.turns}", group, tool, args or {})


def _answered(talk: Conversation, text: str) -> Iterator[LeftOut]:
    for match in _RESPONSE.finditer(text):
        response = _decoded(match[1])
        if not isinstance(response, dict):
            yield LeftOut("bad_call")
            continue
        content = response.get("content")
        result, truncated = unwrapped(content) if isinstance(content, str) else (content, False)
        talk.answer("", Answer(result=result, at=None, truncated=truncated))


def _decoded(text: str) -> Any:
    try:
        return loads(text)
    except JsonError:
        return None
