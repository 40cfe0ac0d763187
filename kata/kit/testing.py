"""Test a plugin without Hermes: a context that records, and that knows Hermes' own signatures where it is installed.

>>> from kata.kit import register_plugin, tool
>>> @tool(toolset="clock")
... def clock_add(hours: int):
...     '''Add hours.'''
...     return {"sum": hours + 1}
>>> ctx = RecordingContext("clock")
>>> register_plugin(ctx, [clock_add]).tools
('clock_add',)
>>> ctx.call_tool("clock_add", {"hours": "2"})
{'success': True, 'data': {'sum': 3}}
"""

import argparse
import asyncio
import inspect
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from . import host
from .summary import RegistrationSummary, dispose_all

_SURFACES = {
    "register_tool": ("tool", "name"),
    "register_hook": ("hook", "hook_name"),
    "register_middleware": ("middleware", "kind"),
    "register_command": ("command", "name"),
    "register_cli_command": ("cli_command", "name"),
    "register_skill": ("skill", "name"),
}
_DECLARED = {"provides_tools": "tools", "provides_hooks": "hooks", "provides_middleware": "middlewares"}

_SIGNATURES = {
    "register_tool": "name toolset schema handler check_fn? requires_env? is_async? description? emoji? override?",
    "register_hook": "hook_name callback",
    "register_middleware": "kind callback",
    "register_command": "name handler description? args_hint? argument_mode?",
    "register_cli_command": "name help setup_fn handler_fn? description?",
    "register_skill": "name path description? frontmatter?",
}
"""What Hermes 0.22.2 takes, for where it is not installed; ``?`` marks what has a default."""


@dataclass(frozen=True)
class RecordedCall:
    """One registration.

    Attributes:
        key: Surface and name, such as ``tool:clock_add``.
        arguments: What was passed, by the host's names.
    """

    key: str
    registrar: str
    arguments: Mapping[str, Any]


@dataclass(eq=False)
class RecordedHandle:
    """What a registration answers with; disposing of it takes the registration out of the context."""

    call: RecordedCall
    context: "RecordingContext"
    active: bool = True

    def dispose(self) -> None:
        """Take the registration back, once."""
        if self.active:
            self.active = False
            self.context.live.remove(self.call)
            self.context.disposed.append(self.call.key)


class RecordingContext:
    """A plugin context for tests.

    Every call must fit the signature of the real ``PluginContext``, where Hermes can be imported.

    Args:
        name: The plugin's name and id.
        refuse: Keys such as ``command:status`` that are answered with ``None``, as Hermes refuses.
        fail: Keys whose registration raises ``RuntimeError``.
        settings: What ``get_config`` reads.
        config: What ``manifest.config`` holds.

    Attributes:
        calls: Every registration that was made.
        live: Those that were not taken back.
        disposed: Keys in the order in which they were taken back.
    """

    def __init__(
        self,
        name: str = "plugin",
        *,
        refuse: Iterable[str] = (),
        fail: Iterable[str] = (),
        settings: Mapping[str, Any] | None = None,
        config: Mapping[str, Any] | None = None,
    ) -> None:
        self.plugin_id = name
        self.manifest = SimpleNamespace(name=name, config=dict(config or {}))
        self.calls: list[RecordedCall] = []
        self.live: list[RecordedCall] = []
        self.disposed: list[str] = []
        self._refused, self._failing, self._settings = (
            frozenset(refuse),
            frozenset(fail),
            dict(settings or {}),
        )
        self._unload: list[Callable[[], None]] = []
        self._handles: list[RecordedHandle] = []

    def __getattr__(self, name: str) -> Any:
        """Offer the registrars that Hermes has, with its signatures."""
        if name not in _SURFACES:
            raise AttributeError(name)
        signature = host.context_signature(name) or _fallback(name)

        def registrar(*args: Any, **kwargs: Any) -> RecordedHandle | None:
            bound = signature.bind(self, *args, **kwargs)
            return self._record(name, {key: bound.arguments[key] for key in list(bound.arguments)[1:]})

        registrar.__signature__ = signature.replace(  # type: ignore[attr-defined]  # functions take one
            parameters=list(signature.parameters.values())[1:]
        )
        return registrar

    def on_unload(self, callback: Callable[[], None]) -> None:
        """Keep a callback for ``unload``."""
        self._unload.append(callback)

    def get_config(self, key: str, default: Any = None) -> Any:
        """Read one of the settings."""
        return self._settings.get(key, default)

    def unload(self) -> None:
        """Do what Hermes does when it unloads the plugin."""
        for callback in reversed(self._unload):
            callback()
        dispose_all(self._handles)

    def names(self, surface: str) -> tuple[str, ...]:
        """List what is registered of one surface, such as ``tool``."""
        return tuple(
            key.partition(":")[2] for key in (call.key for call in self.live) if key.startswith(f"{surface}:")
        )

    def registered(self, key: str) -> Mapping[str, Any]:
        """Return the arguments of a live registration.

        Raises:
            KeyError: There is none of that key.
        """
        for call in self.live:
            if call.key == key:
                return call.arguments
        raise KeyError(key)

    def call_tool(self, name: str, args: Mapping[str, Any] | None = None, **context: Any) -> Any:
        """Call a tool as Hermes does, and decode its answer."""
        answer = _awaited(self.registered(f"tool:{name}")["handler"](dict(args or {}), **context))
        return json.loads(answer)

    def fire(self, hook: str, **payload: Any) -> list[Any]:
        """Fire a hook, and list what its callbacks returned but for ``None``."""
        callbacks = [call.arguments["callback"] for call in self.live if call.key == f"hook:{hook}"]
        results = [_awaited(callback(**payload)) for callback in callbacks]
        return [result for result in results if result is not None]

    def run_command(self, name: str, text: str = "") -> Any:
        """Type a slash command."""
        return _awaited(self.registered(f"command:{name}")["handler"](text))

    def run_cli(self, name: str, *words: str) -> Any:
        """Run a subcommand of the ``hermes`` program with its words."""
        registered = self.registered(f"cli_command:{name}")
        parser = argparse.ArgumentParser(prog=f"hermes {name}", description=registered.get("description"))
        registered["setup_fn"](parser)
        return registered["handler_fn"](parser.parse_args(words))

    def _record(self, registrar: str, arguments: dict[str, Any]) -> RecordedHandle | None:
        surface, parameter = _SURFACES[registrar]
        call = RecordedCall(f"{surface}:{arguments[parameter]}", registrar, arguments)
        if call.key in self._failing:
            raise RuntimeError(f"{registrar} of {arguments[parameter]!r} was told to fail")
        self.calls.append(call)
        if call.key in self._refused:
            return None
        self.live.append(call)
        self._handles.append(RecordedHandle(call, self))
        return self._handles[-1]


def undeclared(summary: RegistrationSummary, manifest: Mapping[str, Any]) -> tuple[str, ...]:
    """Say where a plugin's ``plugin.yaml`` and what it registers differ; Hermes' ``plugins validate`` wants both equal.

    >>> undeclared(RegistrationSummary(tools=("a",)), {"provides_tools": ["b"]})
    ('provides_tools lacks a', 'provides_tools names b, which is not registered')
    """
    found: list[str] = []
    for key, names in _DECLARED.items():
        registered, declared = set(getattr(summary, names)), set(manifest.get(key) or ())
        found += [f"{key} lacks {name}" for name in sorted(registered - declared)]
        found += [f"{key} names {name}, which is not registered" for name in sorted(declared - registered)]
    return tuple(found)


def _fallback(registrar: str) -> inspect.Signature:
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    words = ["self", *_SIGNATURES[registrar].split()]
    parameters = [
        inspect.Parameter(
            word.rstrip("?"), kind, default=None if word.endswith("?") else inspect.Parameter.empty
        )
        for word in words
    ]
    return inspect.Signature(parameters, return_annotation="PluginRegistration")


def _awaited(value: Any) -> Any:
    return asyncio.run(value) if inspect.iscoroutine(value) else value
