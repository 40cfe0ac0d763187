"""Every setting of the code is in the Desktop form, with help, and on the page of settings."""

import importlib
import re

import attrs
import pytest
import yaml

from kata.service.settings import RULES, Settings
from tests.hermes.support.fixtures import REPOSITORY

FOLDER = REPOSITORY / "kata"
NAMES = [field.name for field in attrs.fields(Settings)]
WIRE = {int: "number", float: "number", bool: "boolean", tuple: "json"}
"""How Hermes' form calls the types."""


@pytest.fixture(scope="module")
def form():
    return yaml.safe_load((FOLDER / "plugin.yaml").read_text(encoding="utf-8"))["config_schema"]


def test_the_form_has_the_settings_in_the_order_of_the_code(form):
    assert list(form) == NAMES == list(RULES)


@pytest.mark.parametrize("name", NAMES)
def test_a_setting_is_on_the_page_with_its_default_and_rule(name):
    page = (REPOSITORY / "docs" / "settings.md").read_text(encoding="utf-8")
    [row] = re.findall(rf"^\| `{name}` \|.*$", page, re.MULTILINE)
    assert RULES[name][1] in row


@pytest.mark.parametrize("name", NAMES)
def test_the_help_is_a_sentence_that_says_which_values_are_taken(form, name):
    entry = form[name]
    assert entry["label"][0].isupper()
    assert entry["description"].endswith(".")
    bounds = re.findall(r"\d+", RULES[name][1])
    said = entry["description"] + " ".join(entry.get("choices", ()))
    assert all(re.search(rf"\b{bound}\b", said) for bound in bounds)
    assert len(entry["description"]) > 40


@pytest.mark.parametrize("name", NAMES)
def test_the_form_offers_nothing_that_the_code_refuses(form, name):
    check, _ = RULES[name]
    assert check(form[name]["default"])
    assert all(check(choice) for choice in form[name].get("choices", ()))


@pytest.mark.hermes
@pytest.mark.parametrize("name", NAMES)
def test_hermes_draws_a_field_of_the_right_kind(name, tmp_path, monkeypatch):
    desktop = importlib.import_module("hermes_cli.plugins_settings")
    monkeypatch.setenv("HERMES_HOME", str(tmp_path))
    fields = {one["key"]: one for one in desktop.plugin_settings_fields("kata", FOLDER)}
    default = attrs.fields_dict(Settings)[name].default
    kind = WIRE.get(type(default), "enum")
    assert (fields[name]["type"], bool(fields[name]["description"])) == (kind, True)
    assert fields[name]["value"] == (list(default) if kind == "json" else default)


@pytest.mark.hermes
def test_what_the_form_saves_is_read_as_it_was_meant(tmp_path, monkeypatch):
    desktop = importlib.import_module("hermes_cli.plugins_settings")
    monkeypatch.setenv("HERMES_HOME", str(tmp_path))
    wanted = {"min_support": 5, "record": False, "approvers": ["telegram:1"], "language": "zh"}
    desktop.save_plugin_settings("kata", FOLDER, wanted)
    saved = yaml.safe_load((tmp_path / "config.yaml").read_text(encoding="utf-8"))
    assert saved["plugins"]["entries"]["kata"]["settings"] == wanted
