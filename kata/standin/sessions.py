"""Sessions: their messages, their parents, and how each began and ended."""

from collections.abc import Callable
from typing import Any

import attrs

from ..clock import Clock


@attrs.define(eq=False)
class Session:
    """One session as ``state.db`` would hold it.

    Attributes:
        source: ``cli``, ``subagent``, ``telegram``, …
        messages: What was said; a user message with injected context has ``api_content``.
    """

    id: str
    source: str = "cli"
    parent_session_id: str = ""
    messages: list[dict[str, Any]] = attrs.field(factory=list)
    end_reason: str = ""
    turns: int = 0


class Sessions:
    """All sessions of the host, by id."""

    def __init__(self, clock: Clock, token: Callable[[int], str]) -> None:
        self._clock = clock
        self._token = token
        self._sessions: dict[str, Session] = {}

    def open(self, session_id: str | None = None, source: str = "cli", parent: str = "") -> Session:
        """Return the session of that id, or make a new one."""
        name = session_id or f"{self._clock.now():%Y%m%d_%H%M%S}_{self._token(3)}"
        return self._sessions.setdefault(name, Session(name, source, parent))

    def get(self, session_id: str) -> Session | None:
        return self._sessions.get(session_id)

    def lineage(self, session_id: str) -> tuple[str, ...]:
        """Return the session and its ancestors, nearest first; empty for an unknown one."""
        chain: list[str] = []
        while session_id in self._sessions and session_id not in chain:
            chain.append(session_id)
            session_id = self._sessions[session_id].parent_session_id
        return tuple(chain)
