"""The seam to Hermes: everything that Kata asks of its host beyond the plugin context, in one place.

Every import of Hermes stands inside a function, since the same code runs where Hermes is not (the mining child, tests).
"""

import contextvars
import os
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import attrs

from ..executor.protocols import Caller, Verdict
from ..json import JsonObject
from ..projections.lineage import job_of
from ..service.settings import has_tool_search

P = ParamSpec("P")
R = TypeVar("R")

NAME = "kata"
UNATTENDED_MARKS = ("single-query", "without a user present", "no interactive user", "cron", "unattended")
"""Words of the host's refusals when nobody could be asked; anything else is a person's denial."""


@attrs.frozen
class ToolInfo:
    """A tool as this process's registry has it: the JSON Schema of its parameters, and its toolset."""

    schema: JsonObject
    toolset: str
    description: str = ""


@attrs.frozen
class Lineage:
    """Where a session comes from: its parent, how it is related, and the scheduled job it belongs to."""

    parent: str | None
    relation: str
    job: str | None


class Host:
    """One profile's Hermes, remembered at registration: later threads have no profile of their own (case B028)."""

    def __init__(self, ctx: Any) -> None:
        self.ctx = ctx
        self._context = contextvars.copy_context()
        self._lock = threading.Lock()

    def scoped(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a function inside the profile that this plugin was registered for."""
        with self._lock:
            context = self._context.copy()
        return context.run(function, *args, **kwargs)

    def data_dir(self) -> Path:
        """Return Kata's own folder in this profile."""
        from plugins.plugin_storage import plugin_data_dir

        return Path(self.scoped(plugin_data_dir, NAME))

    def connect(self) -> sqlite3.Connection:
        """Open Kata's database as the host decides (journal mode and all)."""
        from plugins.plugin_storage import plugin_db

        connection: sqlite3.Connection = self.scoped(plugin_db, NAME)
        return connection

    @property
    def profile(self) -> str:
        """The profile's name."""
        return str(getattr(self.ctx, "profile_name", "") or "default")

    def config(self, key: str, default: Any) -> Any:
        """Read one setting as it is now."""
        get = getattr(self.ctx, "get_config", None)
        return get(key, default) if get else default

    def tools(self) -> dict[str, ToolInfo]:
        """Return every tool that this process has registered, by name."""
        from tools.registry import registry

        found = {}
        for name in sorted(self.scoped(registry.get_all_tool_names)):
            entry = self.scoped(registry.get_entry, name)
            schema = self.scoped(registry.get_schema, name) or {}
            found[name] = ToolInfo(
                schema.get("parameters") or {},
                str(getattr(entry, "toolset", "")),
                str(schema.get("description", "")),
            )
        return found

    def language(self) -> str:
        """Return the tag of the language that Hermes speaks: ``HERMES_LANGUAGE``, else ``display.language``."""
        wanted = os.environ.get("HERMES_LANGUAGE", "")
        try:
            from hermes_cli.config import load_config_readonly

            display = (self.scoped(load_config_readonly) or {}).get("display") or {}
            return wanted or str(display.get("language") or "")
        except Exception:
            return wanted

    def has_tool_search(self) -> bool:
        """Tell whether new tools are visible at once, through tool search: the host's default."""
        try:
            from hermes_cli.config import load_config_readonly

            return has_tool_search(self.scoped(load_config_readonly))
        except Exception:
            return False

    def load_builtin_tools(self) -> None:
        """Make the host register its own tools: a shell command's process has not done so."""
        from tools.registry import discover_builtin_tools

        self.scoped(discover_builtin_tools)

    def lineage(self, session_id: str) -> Lineage | None:
        """Look a session up in the host's own history; None where it is not there (yet)."""
        from hermes_state import SessionDB

        database = self.scoped(SessionDB, read_only=True)
        try:
            row = database.get_session(session_id)
        finally:
            database.close()
        return None if row is None else lineage_of(dict(row))


class HostTools:
    """The tools of this process, as the service asks for them."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def schema(self, tool: str) -> JsonObject | None:
        found = self._known().get(tool)
        return None if found is None else found.schema

    def names(self) -> tuple[str, ...]:
        return tuple(self._known())

    def _known(self) -> dict[str, ToolInfo]:
        try:
            return self._host.tools()
        except Exception:
            return {}


def lineage_of(row: dict[str, Any]) -> Lineage:
    """Read a session row of the host: parent, relation and scheduled job."""
    source = str(row.get("source") or "")
    parent = row.get("parent_session_id") or None
    if source == "cron":
        return Lineage(parent, "scheduled", job_of(str(row["id"])))
    if source == "subagent":
        return Lineage(parent, "delegate", None)
    return Lineage(parent, "compression" if parent else "unknown", None)


def ask_guard(tool: str, args: JsonObject, task_id: str, caller: Caller) -> Verdict:
    """Ask the other plugins' and the host's policy about one call, as if the model had made it (design 8).

    ``ctx.dispatch_tool`` goes round ``pre_tool_call``; a kata must not.
    """
    try:
        from hermes_cli import plugins as host
    except ImportError:
        return Verdict(kind="unavailable", message="the host's guard chain is not here")
    ids = {"session_id": caller.session_id, "turn_id": caller.turn_id, "tool_call_id": ""}
    try:
        details = host._get_pre_tool_call_directive_details(tool, dict(args), task_id=task_id, **ids)  # noqa: SLF001
        if details.action == "block":
            return Verdict(kind="block", message=str(details.message))
        if details.modified_args is not None and details.modified_args != dict(args):
            return Verdict(kind="modify", message="another plugin wants other arguments")
        message = host._resolve_block_from_details(details, tool, **ids)  # noqa: SLF001
    except AttributeError:
        return Verdict(kind="unavailable", message="the host's guard chain has changed")
    except Exception as error:
        return Verdict(kind="block", message=f"the guard chain failed: {type(error).__name__}")
    if message is None:
        return Verdict(kind="allow")
    unattended = any(mark in message for mark in UNATTENDED_MARKS)
    return Verdict(kind="unattended" if unattended else "denied", message=message)


def carry_context(function: Callable[..., R]) -> Callable[..., R]:
    """Bind a function to this thread's context variables and prompt callbacks, for use on another thread (case B016)."""
    try:
        from tools.thread_context import propagate_context_to_thread
    except ImportError:
        context = contextvars.copy_context()
        return lambda *args, **kwargs: context.run(function, *args, **kwargs)
    bound: Callable[..., R] = propagate_context_to_thread(_acting_for(threading.get_ident(), function))
    return bound


def _acting_for(thread_id: int, function: Callable[..., R]) -> Callable[..., R]:
    """Let a stop that is aimed at the tool's own thread reach what its tools do on another one."""
    try:
        from tools.interrupt import acting_for_tid
    except ImportError:
        return function

    def call(*args: Any, **kwargs: Any) -> R:
        acting_for_tid.set(acting_for_tid.get() or thread_id)
        return function(*args, **kwargs)

    return call


def is_stopped(thread_id: int | None) -> bool:
    """Tell whether the user asked the agent to stop what this thread is doing."""
    try:
        from tools.interrupt import is_thread_interrupted
    except ImportError:
        return False
    return bool(is_thread_interrupted(thread_id))


def share_directory(task_id: str, fresh_task_id: str) -> None:
    """Put a fresh task into the directory where the conversation is, so that relative paths mean the same."""
    from tools.terminal_tool import get_session_cwd, record_session_cwd

    directory = get_session_cwd(task_id)
    if directory:
        record_session_cwd(fresh_task_id, directory)


def forget_directory(task_id: str) -> None:
    """Drop what `share_directory` left with the host."""
    from tools.terminal_tool import clear_session_cwd

    clear_session_cwd(task_id)
