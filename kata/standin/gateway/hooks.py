"""Gateway hooks: folders with a ``HOOK.yaml`` and a ``handler.py`` (facts 12.1)."""

import importlib.util
import inspect
import logging
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs

from ..errors import StandInError
from ..hooks import run_awaitable
from ..yamlish import load

logger = logging.getLogger(__name__)

Handler = Callable[[str, dict[str, Any]], Any]


@attrs.frozen
class GatewayHook:
    """One folder that was loaded."""

    name: str
    description: str
    events: tuple[str, ...]
    path: Path


class GatewayHooks:
    """Every hook folder under ``<home>/hooks``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._handlers: dict[str, list[Handler]] = {}
        self.loaded: list[GatewayHook] = []

    def discover_and_load(self) -> None:
        """Load all folders in order of their names; a broken one is logged and left out."""
        for folder in sorted(self._folder.iterdir()) if self._folder.is_dir() else ():
            if (folder / "HOOK.yaml").exists() and (folder / "handler.py").exists():
                self._load_safely(folder)

    def _load_safely(self, folder: Path) -> None:
        try:
            self._load(folder)
        except Exception as error:
            logger.warning("[hooks] %s is left out: %s", folder.name, error)

    def _load(self, folder: Path) -> None:
        manifest = load((folder / "HOOK.yaml").read_text(encoding="utf-8"))
        if not isinstance(manifest, dict) or not manifest.get("events"):
            raise StandInError("HOOK.yaml declares no events")
        name = str(manifest.get("name", folder.name))
        handle = getattr(_import(name, folder / "handler.py"), "handle", None)
        if handle is None:
            raise StandInError("handler.py has no function 'handle'")
        events = tuple(map(str, manifest["events"]))
        for event in events:
            self._handlers.setdefault(event, []).append(handle)
        self.loaded.append(GatewayHook(name, str(manifest.get("description", "")), events, folder))

    def emit(self, event: str, context: dict[str, Any]) -> list[Any]:
        """Fire an event: handlers of that name first, then of ``base:*``; return what is not ``None``."""
        answers = (self._call(handler, event, context) for handler in self._meant(event))
        return [answer for answer in answers if answer is not None]

    def _meant(self, event: str) -> list[Handler]:
        base, colon, _ = event.partition(":")
        return [*self._handlers.get(event, ()), *(self._handlers.get(f"{base}:*", ()) if colon else ())]

    def _call(self, handler: Handler, event: str, context: dict[str, Any]) -> Any:
        try:
            answer = handler(event, context)
            return run_awaitable(answer) if inspect.isawaitable(answer) else answer
        except Exception as error:
            logger.warning("[hooks] error in a handler for %r: %s", event, error)
            return None


def _import(name: str, path: Path) -> ModuleType:
    module_name = f"hermes_hook_{name}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise StandInError("handler.py cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    spec.loader.exec_module(module)
    return module
