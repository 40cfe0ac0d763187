"""The executor's view of Hermes: dispatching, asking the guard chain, waiting and stopping (design 8)."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar

from ..errors import KataError
from ..executor.protocols import Caller, Verdict
from ..json import JsonObject
from . import host
from .waits import Waits

R = TypeVar("R")

PLACED = frozenset({"terminal", "read_file", "write_file", "patch", "search_files", "execute_code"})
"""Tools for which the directory of the conversation matters."""


class DirectoryError(KataError):
    """Say that a replay could not be put into the conversation's directory."""

    code = "directory"


class HostDispatcher:
    """Issues calls through the plugin context; made on the tool thread, one for each run."""

    def __init__(self, ctx: Any, waits: Waits) -> None:
        self._ctx, self._waits = ctx, waits
        self._thread = threading.get_ident()
        self._session = ""
        self._fresh: str | None = None

    def prepare(self, task_id: str, caller: Caller, tools: tuple[str, ...]) -> None:
        self._session = caller.session_id
        if not PLACED.intersection(tools):
            return
        try:
            host.share_directory(caller.task_id, task_id)
        except ImportError:
            return
        except Exception as error:
            raise DirectoryError(f"the conversation's directory could not be set: {error}") from error
        self._fresh = task_id

    def dispatch(self, tool: str, args: JsonObject, task_id: str, caller: Caller) -> Any:
        return self._ctx.dispatch_tool(
            tool, dict(args), task_id=task_id, session_id=caller.session_id, user_task=caller.user_task
        )

    def carry(self, function: Callable[..., R]) -> Callable[..., R]:
        """Bind a function to the tool thread's context and prompt callbacks."""
        return host.carry_context(function)

    def waiting_for_person(self) -> bool:
        return self._waits.waiting(self._session)

    def stopped(self) -> bool:
        return host.is_stopped(self._thread)

    def close(self) -> None:
        """Drop what the replay left with the host."""
        if self._fresh is not None:
            host.forget_directory(self._fresh)


class HostGuard:
    """The host's guard chain."""

    def ask(self, tool: str, args: JsonObject, task_id: str, caller: Caller) -> Verdict:
        return host.ask_guard(tool, args, task_id, caller)
