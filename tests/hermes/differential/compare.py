"""What differs between two hosts' tellings of one scenario."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from .scenario import Fired, Told

ELSEWHERE = ("on_stream_start", "on_stream_delta", "on_stream_end")
"""Hooks that the host hands to a thread of their own: their place among the others is not promised."""
COMPARED = frozenset(
    "tool_name args status error_type completed interrupted failed turn_exit_reason choice outcome kind surface "
    "command description pattern_key pattern_keys is_first_turn platform reason api_call_count finish_reason finished "
    "delta final_text middleware_trace assistant_tool_call_count assistant_content_chars attempt coding "
    "child_role child_goal child_status child_summary user_message assistant_response response_text iteration "
    "status_code retryable retry_count api_mode provider returncode output env_type sender_id".split()
)
IDS = ("session_id", "task_id", "turn_id", "api_request_id", "tool_call_id", "parent_session_id", "child_session_id",
       "session_key", "parent_turn_id", "child_subagent_id")  # fmt: skip


@attrs.frozen
class Differs:
    """One difference: where (a hook and key, or ``answers``, ``sent``, ``order``), and both sides."""

    where: str
    stand_in: Any
    real: Any


def differences(stand_in: Told, real: Told) -> list[Differs]:
    """List all differences, the order of hooks first."""
    mine, theirs = order(stand_in.fired), order(real.fired)
    found = [] if mine == theirs else [Differs("order", mine, theirs)]
    found += _streams(stand_in.fired, real.fired)
    found += _pairs(stand_in.fired, real.fired)
    for what in ("answers", "notices", "sent"):
        if getattr(stand_in, what) != getattr(real, what):
            found.append(Differs(what, getattr(stand_in, what), getattr(real, what)))
    return found


def order(fired: Iterable[Fired]) -> list[str]:
    """Write the promised order: hooks with the call that they are about; streams left out."""
    return [_label(each) for each in fired if each.hook not in ELSEWHERE]


def _label(each: Fired) -> str:
    about = each.values.get("tool_name", "")
    return f"{each.hook} {about}".strip()


def _streams(mine: Sequence[Fired], theirs: Sequence[Fired]) -> Iterator[Differs]:
    counts = [Counter(each.hook for each in fired if each.hook in ELSEWHERE) for fired in (mine, theirs)]
    if counts[0] != counts[1]:
        yield Differs("streams", dict(counts[0]), dict(counts[1]))


def _pairs(mine: Sequence[Fired], theirs: Sequence[Fired]) -> Iterator[Differs]:
    names = (_names(mine), _names(theirs))
    for hook in sorted({each.hook for each in (*mine, *theirs)}):
        lists = ([each for each in fired if each.hook == hook] for fired in (mine, theirs))
        for left, right in zip(*lists, strict=False):
            yield from _pair(hook, left, right, names)


def _pair(hook: str, left: Fired, right: Fired, names: tuple[Mapping[str, str], ...]) -> Iterator[Differs]:
    if left.types.keys() != right.types.keys():
        yield Differs(f"{hook} keys", sorted(left.types.keys() - right.types), sorted(right.types.keys() - left.types))
    for key in sorted(left.types.keys() & right.types):
        if left.types[key] != right.types[key]:
            yield Differs(f"{hook}.{key} type", left.types[key], right.types[key])
        if key in COMPARED and left.values.get(key) != right.values.get(key):
            yield Differs(f"{hook}.{key}", left.values.get(key), right.values.get(key))
        if key in IDS and _shape(left, key, names[0]) != _shape(right, key, names[1]):
            yield Differs(f"{hook}.{key}", _shape(left, key, names[0]), _shape(right, key, names[1]))
    if _thread(left) != _thread(right):
        yield Differs(f"{hook} thread", left.thread, right.thread)


def _names(fired: Iterable[Fired]) -> dict[str, str]:
    """Give each id a name in order of appearance, so that two hosts' ids compare."""
    names: dict[str, str] = {}
    for each in fired:
        for key in ("session_id", "child_session_id", "task_id", "tool_call_id"):
            value = each.values.get(key)
            if isinstance(value, str) and value and value not in names:
                names[value] = f"{key}-{sum(name.startswith(key) for name in names.values()) + 1}"
    return names


def _shape(each: Fired, key: str, names: Mapping[str, str]) -> str:
    text = str(each.values.get(key))
    for value in sorted(names, key=len, reverse=True):
        text = text.replace(value, names[value])
    return re.sub(r"\b[0-9a-f]{8}\b", "HEX8", text)


def _thread(each: Fired) -> str:
    name = each.thread
    return next((kind for kind in ("hermes-hook-", "plugin-stream-hook:", "MainThread") if name.startswith(kind)), "")
