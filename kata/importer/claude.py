"""Project files of Claude Code: one line a message or note, a file a session."""

from collections.abc import Iterable, Iterator
from typing import Any

from ..json import JsonValue
from .calls import Found, ImportedLink, LineError
from .conversation import Answer, Conversation
from .lines import Line, moment_or_none, parsed
from .unwrap import arguments, unwrapped

SPEAKERS = ("user", "assistant")


def is_claude(value: Any) -> bool:
    """Tell whether a line's value is a message of this form; notes between the messages tell nothing."""
    return (
        isinstance(value, dict)
        and value.get("type") in SPEAKERS
        and "sessionId" in value
        and isinstance(value.get("message"), dict)
    )


def read_claude(lines: Iterable[Line]) -> Iterator[Found]:
    """Yield the calls of a file's sessions; a side chain is a conversation of its own that belongs to its session."""
    talks: dict[str, Conversation] = {}
    for _, value in parsed(lines):
        if isinstance(value, LineError):
            yield value
        elif is_claude(value):
            session = _session_of(value)
            if session not in talks:
                yield from _opened(value, session)
            yield from _message(talks.setdefault(session, Conversation(session)), value)
    for talk in talks.values():
        yield from talk.turn()


def _session_of(value: dict[str, Any]) -> str:
    session = str(value["sessionId"])
    return f"{session}/{value.get('agentId') or 'side'}" if value.get("isSidechain") else session


def _opened(value: dict[str, Any], session: str) -> Iterator[ImportedLink]:
    if value.get("isSidechain"):
        yield ImportedLink(session=session, parent=str(value["sessionId"]), relation="delegate")


def _message(talk: Conversation, value: dict[str, Any]) -> Iterator[Found]:
    message, at = value["message"], moment_or_none(value.get("timestamp"))
    content = message.get("content")
    blocks = [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
    results = [one for one in blocks if one.get("type") == "tool_result"]
    if value["type"] == "user" and not results and not value.get("isMeta"):
        yield from talk.turn()
    for one in results:
        talk.answer(one.get("tool_use_id") or "?", _answer(one, at))
    if value["type"] == "assistant":
        uuid = str(value.get("uuid", ""))
        for one in blocks:
            name, call_id = one.get("name"), one.get("id")
            if one.get("type") != "tool_use" or not isinstance(name, str) or talk.has(str(call_id)):
                continue
            group = str(message.get("id") or uuid)
            talk.announce(uuid, group, name, arguments(one.get("input")) or {}, ids=[call_id], at=at)


def _answer(block: dict[str, Any], at: Any) -> Answer:
    failed = block.get("is_error")
    result, truncated = _result(block.get("content"))
    return Answer(
        result=result, at=at, ok=not failed if isinstance(failed, bool) else None, truncated=truncated
    )


def _result(content: Any) -> tuple[JsonValue, bool]:
    if isinstance(content, list) and all(isinstance(one, dict) and "text" in one for one in content):
        content = "\n".join(str(one["text"]) for one in content)
    return unwrapped(content) if isinstance(content, str) else (content, False)
