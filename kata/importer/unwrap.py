"""From what a history stores of a call to what the tool was given and answered (host facts 13.1)."""

import json
import re
from collections.abc import Iterator
from typing import Any

from ..json import JsonError, JsonValue, loads
from ..templating import decode_result

BRIDGE = "tool_call"

RENAMED = {
    "todo": "todo_list",
    "process": "process_manage",
    "cronjob": "cronjob_manage",
    "tour": "gui_tour",
    "tip": "show_tip",
}
"""Names that tools of Hermes had before 0.22, which no dispatch knows any more."""

SPILLED = "<persisted-output>"
"""Where a result begins that was too large for a history: a part of it, and the name of a file."""

_UNTRUSTED = re.compile(
    r"\A<untrusted_tool_result[^>]*>\n.*?\n\n(.*?)\n?</untrusted_tool_result>\s*(.*)\Z", re.DOTALL
)
_HINTS = "\n\n"
_DECODER = json.JSONDecoder()


def unwrapped(text: str) -> tuple[JsonValue, bool]:
    """Return what a tool answered, decoded, and whether the history kept a part of it only.

    The frame around what comes from outside goes, and so do hints behind a first JSON value.
    """
    framed = _UNTRUSTED.match(text) if text.startswith("<untrusted_tool_result") else None
    if framed is not None:
        text = framed[1]
    if text.startswith(SPILLED):
        return text, True
    value = decode_result(text)
    return (_without_hints(text) if isinstance(value, str) else value), False


def _without_hints(text: str) -> JsonValue:
    if text[:1] not in ("{", "["):
        return text
    try:
        value, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return text
    return value if text.startswith(_HINTS, end) else text


def arguments(raw: Any) -> JsonValue | None:
    """Return a call's arguments as an object; None where they are none (malformed JSON)."""
    if isinstance(raw, str):
        try:
            raw = loads(raw) if raw.strip() else {}
        except JsonError:
            return None
    return raw if isinstance(raw, dict) else {} if raw is None else None


def entries(tool: str, raw: Any) -> Iterator[tuple[str, JsonValue | None]]:
    """Yield the calls that a call stands for: itself, or what a bridge carries, under the names of today."""
    if tool != BRIDGE:
        yield RENAMED.get(tool, tool), arguments(raw)
        return
    carried = arguments(raw) or {}
    listed = carried.get("calls", [carried])
    if isinstance(listed, str):
        listed = (arguments(f'{{"calls": {listed}}}') or {}).get("calls", [])
    for entry in listed if isinstance(listed, list) else [listed]:
        name = entry.get("name") if isinstance(entry, dict) else None
        if isinstance(name, str):
            yield RENAMED.get(name, name), arguments(entry.get("arguments"))
