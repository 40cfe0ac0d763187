"""The tools that the agent carries out itself, not the registry: its list of tasks, its memory."""

import json
from collections.abc import Callable
from typing import Any, Final

STATES: Final = ("pending", "in_progress", "completed", "cancelled")


class AgentTools:
    """What one conversation's agent keeps."""

    def __init__(self) -> None:
        self._todos: list[dict[str, Any]] = []
        self._revision = 0
        self._memory: list[str] = []

    def find(self, name: str) -> Callable[[dict[str, Any]], str] | None:
        """Return what carries out the tool, or ``None`` when it is not the agent's."""
        own = {"todo_list": self._list, "memory": self._remember}
        return own.get(name)

    def _list(self, args: dict[str, Any]) -> str:
        todos = [dict(each) for each in args.get("todos") or self._todos]
        if todos != self._todos:
            self._todos = todos
            self._revision += 1
        counts = {state: sum(each.get("status") == state for each in self._todos) for state in STATES}
        summary = {"total": len(self._todos), **counts}
        return json.dumps({"todos": self._todos, "revision": self._revision, "summary": summary})

    def _remember(self, args: dict[str, Any]) -> str:
        if args.get("action") == "add":
            self._memory.append(str(args.get("content", "")))
        return json.dumps({"success": True, "entries": self._memory})
