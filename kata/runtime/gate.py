"""What ``pre_tool_call`` answers, from memory alone (design 8, 9.2; cases B009, B017, B021, B025)."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from ..effects.deciding import mentions_kata
from ..json import JsonObject
from ..surfaces.text import say
from .waits import Waits

log = logging.getLogger(__name__)

PREFIX = "kata_"
RESUME = "kata_resume"


@attrs.frozen(kw_only=True)
class Ask:
    """What the gate knows of a registered kata.

    Attributes:
        always: It has effects that ask the person on every run.
        unknown: Keys of calls whose outcome nobody knows: the same call again asks the person (case B025).
        message: Says what will run with these arguments.
        key: Returns the key of a call with these arguments.
    """

    always: bool
    unknown: frozenset[str]
    message: Callable[[JsonObject], str]
    key: Callable[[JsonObject], str]


class Gate:
    """Blocks calls that reach for Kata's decisions, and asks the person before katas with effects.

    ``asking`` maps the full tool names of the registered katas; it is replaced as a whole when the registry changes, so that
    reading it needs no lock. ``refused`` is told of every blocked attempt; ``resuming`` returns what to ask before
    a run goes on, if anything.
    """

    def __init__(
        self,
        waits: Waits,
        *,
        fresh: Callable[[], str],
        refused: Callable[[str, str, Mapping[str, Any]], None],
        resuming: Callable[[JsonObject], str | None] = lambda args: None,
    ) -> None:
        self.asking: Mapping[str, Ask] = {}
        self._waits, self._fresh, self._refused = waits, fresh, refused
        self._resuming = resuming

    def pre_tool_call(self, **keywords: Any) -> dict[str, str] | None:
        """Return a directive, or None to let the call pass; never raises, since a raise would block the user's tool."""
        try:
            return self._directive(keywords)
        except Exception:
            log.debug("kata: the gate failed", exc_info=True)
            held = keywords.get("tool_name") in (*self.asking, RESUME)
            return {"action": "block", "message": say("gate.broken")} if held else None

    def _directive(self, keywords: Mapping[str, Any]) -> dict[str, str] | None:
        tool = str(keywords.get("tool_name") or "")
        args = keywords.get("args")
        args = args if isinstance(args, Mapping) else {}
        known = self.asking.get(tool)
        if known is not None:
            return self._asked(tool, known, args)
        if tool == RESUME:
            return self._asked_to_resume(args)
        why = None if tool.startswith(PREFIX) else mentions_kata(args)
        if why is None:
            return None
        self._refused(tool, why, keywords)
        return {"action": "block", "message": say("gate.refusal", why=why)}

    def _asked_to_resume(self, args: JsonObject) -> dict[str, str] | None:
        message = self._resuming(args)
        if message is None:
            return None
        return {"action": "approve", "message": message, "rule_key": f"{RESUME}:{self._fresh()}"}

    def _asked(self, tool: str, known: Ask, args: JsonObject) -> dict[str, str] | None:
        key = known.key(args)
        repeat = key in known.unknown
        if not known.always and not repeat:
            return None
        rule_key = f"{tool}:{self._fresh()}"
        self._waits.ask(rule_key, key)
        message = known.message(args) + (say("gate.unknown") if repeat else "")
        return {"action": "approve", "message": message, "rule_key": rule_key}
