"""Rollouts of Codex: a file a session, one line an item; older ones without the envelope."""

import math
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from ..json import JsonValue
from .calls import Found, ImportedLink, LineError
from .conversation import Answer, Conversation
from .lines import Line, moment_or_none, parsed
from .unwrap import arguments, unwrapped

ENVELOPES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_EXIT = re.compile(r"^(?:Exit code:|Process exited with code) (-?\d+)$", re.MULTILINE)
_HEAD = 400
"""Characters of a result in which the shell's own words about it stand."""


def is_codex(value: Any) -> bool:
    """Tell whether a line's value is an item of this form, or the first line of an older one."""
    if not isinstance(value, dict):
        return False
    if value.get("type") in ENVELOPES:
        return isinstance(value.get("payload"), dict)
    return "type" not in value and {"id", "timestamp", "instructions"} <= value.keys()


def read_codex(lines: Iterable[Line]) -> Iterator[Found]:
    """Yield the calls of a file's session; what a fork repeats has the keys of the original."""
    rollout: _Rollout | None = None
    for number, value in parsed(lines):
        if isinstance(value, LineError):
            yield value
            continue
        kind, item, at = _item(value)
        if kind == "session_meta":
            if rollout is None:
                rollout = _Rollout(str(item.get("id", "")))
                yield from _links(item)
        elif rollout is None:
            yield LineError(number, "no session was opened before it")
        else:
            yield from rollout.take(kind, item, at)
    if rollout is not None:
        yield from rollout.talk.turn()


def _item(value: Any) -> tuple[str, dict[str, Any], datetime | None]:
    if not isinstance(value, dict):
        return "", {}, None
    at = moment_or_none(value.get("timestamp"))
    payload = value.get("payload")
    if isinstance(payload, dict):
        return str(value.get("type")), payload, at
    return ("session_meta" if is_codex(value) else "response_item"), value, at


def _links(meta: dict[str, Any]) -> Iterator[ImportedLink]:
    session, fork = str(meta.get("id", "")), meta.get("forked_from_id")
    source = meta.get("source")
    spawn = source.get("subagent") if isinstance(source, dict) else None
    spawn = spawn.get("thread_spawn") if isinstance(spawn, dict) else None
    parent = spawn.get("parent_thread_id") if isinstance(spawn, dict) else None
    if isinstance(parent, str):
        yield ImportedLink(session=session, parent=parent, relation="delegate")
    elif isinstance(fork, str):
        yield ImportedLink(session=session, parent=fork, relation="branch")


class _Rollout:
    """One session: calls without a result between them were announced together."""

    def __init__(self, session: str) -> None:
        self.talk = Conversation(session)
        self._group = 0

    def take(self, kind: str, item: dict[str, Any], at: datetime | None) -> Iterator[Found]:
        word = item.get("type")
        if kind == "event_msg" and word == "user_message":
            yield from self.talk.turn()
        elif kind != "response_item":
            return
        elif word == "message" and item.get("role") == "user" and not _is_context(item):
            yield from self.talk.turn()
        elif word in _CALLS:
            tool, args = _CALLS[word](item)
            name = f"t{self.talk.turns}"
            self.talk.announce(name, f"g{self._group}", tool, args, ids=[item.get("call_id")], at=at)
        elif isinstance(word, str) and word.endswith("_call_output"):
            self._group += 1
            self.talk.answer(item.get("call_id") or "?", _answer(item.get("output"), at))


def _is_context(item: dict[str, Any]) -> bool:
    """Tell what the program says in the person's place: instructions and surroundings, in tags."""
    content = item.get("content")
    texts = (
        [one.get("text", "") for one in content if isinstance(one, dict)] if isinstance(content, list) else []
    )
    return bool(texts) and all(str(text).lstrip().startswith(("<", "# AGENTS.md")) for text in texts)


def _function(item: dict[str, Any]) -> tuple[str, JsonValue]:
    return str(item.get("name", "")), arguments(item.get("arguments")) or {}


def _custom(item: dict[str, Any]) -> tuple[str, JsonValue]:
    return str(item.get("name", "")), {"input": item.get("input")}


def _shell(item: dict[str, Any]) -> tuple[str, JsonValue]:
    action = item.get("action")
    return "local_shell", {"command": action.get("command")} if isinstance(action, dict) else {}


def _search(item: dict[str, Any]) -> tuple[str, JsonValue]:
    action = item.get("action")
    return "web_search", {"query": action.get("query")} if isinstance(action, dict) else {}


_CALLS = {
    "function_call": _function,
    "custom_tool_call": _custom,
    "local_shell_call": _shell,
    "web_search_call": _search,
}


def _answer(output: Any, at: datetime | None) -> Answer:
    if isinstance(output, dict) and isinstance(output.get("content"), str):
        said = output.get("success")
        result, truncated = unwrapped(output["content"])
        return Answer(result=result, at=at, ok=said if isinstance(said, bool) else None, truncated=truncated)
    result, truncated = unwrapped(output) if isinstance(output, str) else (output, False)
    told = result.get("metadata") if isinstance(result, dict) else None
    told = told if isinstance(told, dict) else {}
    code, seconds = told.get("exit_code"), told.get("duration_seconds")
    if code is None and isinstance(result, str):
        match = _EXIT.search(result[:_HEAD])
        code = int(match[1]) if match else None
    return Answer(
        result=result,
        at=at,
        ok=code == 0 if isinstance(code, int) else None,
        duration_ms=round(seconds * 1000)
        if isinstance(seconds, int | float) and math.isfinite(seconds)
        else None,
        truncated=truncated,
    )
