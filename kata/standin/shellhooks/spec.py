"""One entry of the configuration's ``hooks:`` block, checked."""

import difflib
import logging
import re
from collections.abc import Mapping
from typing import Any, Final

import attrs

from ..names import VALID_HOOKS

logger = logging.getLogger(__name__)

DEFAULT_TIMEOUT: Final = 60
MAX_TIMEOUT: Final = 300
TOOL_EVENTS: Final = frozenset({"pre_tool_call", "post_tool_call"})
BLOCKING_EVENTS: Final = frozenset({"pre_tool_call"})
PYTHON_ONLY: Final = frozenset({"transform_api_error_classification"})
"""Hooks whose answer no script can give."""
RESERVED: Final = frozenset({"output_spill", "outbound"})
"""What else stands under ``hooks:`` in the configuration."""


@attrs.frozen
class ShellHook:
    """A script for one event.

    Attributes:
        matcher: A regular expression for the whole tool name; ``""`` for every tool.
        timeout: Seconds, 1 to 300.
        fail_closed: A script that fails blocks the call (``pre_tool_call`` alone).
    """

    event: str
    command: str
    matcher: str = ""
    timeout: int = DEFAULT_TIMEOUT
    fail_closed: bool = False

    def wants(self, tool_name: str | None) -> bool:
        """Tell whether the script is meant for a call of this tool; a bad expression is taken literally."""
        if not self.matcher or self.event not in TOOL_EVENTS:
            return True
        if tool_name is None:
            return False
        try:
            return re.fullmatch(self.matcher, tool_name) is not None
        except re.error:
            return tool_name == self.matcher


def read_hooks(block: Any) -> list[ShellHook]:
    """Read a ``hooks:`` block; what is wrong is skipped with a warning, unknown keys are ignored."""
    if not isinstance(block, Mapping):
        return []
    found: list[ShellHook] = []
    for event, entries in block.items():
        if event not in RESERVED and _is_event(event) and _is_list(event, entries):
            found += filter(None, (_entry(event, at, raw) for at, raw in enumerate(entries or ())))
    return found


def _is_event(event: Any) -> bool:
    if event in VALID_HOOKS and event not in PYTHON_ONLY:
        return True
    near = difflib.get_close_matches(str(event), sorted(VALID_HOOKS), n=1, cutoff=0.6)
    if event in PYTHON_ONLY:
        logger.warning("hook event %r is for Python plugins only", event)
    elif near:
        logger.warning("unknown hook event %r in hooks: config, did you mean %r?", event, near[0])
    else:
        logger.warning("unknown hook event %r in hooks: config", event)
    return False


def _is_list(event: str, entries: Any) -> bool:
    if entries is None or isinstance(entries, list):
        return True
    logger.warning("hooks.%s must be a list of hook definitions, not %s", event, type(entries).__name__)
    return False


def _entry(event: str, at: int, raw: Any) -> ShellHook | None:
    where = f"hooks.{event}[{at}]"
    command = raw.get("command") if isinstance(raw, Mapping) else None
    if not isinstance(command, str) or not command.strip():
        logger.warning("%s is missing a non-empty 'command'", where)
        return None
    return ShellHook(
        event=event,
        command=command.strip(),
        matcher=_matcher(where, event, raw.get("matcher")),
        timeout=_timeout(where, raw.get("timeout", DEFAULT_TIMEOUT)),
        fail_closed=_fail_closed(where, event, raw.get("fail_closed", raw.get("failClosed", False))),
    )


def _matcher(where: str, event: str, matcher: Any) -> str:
    if matcher is None:
        return ""
    if isinstance(matcher, str) and event in TOOL_EVENTS:
        return matcher.strip()
    logger.warning("%s.matcher is ignored: it is a text, for pre_tool_call and post_tool_call only", where)
    return ""


def _timeout(where: str, timeout: Any) -> int:
    try:
        seconds = int(timeout)
    except (TypeError, ValueError):
        seconds = 0
    if seconds < 1:
        logger.warning("%s.timeout must be a whole number from 1; using %d s", where, DEFAULT_TIMEOUT)
        return DEFAULT_TIMEOUT
    if seconds > MAX_TIMEOUT:
        logger.warning("%s.timeout=%d exceeds the maximum of %d s; clamping", where, seconds, MAX_TIMEOUT)
    return min(seconds, MAX_TIMEOUT)


def _fail_closed(where: str, event: str, value: Any) -> bool:
    fits = isinstance(value, bool) and (not value or event in BLOCKING_EVENTS)
    if not fits:
        logger.warning("%s.fail_closed is ignored: it is true or false, for pre_tool_call only", where)
    return value is True and event in BLOCKING_EVENTS
