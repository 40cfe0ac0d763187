"""``hermes kata dashboard …`` as a shell sees it."""

import json

import pytest

from kata.surfaces import exits
from tests.service.lab import Lab
from tests.surfaces.test_cli import shell


@pytest.fixture
def lab(tmp_path):
    made = Lab(tmp_path / "plugin-data" / "kata")
    yield made
    made.close()


def test_a_package_gets_its_tab_and_loses_it_again(lab, tmp_path):
    place = tmp_path / "plugins" / "kata" / "dashboard"
    code, out, _ = shell(lab, "dashboard", "install")
    assert (code, str(place) in out, (place / "manifest.json").exists()) == (exits.DONE, True, True)
    code, out, _ = shell(lab, "dashboard", "uninstall", "--json")
    assert (code, json.loads(out)["data"], place.exists()) == (exits.DONE, {"removed": True}, False)
    assert json.loads(shell(lab, "dashboard", "uninstall", "--json")[1])["data"] == {"removed": False}


def test_a_folder_plugin_has_its_tab_already(lab, tmp_path):
    plugin = tmp_path / "plugins" / "kata"
    plugin.mkdir(parents=True)
    (plugin / "plugin.yaml").write_text("name: kata\n", encoding="utf-8")
    code, _, error = shell(lab, "dashboard", "install")
    assert code == exits.REFUSED
    assert "restart" in error
