"""What the doctor says of the host."""

import importlib.metadata
import sys
from types import SimpleNamespace

import pytest

from kata.runtime import health
from kata.runtime.health import host_findings

HOST = SimpleNamespace(scoped=lambda function: function())


@pytest.fixture
def hermes(monkeypatch):
    def made(version="0.22.2.post1", plugin="kata"):
        entry = {"kata": {"plugin": plugin}} if plugin else {}
        monkeypatch.setattr(health, "hermes_version", lambda: version)
        plugins = SimpleNamespace(get_plugin_commands=lambda: entry)
        monkeypatch.setitem(sys.modules, "hermes_cli.plugins", plugins)
        return {one.name: one for one in host_findings(HOST)}

    return made


def test_a_hermes_that_is_new_enough_with_the_command_ours_is_well(hermes):
    assert {one.status for one in hermes().values()} == {"ok"}


@pytest.mark.parametrize(("version", "status"), [("0.21.9", "fault"), ("0.22", "ok"), ("1.0", "ok")])
def test_an_old_hermes_is_a_fault_with_how_to_update(hermes, version, status):
    found = hermes(version)["hermes"]
    assert (found.status, bool(found.mend)) == (status, status == "fault")


def test_an_unknown_version_is_no_finding(hermes):
    assert "hermes" not in hermes(version="")


def test_the_version_is_the_one_that_was_installed(monkeypatch):
    monkeypatch.setattr(
        importlib.metadata, "packages_distributions", lambda: {"hermes_cli": ["hermes-agent"]}
    )
    monkeypatch.setattr(importlib.metadata, "version", lambda name: f"{name} 0.22")
    assert health.hermes_version() == "hermes-agent 0.22"


@pytest.mark.parametrize(("plugin", "said"), [("other", "other"), ("", "not registered")])
def test_a_command_that_is_not_ours_is_a_fault_and_says_whose_it_is(hermes, plugin, said):
    found = hermes(plugin=plugin)["/kata"]
    assert (found.status, said in found.detail) == ("fault", True)
