"""The door: loaded by its path without a package, it finds Kata's code and the profile that a request is for."""

import importlib.util
import shutil
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

import kata
from kata.service.tab import FolderPluginError, install, remove
from tests.dashboard.conftest import finished

PACKAGE = Path(kata.__file__).parent
NAME = "hermes_dashboard_plugin_kata"


def load(path: Path) -> ModuleType:
    """Load a plugin's API as the dashboard's server does."""
    spec = importlib.util.spec_from_file_location(NAME, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ask(module: ModuleType, path: str) -> httpx.Response:
    app = FastAPI()
    app.include_router(module.router, prefix="/api/plugins/kata")

    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.get(f"/api/plugins/kata/{path}")

    return finished(send())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return Kata as a folder plugin beside no other code."""
    target = tmp_path / "plugins" / "kata"
    shutil.copytree(PACKAGE, target, ignore=shutil.ignore_patterns("__pycache__"))
    return target


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, Any]:
    """Stand in for the modules of Hermes that the door asks, one home a profile."""
    import sqlite3

    state: dict[str, Any] = {"home": tmp_path / "home", "config": {}}

    def data_dir(name: str) -> Path:
        made: Path = state["home"] / "plugin-data" / name
        made.mkdir(parents=True, exist_ok=True)
        return made

    def plugin_db(name: str) -> sqlite3.Connection:
        return sqlite3.connect(data_dir(name) / "data.db", check_same_thread=False)

    modules = {
        "hermes_constants": SimpleNamespace(get_hermes_home=lambda: state["home"]),
        "plugins": SimpleNamespace(),
        "plugins.plugin_storage": SimpleNamespace(plugin_data_dir=data_dir, plugin_db=plugin_db),
        "hermes_cli": SimpleNamespace(),
        "hermes_cli.config": SimpleNamespace(load_config_readonly=lambda: state["config"]),
    }
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    return state


def test_beside_the_plugin_it_takes_the_code_beside_it(folder, monkeypatch):
    monkeypatch.delitem(sys.modules, "hermes_dashboard_kata", raising=False)
    module = load(folder / "dashboard" / "plugin_api.py")
    assert Path(module.kata("dashboard.api").__file__).is_relative_to(folder)
    for name in [one for one in sys.modules if one.startswith("hermes_dashboard_kata")]:
        del sys.modules[name]


def test_in_the_package_it_takes_the_package():
    module = load(PACKAGE / "dashboard" / "plugin_api.py")
    assert module.kata("dashboard.api") is sys.modules["kata.dashboard.api"]


def test_the_plugin_that_the_server_loaded_is_taken_before_all(folder, monkeypatch):
    loaded = ModuleType("hermes_plugins.kata")
    loaded.__file__ = str(folder / "__init__.py")
    loaded.__path__ = [str(folder)]
    monkeypatch.setitem(sys.modules, "hermes_plugins", ModuleType("hermes_plugins"))
    monkeypatch.setitem(sys.modules, "hermes_plugins.kata", loaded)
    module = load(folder / "dashboard" / "plugin_api.py")
    assert module.kata("errors").__name__ == "hermes_plugins.kata.errors"
    for name in [one for one in sys.modules if one.startswith("hermes_plugins.kata.")]:
        del sys.modules[name]


def test_without_its_dependencies_it_says_what_to_install(monkeypatch):
    module = load(PACKAGE / "dashboard" / "plugin_api.py")

    def missing(_: str) -> Any:
        raise ModuleNotFoundError("No module named 'cattrs'")

    monkeypatch.setattr(module, "kata", missing)
    module.router = module.make_router()
    found = ask(module, "overview")
    assert (found.status_code, found.json()["error"]["code"]) == (503, "dependencies_missing")
    assert "cattrs" in found.json()["error"]["message"]


def test_each_request_is_answered_for_its_own_profile(host, tmp_path):
    module = load(PACKAGE / "dashboard" / "plugin_api.py")
    names = []
    for home in (tmp_path / "home", tmp_path / "home" / "profiles" / "b", tmp_path / "home"):
        host["home"] = home
        names.append(ask(module, "overview").json()["profile"])
    assert names == ["default", "b", "default"]
    for home in (tmp_path / "home", tmp_path / "home" / "profiles" / "b"):
        assert (home / "plugin-data" / "kata" / "data.db").exists()


def test_the_settings_are_the_profile_s_own(host):
    host["config"] = {"plugins": {"entries": {"kata": {"settings": {"min_support": 5}}}}}
    module = load(PACKAGE / "dashboard" / "plugin_api.py")
    assert ask(module, "overview").json()["data"]["min_support"] == 5


@pytest.mark.parametrize(
    ("enabled", "found"), [("auto", True), ("off", False), (False, False), (True, True), ("no", False)]
)
def test_tool_search_is_read_from_the_configuration(host, enabled, found):
    host["config"] = {"tools": {"tool_search": {"enabled": enabled}}}
    assert load(PACKAGE / "dashboard" / "plugin_api.py").has_tool_search() is found


class FakeRegistry:
    """The host's registry before its own tools are loaded; loading counts, or fails."""

    def __init__(self, fails: bool = False) -> None:
        self.loads, self.known, self.fails = 0, {"mine": {"name": "mine"}}, fails
        self.registry = SimpleNamespace(get_schema=self.known.get, get_all_tool_names=lambda: [*self.known])

    def discover_builtin_tools(self) -> None:
        self.loads += 1
        if self.fails:
            raise RuntimeError("no")
        self.known["search_files"] = {"name": "search_files", "parameters": {"type": "object"}}


def use(registry: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setitem(sys.modules, "tools", SimpleNamespace(registry=registry))
    return registry


def test_the_host_s_own_tools_are_loaded_once_at_the_first_question(host, monkeypatch):
    registry = use(FakeRegistry(), monkeypatch)
    module = load(PACKAGE / "dashboard" / "plugin_api.py")
    tools = module.home().tools
    assert registry.loads == 0
    assert tools.schema("search_files") == {"type": "object"}
    assert (tools.schema("mine"), tools.schema("nothing")) == ({}, None)
    assert tools.names() == ("mine", "search_files")
    assert registry.loads == 1


def test_looking_at_an_empty_profile_loads_no_tool(host, monkeypatch):
    registry = use(FakeRegistry(), monkeypatch)
    assert ask(load(PACKAGE / "dashboard" / "plugin_api.py"), "overview").status_code == 200
    assert registry.loads == 0


def test_where_the_tools_cannot_be_loaded_what_is_registered_counts(host, monkeypatch):
    registry = use(FakeRegistry(fails=True), monkeypatch)
    tools = load(PACKAGE / "dashboard" / "plugin_api.py").home().tools
    assert (tools.schema("search_files"), tools.schema("mine"), registry.loads) == (None, {}, 1)


def test_without_a_registry_there_are_no_tools(host, monkeypatch):
    monkeypatch.setitem(sys.modules, "tools", SimpleNamespace())
    tools = load(PACKAGE / "dashboard" / "plugin_api.py").home().tools
    assert (tools.schema("mine"), tools.names()) == (None, ())


def test_a_configuration_of_another_shape_is_no_fault(host):
    host["config"] = {"plugins": ["kata"], "tools": None}
    module = load(PACKAGE / "dashboard" / "plugin_api.py")
    assert ask(module, "overview").json()["data"]["min_support"] == 3


def test_the_tab_of_a_package_is_a_link_into_it(tmp_path):
    done = install(tmp_path)
    tab = tmp_path / "plugins" / "kata" / "dashboard"
    assert (done.how, Path(done.folder)) == ("linked", tab)
    assert (tab / "manifest.json").exists()
    assert tab.resolve() == PACKAGE / "dashboard"


def test_without_links_the_tab_is_copied_with_a_door_into_the_package(tmp_path, monkeypatch):
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError("no links here")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    assert install(tmp_path).how == "copied"
    tab = tmp_path / "plugins" / "kata" / "dashboard"
    assert sorted(path.name for path in tab.iterdir()) == ["dist", "manifest.json", "plugin_api.py"]
    assert load(tab / "plugin_api.py").router is sys.modules["kata.dashboard.plugin_api"].router


def test_installing_again_renews_and_removing_leaves_nothing(tmp_path):
    install(tmp_path)
    assert install(tmp_path).how == "linked"
    assert remove(tmp_path) is True
    assert remove(tmp_path) is False
    assert not (tmp_path / "plugins" / "kata").exists()
    assert (PACKAGE / "dashboard" / "manifest.json").exists()


def test_a_folder_plugin_keeps_its_own_tab(folder, tmp_path):
    with pytest.raises(FolderPluginError):
        install(tmp_path)
    assert remove(tmp_path) is False
    assert (folder / "dashboard" / "manifest.json").exists()
