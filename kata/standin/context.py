"""What a plugin gets from the host: the ``ctx`` of ``register(ctx)``."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from .errors import ToolOverrideError
from .ledger import Registration
from .names import BUILTIN_COMMANDS, MIDDLEWARE, VALID_HOOKS
from .registry import ToolEntry
from .state import PluginState

if TYPE_CHECKING:
    from .plugins import Plugins

logger = logging.getLogger(__name__)


@attrs.frozen
class Manifest:
    """What the host knows of a plugin before it is loaded."""

    name: str
    version: str = "0"
    description: str = ""
    source: str = "user"
    path: str = ""
    key: str = ""


class PluginContext:
    """Offer the registrations and services of Hermes 0.22, same names, arguments and answers (facts 5 to 8)."""

    def __init__(self, manifest: Manifest, plugins: "Plugins") -> None:
        self.manifest = manifest
        self._manager = plugins
        self._state: PluginState | None = None

    @property
    def plugin_id(self) -> str:
        return self.manifest.key or self.manifest.name

    @property
    def profile_name(self) -> str:
        return self._manager.profile_name

    @property
    def state(self) -> PluginState:
        if self._state is None:
            self._state = PluginState(self._manager.home, self.plugin_id)
        return self._state

    def get_config(self, key: str, default: Any = None) -> Any:
        return self._manager.settings.plugin_get(self.plugin_id, key, default)

    def set_config(self, key: str, value: Any) -> None:
        self._manager.settings.plugin_set(self.plugin_id, key, value)

    def has_plugin(self, plugin_id: str) -> bool:
        return plugin_id in self._manager.loaded

    def has_capability(self, capability: str) -> bool:
        entry = self._manager.settings.get(f"plugins.entries.{self.plugin_id}", {})
        legacy = capability == "tools.override" and entry.get("allow_tool_override") is True
        return legacy or capability in entry.get("granted_capabilities", ())

    def register_tool(  # noqa: PLR0917 - the host's own signature
        self,
        name: str,
        toolset: str,
        schema: dict[str, Any],
        handler: Callable[..., Any],
        check_fn: Callable[[], bool] | None = None,
        requires_env: list[str] | None = None,
        is_async: bool = False,
        description: str = "",
        emoji: str = "",
        override: bool = False,
    ) -> Registration | None:
        """Register a tool; ``None`` when the name belongs to the host or to another toolset.

        Raises:
            ValueError: the schema, or its ``parameters``, is no dict.
            ToolOverrideError: ``override`` without the user's leave.
        """
        if override and not self.has_capability("tools.override"):
            raise ToolOverrideError(f"plugin {self.manifest.name!r} may not override tool {name!r}")
        registry = self._manager.registry
        existing = registry.get_entry(name)
        if existing is not None and not existing.owner and not override:
            logger.warning("plugin %s tried to shadow the tool %s without override", self.manifest.name, name)
            return None
        text = description or str(schema.get("description", "")) if isinstance(schema, dict) else description
        entry = ToolEntry(
            name,
            toolset,
            schema,
            handler,
            check_fn,
            requires_env or [],
            is_async,
            text,
            emoji,
            self.plugin_id,
        )
        release = registry.register(entry, override=override)
        return None if release is None else self._track("tool", name, release)

    def register_hook(self, hook_name: str, callback: Callable[..., Any]) -> Registration:
        """Register a callback; an unknown hook name is kept with a warning."""
        _warn_unknown(self.manifest.name, "hook", hook_name, VALID_HOOKS)
        return self._track("hook", hook_name, self._manager.hooks.add(hook_name, callback))

    def register_middleware(self, kind: str, callback: Callable[..., Any]) -> Registration:
        """Register middleware; an unknown kind is kept with a warning."""
        _warn_unknown(self.manifest.name, "middleware", kind, MIDDLEWARE)
        return self._track("middleware", kind, self._manager.middleware.add(kind, callback))

    def register_command(
        self,
        name: str,
        handler: Callable[..., Any],
        description: str = "",
        args_hint: str = "",
        argument_mode: str | None = None,
    ) -> Registration | None:
        """Register ``/name``; ``None`` for an empty name or one of the host's own."""
        clean = name.lower().strip().lstrip("/").replace(" ", "-")
        if not clean or clean in BUILTIN_COMMANDS:
            logger.warning("plugin %s: the command %r is not free", self.manifest.name, name)
            return None
        hint = args_hint.strip()
        fits = argument_mode in {"options", "text", "mixed"}
        entry = {
            "handler": handler,
            "description": description or "Plugin command",
            "plugin": self.manifest.name,
            "plugin_key": self.plugin_id,
            "args_hint": hint,
            "argument_mode": argument_mode if fits else ("text" if hint else None),
        }
        return self._track("command", clean, self._manager.commands.put(clean, entry))

    def register_cli_command(
        self,
        name: str,
        help: str,  # noqa: A002 - the host's own name
        setup_fn: Callable[..., Any],
        handler_fn: Callable[..., Any] | None = None,
        description: str = "",
    ) -> Registration:
        """Register ``hermes name …``; ``setup_fn`` gets the argparse parser, ``handler_fn`` the namespace."""
        entry = {
            "name": name,
            "help": help,
            "description": description,
            "setup_fn": setup_fn,
            "handler_fn": handler_fn,
            "plugin": self.manifest.name,
            "plugin_key": self.plugin_id,
        }
        return self._track("cli_command", name, self._manager.cli_commands.put(name, entry))

    def dispatch_tool(self, tool_name: str, args: dict[str, Any], **kwargs: Any) -> Any:
        """Run a tool without hooks, middleware or coercion; never raises (facts 6)."""
        return self._manager.registry.dispatch(tool_name, args, **kwargs)

    def register_skill(
        self, name: str, path: Path | str, description: str = "", frontmatter: Mapping[str, Any] | None = None
    ) -> Registration:
        """Register a read-only skill ``<plugin>:<name>``.

        Raises:
            ValueError: the name is no plain word.
            FileNotFoundError: there is no such file.
        """
        if not name or not name.replace("-", "").replace("_", "").isalnum():
            raise ValueError(f"invalid skill name {name!r}")
        if not Path(path).exists():
            raise FileNotFoundError(f"SKILL.md not found at {path}")
        entry = {
            "path": Path(path),
            "plugin": self.manifest.name,
            "plugin_key": self.plugin_id,
            "bare_name": name,
            "description": description,
            "frontmatter": dict(frontmatter or {}),
        }
        qualified = f"{self.manifest.name}:{name}"
        return self._track("skill", qualified, self._manager.skills.put(qualified, entry))

    def register_system_prompt_section(
        self,
        id: str,  # noqa: A002 - the host's own name
        content: Any,
        *,
        position: str = "after_memory",
        max_chars: int = 4000,
    ) -> Registration:
        """Register a text (or what makes one) for the system prompt of sessions to come.

        Raises:
            ValueError: the position or the size is not allowed, or the id is taken.
            TypeError: the content is neither text nor callable.
        """
        if not isinstance(content, str) and not callable(content):
            raise TypeError("system prompt section content must be a string or callable")
        if (
            position != "after_memory"
            or not 0 < max_chars <= 4000
            or id in self._manager.prompt_sections.mapping
        ):
            raise ValueError(f"system prompt section {id!r} is not allowed")
        entry = {"content": content, "max_chars": max_chars, "plugin": self.plugin_id}
        return self._track("system_prompt_section", id, self._manager.prompt_sections.put(id, entry))

    def on_unload(self, callback: Callable[[], None]) -> Registration:
        """Call back when the plugin is unloaded, in reverse order of all its registrations.

        Raises:
            TypeError: it cannot be called.
        """
        if not callable(callback):
            raise TypeError("on_unload callback must be callable")
        return self._track("on_unload", getattr(callback, "__name__", "callback"), callback)

    def spawn_task(self, coro: Coroutine[Any, Any, Any], *, name: str | None = None) -> "asyncio.Task[Any]":
        """Start a task on the running loop; it is cancelled at unload.

        Raises:
            TypeError: no coroutine.
            RuntimeError: no loop runs in this thread.
        """
        if not asyncio.iscoroutine(coro):
            raise TypeError("spawn_task expects a coroutine")
        task = asyncio.get_running_loop().create_task(coro, name=name or f"plugin:{self.plugin_id}:task")
        handle = self._track("background_task", task.get_name(), task.cancel)
        task.add_done_callback(lambda _task: handle.dispose())
        return task

    def emit(self, event: str, payload: dict[str, Any] | None = None) -> int:
        """Publish ``<plugin>:<event>``; return how many subscribers will get it.

        Raises:
            ValueError: the name is empty or has a namespace of its own.
            TypeError: the payload is no dict.
        """
        if not event or not isinstance(event, str) or ":" in event:
            raise ValueError(f"plugin {self.plugin_id!r} may emit bare event names only, not {event!r}")
        if payload is not None and not isinstance(payload, dict):
            raise TypeError("an event's payload must be a dict or None")
        return self._manager.bus.emit(f"{self.plugin_id}:{event}", payload or {})

    def subscribe(self, event: str, callback: Callable[..., Any]) -> None:
        """Get the events ``<plugin>:<event>`` as keyword arguments.

        Raises:
            ValueError: the name is empty.
        """
        if not event or not isinstance(event, str):
            raise ValueError("subscribe() requires a non-empty event name")
        release = self._manager.bus.subscribe(self.plugin_id, event, callback)
        self._track("subscription", event, release)

    def inject_message(
        self, content: str, role: str = "user", *, session_key: str | None = None, origin: Any = None
    ) -> bool:
        """Queue a message for the open conversation; another one needs ``allow_gateway_injection``."""
        elsewhere = session_key is not None or origin is not None
        allowed = f"plugins.entries.{self.plugin_id}.allow_gateway_injection"
        if elsewhere and self._manager.settings.get(allowed) is not True:
            return False
        return self._manager.inject(content, role)

    def current_cron_execution(self) -> None:
        """Return the running cron execution: the stand-in has none."""
        return

    def _track(self, kind: str, key: str, release: Callable[[], object]) -> Registration:
        return self._manager.track(Registration(kind, key, release, self.plugin_id))


def _warn_unknown(plugin: str, what: str, name: str, known: frozenset[str]) -> None:
    if name not in known:
        logger.warning("plugin %s registered the unknown %s %r", plugin, what, name)
