"""Loading, unloading and reloading plugins, and what all of them share."""

import importlib.util
import logging
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import attrs

from .bus import EventBus
from .context import Manifest, PluginContext
from .errors import StandInError
from .hooks import HookBus
from .ledger import Registration, Slots
from .middleware import Middleware
from .registry import ToolRegistry
from .settings import Settings

logger = logging.getLogger(__name__)

LOAD_SECONDS: Final = 10.0
"""How long ``register`` may take (``plugins.load_timeout_seconds``; 0 runs it on the caller's thread)."""

Source = Callable[[PluginContext], Any] | ModuleType | Path | str


@attrs.define
class Loaded:
    """One plugin that was loaded, or failed to."""

    manifest: Manifest
    source: Source
    context: PluginContext
    error: BaseException | None = None

    @property
    def enabled(self) -> bool:
        return self.error is None


class Plugins:
    """Every plugin of one profile, and the registries that they fill."""

    def __init__(self, home: Path, settings: Settings, hooks: HookBus, profile_name: str) -> None:
        self.home = home
        self.settings = settings
        self.hooks = hooks
        self.profile_name = profile_name
        self.registry = ToolRegistry()
        self.middleware = Middleware()
        self.bus = EventBus()
        self.commands = Slots({})
        self.cli_commands = Slots({})
        self.skills = Slots({})
        self.prompt_sections = Slots({})
        self.loaded: dict[str, Loaded] = {}
        self.inject: Callable[[str, str], bool] = lambda content, role: False
        self._registrations: list[Registration] = []

    def track(self, registration: Registration) -> Registration:
        """Remember a registration, to take it back at unload."""
        self._registrations.append(registration)
        return registration

    def load(self, source: Source, name: str) -> PluginContext:
        """Load a plugin from a ``register`` callable, a module, or a plugin folder.

        An error in ``register`` is kept in ``loaded[name].error`` and never raised, as in the real host.
        """
        manifest = Manifest(name, key=name, path=str(source) if isinstance(source, (str, Path)) else "")
        loaded = Loaded(manifest, source, PluginContext(manifest, self))
        self.loaded[name] = loaded
        limit = float(self.settings.get("plugins.load_timeout_seconds", LOAD_SECONDS))
        loaded.error = _within(limit, f"plugin-load:{name}", lambda: _register(source, name, loaded.context))
        if loaded.error is not None:
            logger.warning("failed to load plugin %s: %s", name, loaded.error)
        return loaded.context

    def unload(self, name: str) -> bool:
        """Take back all registrations of a plugin, latest first; tell whether there was such a plugin."""
        found = self.loaded.pop(name, None) is not None
        own = [each for each in self._registrations if each.plugin_key == name]
        for registration in reversed(own):
            _dispose(registration)
        self._registrations = [each for each in self._registrations if each.plugin_key != name]
        _forget_modules(name)
        return found

    def reload(self) -> None:
        """Unload and load every plugin again, as any change to the set of plugins does."""
        again = [(loaded.source, name) for name, loaded in self.loaded.items()]
        for _source, name in reversed(again):
            self.unload(name)
        self.hooks.forget()
        for source, name in again:
            self.load(source, name)


def _register(source: Source, name: str, context: PluginContext) -> None:
    target = _import(Path(source), name) if isinstance(source, (str, Path)) else source
    register = getattr(target, "register", target)
    if not callable(register):
        raise StandInError(f"plugin {name!r} has no register(ctx)")
    register(context)


def _import(folder: Path, name: str) -> ModuleType:
    module_name = f"hermes_plugins.{_slug(name)}"
    if "hermes_plugins" not in sys.modules:
        namespace = ModuleType("hermes_plugins")
        namespace.__path__ = []
        sys.modules["hermes_plugins"] = namespace
    start = folder / "__init__.py"
    spec = importlib.util.spec_from_file_location(
        module_name, start, submodule_search_locations=[str(folder)]
    )
    if spec is None or spec.loader is None or not start.exists():
        raise StandInError(f"no plugin in {folder}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    spec.loader.exec_module(module)
    return module


def _slug(name: str) -> str:
    return name.replace("-", "_").replace("/", "__")


def _forget_modules(name: str) -> None:
    prefix = f"hermes_plugins.{_slug(name)}"
    for module in [each for each in sys.modules if each == prefix or each.startswith(f"{prefix}.")]:
        del sys.modules[module]


def _within(limit: float, name: str, work: Callable[[], None]) -> BaseException | None:
    outcome: list[BaseException] = []

    def guarded() -> None:
        try:
            work()
        except BaseException as error:
            outcome.append(error)

    if limit <= 0:
        guarded()
        return next(iter(outcome), None)
    thread = threading.Thread(target=guarded, name=name, daemon=True)
    thread.start()
    thread.join(limit)
    if thread.is_alive():
        return TimeoutError(f"register() took longer than {limit:g} s")
    return next(iter(outcome), None)


def _dispose(registration: Registration) -> None:
    try:
        registration.dispose()
    except Exception as error:
        logger.warning("unloading %s %s: %s", registration.kind, registration.key, error)
