"""What ``pre_tool_call`` answers, from memory alone (design 8, 9.2; cases B009, B017, B021)."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from ..effects.deciding import mentions_kata
from ..json import JsonObject

log = logging.getLogger(__name__)

PREFIX = "kata_"


@attrs.frozen(kw_only=True)
class Ask:
    """A registered kata that asks on every run, and the message that says what will run."""

    number: int
    version: int
    message: Callable[[JsonObject], str]


class Gate:
    """Blocks calls that reach for Kata's decisions, and asks the person before katas with effects.

    ``asking`` maps the full tool names of katas with external or unknown effects; it is replaced as a whole when the
    registry changes, so that reading it needs no lock. ``refused`` is told of every blocked attempt.
    """

    def __init__(
        self, *, key: Callable[[], str], refused: Callable[[str, str, Mapping[str, Any]], None]
    ) -> None:
        self.asking: Mapping[str, Ask] = {}
        self._key, self._refused = key, refused

    def pre_tool_call(self, **keywords: Any) -> dict[str, str] | None:
        """Return a directive, or None to let the call pass; never raises, since a raise would block the user's tool."""
        try:
            return self._directive(keywords)
        except Exception:
            log.debug("kata: the gate failed", exc_info=True)
            tool = keywords.get("tool_name")
            held = isinstance(tool, str) and tool in self.asking
            return {"action": "block", "message": "Kata could not check this call."} if held else None

    def _directive(self, keywords: Mapping[str, Any]) -> dict[str, str] | None:
        tool = str(keywords.get("tool_name") or "")
        args = keywords.get("args")
        args = args if isinstance(args, Mapping) else {}
        asked = self.asking.get(tool)
        if asked is not None:
            return {"action": "approve", "message": asked.message(args), "rule_key": f"{tool}:{self._key()}"}
        why = mentions_kata(args)
        if why is None or tool.startswith(PREFIX):
            return None
        self._refused(tool, why, keywords)
        return {"action": "block", "message": REFUSAL.format(why=why)}


REFUSAL = (
    "Kata: {why}. Approval must come from a person: they can open /kata in their chat, the Kata tab in the dashboard, or run "
    "`hermes kata` in their own terminal. Ask them; do not try another way."
)
