"""Fixtures for the kit's tests."""

import importlib.util
import logging
import sys
import types

import pytest

from tests.kit.support import run_beside_hermes

HERMES = ("hermes_cli", "hermes_constants", "tools", "gateway", "model_tools", "plugins", "agent", "telegram")


def pytest_collection_modifyitems(items):
    if importlib.util.find_spec("hermes_cli") is not None:
        return
    for item in items:
        if item.get_closest_marker("hermes"):
            item.add_marker(pytest.mark.skip(reason="Hermes is not installed beside this Python"))


@pytest.fixture
def on_host(tmp_path):
    """Run a module-level function of the test's module beside the real Hermes."""
    return lambda scenario, **env: run_beside_hermes(scenario, tmp_path / "host", **env)


@pytest.fixture
def no_hermes(monkeypatch):
    """Make every module of Hermes impossible to import."""
    for name in list(sys.modules):
        if name.split(".")[0] in HERMES:
            monkeypatch.delitem(sys.modules, name)
    for name in HERMES:
        monkeypatch.setitem(sys.modules, name, None)


@pytest.fixture
def fake_module(monkeypatch, no_hermes):
    """Put a module with the given attributes, and the packages above it, in Hermes' place."""

    def make(name, **attributes):
        parts = name.split(".")
        for end in range(1, len(parts)):
            package = ".".join(parts[:end])
            if sys.modules.get(package) is None:
                monkeypatch.setitem(sys.modules, package, types.ModuleType(package))
                sys.modules[package].__path__ = []
        module = types.ModuleType(name)
        vars(module).update(attributes)
        monkeypatch.setitem(sys.modules, name, module)
        return module

    return make


@pytest.fixture
def logged(caplog):
    """Return the messages that were logged, as ``LEVEL message``."""
    caplog.set_level(logging.DEBUG)
    return lambda: [f"{record.levelname} {record.getMessage()}" for record in caplog.records]
