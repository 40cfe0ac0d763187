"""Kata's door for the dashboard's server, which loads this file by its path, without a package.

It finds Kata's code as the plugin that the server loaded, as the folder around this file, or as the installed package, and
asks the host which profile a request is for.
"""

import contextvars
import importlib
import importlib.util
import logging
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)

FOLDER = Path(__file__).resolve().parents[1]
NAMES = ("hermes_plugins.kata", "kata")
BESIDE = "hermes_dashboard_kata"


def kata(module: str) -> Any:
    """Import one of Kata's modules from wherever this file belongs to."""
    return importlib.import_module(f"{_package()}.{module}")


def _package() -> str:
    if __package__:
        return __package__.rpartition(".")[0]
    if not (FOLDER / "plugin.yaml").exists():
        return "kata"
    for name in (*NAMES, BESIDE):
        found = getattr(sys.modules.get(name), "__file__", None)
        if found and Path(found).resolve().parent == FOLDER:
            return name
    _load_beside()
    return BESIDE


def _load_beside() -> None:
    spec = importlib.util.spec_from_file_location(
        BESIDE, FOLDER / "__init__.py", submodule_search_locations=[str(FOLDER)]
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[BESIDE] = module
    spec.loader.exec_module(module)


def home() -> Any:
    """Return what the host says of the profile that this request is for."""
    from hermes_constants import get_hermes_home
    from plugins.plugin_storage import plugin_data_dir, plugin_db

    here = in_this_profile()
    root = Path(get_hermes_home())
    return kata("dashboard.rooms").Home(
        folder=Path(plugin_data_dir("kata")),
        connect=partial(here, plugin_db, "kata"),
        profile=root.name if root.parent.name == "profiles" else "default",
        settings=partial(here, settings),
        search=partial(here, has_tool_search),
        tools=HostTools(here),
    )


class HostTools:
    """The tools that the host has, as a shell command sees them.

    A server loads none of the host's own before an agent talks in it. They are loaded here when the first check asks for a
    tool that the log does not describe, once; where that fails, what is registered and what the log describes count.
    """

    loading = threading.Lock()

    def __init__(self, here: Callable[..., Any]) -> None:
        self._here, self._loaded = here, False

    def schema(self, tool: str) -> Any:
        """Return the JSON Schema of a tool's parameters; None where there is no such tool."""
        found = self._ask("get_schema", tool)
        return None if found is None else found.get("parameters") or {}

    def names(self) -> tuple[str, ...]:
        """Return every tool's name."""
        return tuple(sorted(self._ask("get_all_tool_names") or ()))

    def _ask(self, method: str, *args: str) -> Any:
        try:
            from tools import registry

            self._load(registry)
            return self._here(getattr(registry.registry, method), *args)
        except Exception:
            log.debug("kata: the host's registry does not answer", exc_info=True)
            return None

    def _load(self, registry: Any) -> None:
        with self.loading:
            if self._loaded:
                return
            self._loaded = True
            try:
                self._here(registry.discover_builtin_tools)
            except Exception:
                log.warning("kata: the host's own tools cannot be loaded here", exc_info=True)


def in_this_profile() -> Callable[..., Any]:
    """Return what calls a function as in this request, later and on any thread."""
    context = contextvars.copy_context()
    return lambda function, *args: context.copy().run(function, *args)


def settings() -> Any:
    """Read Kata's settings of this profile, with warnings."""
    values = config("plugins", "entries", "kata", "settings")
    return kata("service.settings").read_settings(values.get)


def has_tool_search() -> bool:
    """Tell whether new tools are found through tool search, and so at once."""
    return bool(kata("service.settings").has_tool_search(config()))


def config(*keys: str) -> dict[str, Any]:
    """Return one section of this profile's configuration."""
    from hermes_cli.config import load_config_readonly

    section: Any = load_config_readonly() or {}
    for key in keys:
        section = section.get(key) if isinstance(section, dict) else None
    return section if isinstance(section, dict) else {}


def without_dependencies(missing: ImportError) -> Any:
    """Return a router that says what to install, whatever it is asked."""
    from fastapi import APIRouter
    from fastapi.responses import JSONResponse

    router = APIRouter()
    error = {
        "code": "dependencies_missing",
        "message": f"Kata cannot start here: {missing}",
        "hint": "Type `hermes kata`: it answers with the pip line that installs them. Then restart `hermes dashboard`.",
    }

    @router.api_route("/{path:path}", methods=["GET", "POST"], include_in_schema=False)
    def nothing(path: str) -> JSONResponse:
        del path
        return JSONResponse({"schema": "kata.api/1", "ok": False, "error": error}, 503)

    return router


def make_router() -> Any:
    """Return the API's router, or one that says why there is none."""
    try:
        return kata("dashboard.api").build(kata("dashboard.rooms").Rooms(home))
    except ImportError as missing:
        return without_dependencies(missing)


router = make_router()
