"""From a hook's keywords to an event's payload: pure, tolerant of keys that are missing or new (case B011)."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..events import catalogue as told
from ..executor.judge import judge_recorded
from ..json import JsonError, JsonValue, loads
from ..redact import Keeper
from ..templating import decode_result

Keywords = Mapping[str, Any]
BRIDGE = "tool_call"


def text_of(keywords: Keywords, key: str) -> str:
    """Return a keyword as text; missing and None are empty."""
    value = keywords.get(key)
    return value if isinstance(value, str) else "" if value is None else str(value)


def _number(keywords: Keywords, key: str) -> int | None:
    value = keywords.get(key)
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def tool_returned(keywords: Keywords, keeper: Keeper) -> told.ToolReturned:
    """Build the event of one finished call: decoded, masked, cut, and judged anew."""
    answer = keywords.get("result")
    result = decode_result(answer) if isinstance(answer, str) else normal(answer)
    status = text_of(keywords, "status")
    judgement = judge_recorded(result, status)
    args = keywords.get("args")
    kept_args = keeper.keep(args if isinstance(args, dict) else {})
    kept_result = keeper.keep(result)
    return told.ToolReturned(
        session_id=text_of(keywords, "session_id"),
        turn_id=text_of(keywords, "turn_id"),
        request_id=text_of(keywords, "api_request_id"),
        call_id=text_of(keywords, "tool_call_id"),
        task_id=text_of(keywords, "task_id"),
        tool=text_of(keywords, "tool_name"),
        args=kept_args.value,
        result=kept_result.value,
        textual=isinstance(result, str),
        status=status,
        error_type=text_of(keywords, "error_type") or None,
        outcome=judgement.outcome,
        exit_code=judgement.exit_code,
        duration_ms=_number(keywords, "duration_ms"),
        truncated=kept_args.truncated or kept_result.truncated,
        masked=len(kept_args.masked) + len(kept_result.masked),
    )


def normal(answer: Any) -> JsonValue:
    """Return what a newer or stranger host hands over instead of text, as plain JSON (case B011)."""
    try:
        return loads(json.dumps(answer, default=str))
    except (TypeError, ValueError):
        return str(answer)


def model_answered(keywords: Keywords) -> told.ModelAnswered:
    """Build the event of one model request: cost, and the announced calls in order with bridges unwrapped."""
    return told.ModelAnswered(
        session_id=text_of(keywords, "session_id"),
        turn_id=text_of(keywords, "turn_id"),
        request_id=text_of(keywords, "api_request_id"),
        model=text_of(keywords, "model"),
        usage=_usage(keywords.get("usage")),
        seconds=_seconds(keywords.get("api_duration")),
        finish_reason=text_of(keywords, "finish_reason"),
        announced=tuple(_announced(keywords.get("assistant_message"))),
    )


def _usage(usage: Any) -> told.Usage | None:
    if not isinstance(usage, Mapping):
        return None
    counts = {name: usage.get(name) for name in ("input_tokens", "output_tokens", "total_tokens")}
    if not isinstance(counts["input_tokens"], int) or not isinstance(counts["output_tokens"], int):
        return None
    total = counts["total_tokens"]
    if not isinstance(total, int):
        total = counts["input_tokens"] + counts["output_tokens"]
    return told.Usage(
        input_tokens=counts["input_tokens"], output_tokens=counts["output_tokens"], total_tokens=total
    )


def _seconds(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _announced(message: Any) -> Iterator[told.AnnouncedCall]:
    for call in _field(message, "tool_calls") or ():
        name = _field(call, "name") or _field(_field(call, "function"), "name")
        if not isinstance(name, str):
            continue
        call_id = str(_field(call, "id") or "")
        if name == BRIDGE:
            arguments = _field(call, "arguments") or _field(_field(call, "function"), "arguments")
            yield from _bridged(call_id, arguments)
        else:
            yield told.AnnouncedCall(call_id=call_id, tool=name)


def _bridged(call_id: str, arguments: Any) -> Iterator[told.AnnouncedCall]:
    """Unwrap ``tool_call``: its first entry keeps the call's id, the host makes up the others'."""
    entries = _decoded(arguments)
    entries = entries.get("calls") if isinstance(entries, Mapping) else None
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, Mapping) and isinstance(entry.get("name"), str):
            yield told.AnnouncedCall(call_id=call_id, tool=entry["name"])
            call_id = ""


def _decoded(arguments: Any) -> JsonValue:
    if not isinstance(arguments, str):
        return arguments
    try:
        return loads(arguments)
    except JsonError:
        return None


def _field(thing: Any, name: str) -> Any:
    return thing.get(name) if isinstance(thing, Mapping) else getattr(thing, name, None)


def session_started(keywords: Keywords) -> told.SessionStarted:
    return told.SessionStarted(
        session_id=text_of(keywords, "session_id"),
        platform=text_of(keywords, "platform"),
        model=text_of(keywords, "model"),
    )


def session_finalized(keywords: Keywords) -> told.SessionFinalized:
    return told.SessionFinalized(
        session_id=text_of(keywords, "session_id"),
        platform=text_of(keywords, "platform"),
        reason=text_of(keywords, "reason"),
    )


def session_reset(keywords: Keywords) -> told.SessionReset:
    return told.SessionReset(
        session_id=text_of(keywords, "new_session_id") or text_of(keywords, "session_id"),
        old_session_id=text_of(keywords, "old_session_id") or None,
        reason=text_of(keywords, "reason"),
    )


def turn_started(keywords: Keywords, fingerprint: Callable[[str], str]) -> told.TurnStarted:
    """Build the event of a user's request; its text stays outside the log."""
    message = keywords.get("user_message")
    text = message if isinstance(message, str) else ""
    return told.TurnStarted(
        session_id=text_of(keywords, "session_id"),
        turn_id=text_of(keywords, "turn_id"),
        platform=text_of(keywords, "platform"),
        model=text_of(keywords, "model"),
        first=bool(keywords.get("is_first_turn")),
        text_length=len(text),
        text_fingerprint=fingerprint(text),
        sender=text_of(keywords, "sender_id"),
    )


def turn_ended(keywords: Keywords) -> told.TurnEnded:
    failed = keywords.get("failed")
    return told.TurnEnded(
        session_id=text_of(keywords, "session_id"),
        turn_id=text_of(keywords, "turn_id"),
        completed=bool(keywords.get("completed")),
        failed=failed if isinstance(failed, bool) else None,
        interrupted=bool(keywords.get("interrupted")),
        exit_reason=text_of(keywords, "turn_exit_reason") or text_of(keywords, "reason"),
    )


def subagent_started(keywords: Keywords) -> told.SubagentStarted:
    return told.SubagentStarted(
        session_id=text_of(keywords, "parent_session_id"),
        turn_id=text_of(keywords, "parent_turn_id"),
        child_session_id=text_of(keywords, "child_session_id"),
        role=text_of(keywords, "child_role"),
    )


def subagent_stopped(keywords: Keywords) -> told.SubagentStopped:
    calls = keywords.get("tool_call_history")
    return told.SubagentStopped(
        session_id=text_of(keywords, "parent_session_id"),
        turn_id=text_of(keywords, "parent_turn_id"),
        child_session_id=text_of(keywords, "child_session_id"),
        role=text_of(keywords, "child_role"),
        status=text_of(keywords, "child_status"),
        calls=len(calls) if isinstance(calls, list | tuple) else 0,
        duration_ms=_number(keywords, "duration_ms"),
    )


def linked(session_id: str, parent: str | None, relation: str, job: str | None = None) -> told.SessionLinked:
    return told.SessionLinked(session_id=session_id, parent_session_id=parent, relation=relation, job=job)
