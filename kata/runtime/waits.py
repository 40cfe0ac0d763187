"""Who Hermes is waiting for, and which of Kata's own questions a person has said yes to (design 8, case B025)."""

import threading
from typing import Any

YES = frozenset({"once", "session", "always"})


class Waits:
    """Follows the host's human-input and approval hooks; all in memory."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[str, str] = {}
        self._asked: dict[str, str] = {}
        self._allowed: set[str] = set()

    def on_human_input_request(self, **keywords: Any) -> None:
        with self._lock:
            self._open[str(keywords.get("request_id"))] = str(keywords.get("session_id") or "")

    def on_human_input_resolved(self, **keywords: Any) -> None:
        with self._lock:
            self._open.pop(str(keywords.get("request_id")), None)

    def post_approval_response(self, **keywords: Any) -> None:
        key = str(keywords.get("pattern_key") or "").removeprefix("plugin_rule:")
        with self._lock:
            call = self._asked.pop(key, None)
            if call is not None and keywords.get("choice") in YES:
                self._allowed.add(call)

    def waiting(self, session_id: str) -> bool:
        """Tell whether a person is being asked something in this session."""
        with self._lock:
            return session_id in self._open.values()

    def ask(self, rule_key: str, call: str) -> None:
        """Remember that the question under ``rule_key`` is about ``call`` (a tool and its arguments' fingerprint)."""
        with self._lock:
            self._asked[rule_key] = call

    def take_consent(self, call: str) -> bool:
        """Tell whether a person said yes to this very call just now; a yes counts once."""
        with self._lock:
            if call not in self._allowed:
                return False
            self._allowed.discard(call)
            return True
