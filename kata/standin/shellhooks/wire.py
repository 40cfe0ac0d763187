"""What a script reads on standard input, and what its standard output means."""

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

logger = logging.getLogger(__name__)

BLOCKED: Final = "Blocked by shell hook."
_TOP_LEVEL: Final = frozenset({"tool_name", "args", "session_id", "parent_session_id"})


def payload(event: str, keywords: Mapping[str, Any], profile: str) -> str:
    """Write a firing as the JSON that scripts get; what is no JSON becomes its text."""
    args = keywords.get("args")
    content = {
        "hook_event_name": event,
        "tool_name": keywords.get("tool_name"),
        "tool_input": args if isinstance(args, dict) else None,
        "session_id": keywords.get("session_id") or keywords.get("parent_session_id") or "",
        "cwd": str(Path.cwd()),
        "profile": profile,
        "extra": {key: value for key, value in keywords.items() if key not in _TOP_LEVEL},
    }
    return json.dumps(content, ensure_ascii=False, default=str)


def answer(event: str, stdout: str) -> dict[str, Any] | None:
    """Read a script's output, in Hermes' own form or Claude Code's; ``None`` when it says nothing."""
    text = stdout.strip()
    if not text:
        return None
    try:
        data = json.loads(text)
    except ValueError:
        logger.warning("shell hook for %s: the output is no valid JSON: %s", event, text[:200])
        return None
    if not isinstance(data, dict):
        return None
    readers = {"pre_tool_call": _directive, "pre_verify": _go_on}
    return readers.get(event, _context)(data)


def _directive(data: Mapping[str, Any]) -> dict[str, Any] | None:
    if "block" in (data.get("action"), data.get("decision")):
        first, second = ("message", "reason") if data.get("action") == "block" else ("reason", "message")
        message = data.get(first) or data.get(second)
        return {"action": "block", "message": message if isinstance(message, str) and message else BLOCKED}
    if data.get("action") == "modify" and isinstance(data.get("args"), dict):
        return {"action": "modify", "args": data["args"]}
    if data.get("decision") == "modify" and isinstance(data.get("tool_input"), dict):
        return {"action": "modify", "args": data["tool_input"]}
    return _approval(data) if data.get("action") == "approve" else None


def _approval(data: Mapping[str, Any]) -> dict[str, Any]:
    texts = {key: data[key].strip() for key in ("message", "rule_key") if isinstance(data.get(key), str)}
    return {"action": "approve", **{key: text for key, text in texts.items() if text}}


def _go_on(data: Mapping[str, Any]) -> dict[str, Any] | None:
    action = str(data.get("action") or data.get("decision") or "").strip().lower()
    message = data.get("message") or data.get("reason")
    if action in {"continue", "block"} and isinstance(message, str) and message.strip():
        return {"action": "continue", "message": message.strip()}
    return None


def _context(data: Mapping[str, Any]) -> dict[str, Any] | None:
    context = data.get("context")
    return {"context": context} if isinstance(context, str) and context.strip() else None
