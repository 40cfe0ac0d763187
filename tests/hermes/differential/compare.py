"""What differs between two hosts' tellings of one scenario."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from .scenario import Fired, Told

ELSEWHERE = ("on_stream_start", "on_stream_delta", "on_stream_end", "on_interim_message")
"""Hooks that the host hands to a thread of their own: their place among the others is not promised."""
COMPARED = frozenset(
    [
        "tool_name",
        "args",
        "status",
        "error_type",
        "completed",
        "interrupted",
        "failed",
        "turn_exit_reason",
        "choice",
        "outcome",
        "kind",
        "surface",
        "command",
        "description",
        "pattern_key",
        "pattern_keys",
        "is_first_turn",
        "platform",
        "reason",
        "api_call_count",
        "finish_reason",
        "finished",
        "delta",
        "final_text",
        "middleware_trace",
        "assistant_tool_call_count",
        "assistant_content_chars",
        "attempt",
        "coding",
        "text",
        "child_role",
        "child_goal",
        "child_status",
        "child_summary",
        "user_message",
        "assistant_response",
        "response_text",
        "iteration",
        "status_code",
        "retryable",
        "retry_count",
        "api_mode",
        "provider",
        "returncode",
        "output",
        "env_type",
        "sender_id",
    ]
)
"""Keys whose values must be equal, not only of one type."""
IDS = frozenset(
    {
        "session_id",
        "task_id",
        "turn_id",
        "api_request_id",
        "tool_call_id",
        "parent_session_id",
        "parent_turn_id",
        "child_session_id",
        "child_subagent_id",
        "session_key",
    }
)
WORDS = frozenset({"error", "message", "_warning"})
"""What of a result is written for people, each host in its own words."""
THREADS = ("hermes-hook-", "plugin-stream-hook:")


@attrs.frozen
class Differs:
    """One difference: where (a hook and key, or ``answers``, ``sent``, ``order``), and both sides."""

    where: str
    stand_in: Any
    real: Any


def differences(stand_in: Told, real: Told, *, together: bool = False) -> list[Differs]:
    """List all differences, the order of hooks first."""
    mine, theirs = _order(stand_in.fired, together=together), _order(real.fired, together=together)
    found = [] if mine == theirs else [Differs("order", mine, theirs)]
    found += _streams(stand_in.fired, real.fired)
    found += _pairs(stand_in.fired, real.fired)
    told = ("answers", stand_in.answers, real.answers), ("notices", stand_in.notices, real.notices)
    found += [Differs(*each) for each in told if each[1] != each[2]]
    sent = [[_gist(messages) for messages in each.sent] for each in (stand_in, real)]
    return found if sent[0] == sent[1] else [*found, Differs("sent", *sent)]


def _order(fired: Iterable[Fired], *, together: bool) -> Any:
    labels = [
        (each.values.get("tool_call_id", ""), _label(each)) for each in fired if each.hook not in ELSEWHERE
    ]
    if not together:
        return [label for _call, label in labels]
    calls = sorted({call for call, _label in labels})
    return [[label for call, label in labels if call == each] for each in calls]


def _label(each: Fired) -> str:
    return f"{each.hook} {each.values.get('tool_name', '')}".strip()


def _streams(mine: Sequence[Fired], theirs: Sequence[Fired]) -> Iterator[Differs]:
    counts = [Counter(each.hook for each in fired if each.hook in ELSEWHERE) for fired in (mine, theirs)]
    if counts[0] != counts[1]:
        yield Differs("streams", dict(counts[0]), dict(counts[1]))


def _pairs(mine: Sequence[Fired], theirs: Sequence[Fired]) -> Iterator[Differs]:
    names = (_names(mine), _names(theirs))
    for hook in sorted({each.hook for each in (*mine, *theirs)}):
        lists = (_sorted(hook, fired) for fired in (mine, theirs))
        for left, right in zip(*lists, strict=False):
            yield from _keys(hook, left, right)
            yield from _values(hook, left, right, names)


def _sorted(hook: str, fired: Iterable[Fired]) -> list[Fired]:
    return sorted(
        (each for each in fired if each.hook == hook), key=lambda each: each.values.get("tool_call_id", "")
    )


def _keys(hook: str, left: Fired, right: Fired) -> Iterator[Differs]:
    more, less = left.types.keys() - right.types.keys(), right.types.keys() - left.types.keys()
    if more or less:
        yield Differs(f"{hook} keys", sorted(more), sorted(less))
    for key in sorted(left.types.keys() & right.types.keys()):
        if left.types[key] != right.types[key]:
            yield Differs(f"{hook}.{key} type", left.types[key], right.types[key])
    if _thread(left) != _thread(right):
        yield Differs(f"{hook} thread", left.thread, right.thread)


def _values(hook: str, left: Fired, right: Fired, names: tuple[Mapping[str, str], ...]) -> Iterator[Differs]:
    for key in sorted(left.types.keys() & right.types.keys()):
        sides = (left.values.get(key), right.values.get(key))
        if key == "result":
            sides = (_result(str(sides[0])), _result(str(sides[1])))
        if key in IDS:
            sides = (_shape(sides[0], names[0]), _shape(sides[1], names[1]))
        if key in COMPARED | IDS | {"result"} and sides[0] != sides[1]:
            yield Differs(f"{hook}.{key}", *sides)


def _names(fired: Iterable[Fired]) -> dict[str, str]:
    """Give each id a name in order of appearance (tool calls: of their ids), so that two hosts' ids compare."""
    names: dict[str, str] = {}
    told = list(fired)
    for key in ("session_id", "child_session_id", "task_id", "tool_call_id"):
        found = dict.fromkeys(each.values[key] for each in told if each.values.get(key))
        fresh = [value for value in (sorted(found) if key == "tool_call_id" else found) if value not in names]
        names |= {value: f"{key}-{at}" for at, value in enumerate(fresh, 1)}
    return names


def _shape(value: Any, names: Mapping[str, str]) -> str:
    text = str(value)
    for each in sorted(names, key=len, reverse=True):
        text = text.replace(each, names[each])
    return re.sub(r"\b[0-9a-f]{8}\b", "HEX8", text)


def _thread(each: Fired) -> str:
    return next((kind for kind in THREADS if each.thread.startswith(kind)), "the caller's")


def _gist(messages: Iterable[tuple[str, str]]) -> list[Any]:
    return [(role, _result(text) if role == "tool" else text) for role, text in messages]


def _result(text: str) -> Any:
    """Keep of a tool's result what is promised: JSON as it is, but of words for people the first few."""
    try:
        value = json.loads(text)
    except ValueError:
        return _first_words(text)
    if not isinstance(value, dict):
        return value
    return {key: _first_words(each) if key in WORDS else each for key, each in value.items()}


def _first_words(text: Any) -> Any:
    return " ".join(re.split(r"[.(]", text)[0].split()[:5]) if isinstance(text, str) else text
