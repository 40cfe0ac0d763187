"""The stand-in host itself: one profile of a Hermes that needs no model, no network and no Hermes."""

import secrets
import sqlite3
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from ..clock import Clock, SystemClock
from .approvals import Approvals, Person
from .builtins import host_tool, register_builtins
from .commands import Ran, run_cli, run_slash
from .context import PluginContext
from .conversation import Conversation
from .files import Workspace
from .hooks import HookBus
from .model import ModelRequest
from .plugins import Plugins, Source
from .registry import ToolRegistry
from .sessions import Sessions
from .settings import Settings
from .shellhooks.commands import HookCommands
from .shellhooks.consent import Consent
from .shellhooks.hooks import ShellHooks, environment
from .storage import data_dir, open_db
from .streams import Streams
from .terminal import Terminal
from .toolrun import CallIds, ToolRunner

Result = TypeVar("Result")


class StandIn:
    """A Hermes host for the demo and for fast tests.

    Args:
        home: What ``HERMES_HOME`` would be; configuration and plugin data stand there.
        config: Merged into ``<home>/config.yaml`` at the start.
        clock: Tells the time of time-outs and durations.
        token: Makes ``n`` random bytes as hex digits, for ids.
        environ: What shell hooks get as their environment; this process's own by default.
    """

    def __init__(
        self,
        home: Path,
        *,
        config: Mapping[str, Any] | None = None,
        clock: Clock | None = None,
        token: Callable[[int], str] = secrets.token_hex,
        profile_name: str = "default",
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.home = home
        self.clock = clock or SystemClock()
        self.token = token
        self.settings = Settings(home / "config.yaml")
        if config:
            self.settings.merge(config)
        self.hooks = HookBus(self.clock, self._hook_timeout)
        self.streams = Streams(self.hooks)
        self.person = Person()
        self.approvals = Approvals(self.hooks, self.settings, self.person, token)
        self.workspace = Workspace(home / "workspace")
        self.terminal = Terminal(self.workspace, self.hooks, self.approvals)
        self.plugins = Plugins(home, self.settings, self.hooks, profile_name)
        self.plugins.inject = self._inject
        self.runner = ToolRunner(self.plugins, self.approvals, self.person, self.clock, self.workspace)
        self.sessions = Sessions(self.clock, token)
        self.requests: list[ModelRequest] = []
        """Every model request of the host's life."""
        self.injected: list[tuple[str, str]] = []
        self.shell_hooks = ShellHooks(
            home,
            self.settings,
            self.hooks,
            Consent(home, self.clock),
            environment() if environ is None else environ,
        )
        self._running: list[Conversation] = []
        self._call_number = 0
        register_builtins(self.registry, self.workspace, self.terminal)

    # -- plugins --

    @property
    def registry(self) -> ToolRegistry:
        return self.plugins.registry

    def load(self, source: Source, name: str = "kata") -> PluginContext:
        """Load a plugin: a ``register`` callable, a module that has one, or a plugin folder's path."""
        return self.plugins.load(source, name)

    def unload(self, name: str = "kata") -> bool:
        """Unload a plugin; tell whether there was one of that name."""
        return self.plugins.unload(name)

    def reload(self) -> None:
        """Unload and load all plugins again, and register the shell hooks anew behind them."""
        self.plugins.reload()
        self.shell_hooks.register_again()

    def add_tool(
        self,
        name: str,
        handler: Callable[..., Any],
        schema: Mapping[str, Any] | None = None,
        *,
        toolset: str = "host",
    ) -> Callable[[], None]:
        """Add a tool of the host (or replace it, schema and all) and return what takes it out again."""
        described = {"name": name, "description": name, "parameters": {"type": "object"}, **(schema or {})}
        entry = host_tool(name, self.registry.get_toolset_for_tool(name) or toolset, described, handler)
        release = self.registry.register(entry)
        assert release is not None
        return release

    def change_schema(
        self, name: str, change: Callable[[dict[str, Any]], dict[str, Any]]
    ) -> Callable[[], None]:
        """Replace a host tool's ``parameters`` by ``change(parameters)``; return what undoes it."""
        entry = self.registry.get_entry(name)
        if entry is None:
            raise LookupError(name)
        schema = {**entry.schema, "parameters": change(dict(entry.schema["parameters"]))}
        return self.add_tool(name, entry.handler, schema)

    # -- conversations --

    def conversation(
        self, session_id: str | None = None, *, platform: str = "cli", **options: Any
    ) -> Conversation:
        """Begin a conversation, or take up the session of that id again (see ``Conversation``)."""
        return Conversation(self, self.sessions.open(session_id, platform), platform=platform, **options)

    @contextmanager
    def running(self, chat: Conversation) -> Iterator[None]:
        """Mark a conversation as the one whose turn runs."""
        self._running.append(chat)
        try:
            yield
        finally:
            self._running.pop()
            self.streams.settle()

    def stop_requested(self) -> bool:
        """Tell whether the person pressed stop in the running turn."""
        return any(chat.stopped() for chat in self._running)

    def slash(self, line: str, chat: Conversation | None = None) -> str:
        """Type a slash command; the host's own fire ``pre_command``, a plugin's do not."""
        name, _, raw = line.strip().removeprefix("/").partition(" ")
        if name not in ("new", "reset", "reload-mcp") or chat is None:
            return run_slash(self.plugins.commands.mapping, line)
        command = "new" if name == "reset" else name
        self.hooks.fire(
            "pre_command",
            surface=chat.platform,
            command=command,
            alias_used=name,
            args_raw=raw,
            session_key=chat.session_id,
            platform=chat.platform,
        )
        if command == "reload-mcp":
            chat.reload_tools()
            return ""
        return "\n".join(chat.new())

    def cli(self, argv: Sequence[str]) -> Ran:
        """Run ``hermes argv…`` in this process: ``hooks …``, or a plugin's command."""
        own = HookCommands(self.shell_hooks)
        hooks = {
            "name": "hooks",
            "help": "Shell hooks",
            "description": "",
            "setup_fn": own.setup,
            "handler_fn": own.run,
        }
        return run_cli({**self.plugins.cli_commands.mapping, "hooks": hooks}, argv)

    # -- what an adapter asks a host for --

    def data_dir(self, name: str) -> Path:
        """Return the folder where a plugin keeps its data (made when missing)."""
        return data_dir(self.home, name)

    def plugin_db(self, name: str, filename: str = "data.db") -> sqlite3.Connection:
        """Open a database in the plugin's data folder, journal mode as the real host chooses it."""
        return open_db(self.data_dir(name), filename)

    def lineage(self, session_id: str) -> tuple[str, ...]:
        """Return a session and its ancestors, nearest first."""
        return self.sessions.lineage(session_id)

    def pre_tool_call(
        self,
        tool_name: str,
        args: dict[str, Any],
        *,
        task_id: str = "",
        session_id: str = "",
        tool_call_id: str = "",
        turn_id: str = "",
        api_request_id: str = "",
    ) -> tuple[str | None, dict[str, Any] | None]:
        """Ask the guard chain about a call: why it is blocked (or ``None``), and modified arguments (or ``None``)."""
        ids = CallIds(task_id, session_id, tool_call_id, turn_id, api_request_id)
        return self.runner.guard(tool_name, args, ids)

    def carry_to_thread(self, work: Callable[..., Result]) -> Callable[..., Result]:
        """Wrap work for another thread, so that its questions reach the person whom this thread reaches."""
        here = self.person.reachable
        where = self.approvals.where

        def carried(*args: Any, **keywords: Any) -> Result:
            with self.approvals.at(where):
                if not here:
                    return work(*args, **keywords)
                with self.person.at_prompt():
                    return work(*args, **keywords)

        return carried

    # -- what the rooms of the host ask it for --

    def toolsets(self) -> frozenset[str]:
        """Return the toolsets that there are now, but those the user switched off."""
        off = self.settings.get("agent.disabled_toolsets", [])
        names = self.registry.get_all_tool_names()
        return frozenset(self.registry.get_toolset_for_tool(name) or "" for name in names) - set(off)

    def prompt_sections(self) -> list[str]:
        """Render the plugins' sections of the system prompt."""
        sections = sorted(self.plugins.prompt_sections.mapping.items())
        texts = ((name, _text(each["content"])[: each["max_chars"]]) for name, each in sections)
        return [f"## Plugin Context: {name}\n{text}" for name, text in texts if text]

    def next_call_number(self) -> int:
        self._call_number += 1
        return self._call_number

    def uuid(self) -> str:
        return str(uuid.UUID(hex=self.token(16)))

    def _inject(self, content: str, role: str) -> bool:
        self.injected.append((role, content))
        return bool(self._running)

    def _hook_timeout(self) -> float:
        return float(self.settings.get("plugins.hook_callback_timeout", 30.0))


def _text(content: Any) -> str:
    try:
        return str(content({}) if callable(content) else content).strip()
    except Exception:
        return ""
