"""``plugin.yaml``, ``pyproject.toml`` and the code say the same."""

import tomllib
from typing import Any

import attrs
import pytest
import yaml

import kata
from kata.service.settings import Settings
from tests.hermes.support.fixtures import REPOSITORY

TYPES = {"integer": int, "number": int | float, "boolean": bool, "list": list | tuple, "string": str}


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    return yaml.safe_load((REPOSITORY / "kata" / "plugin.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_there_is_one_version(manifest, project):
    assert manifest["version"] == project["version"] == kata.__version__


def test_both_name_the_same_dependencies(manifest, project):
    assert manifest["python_dependencies"] == project["dependencies"]


def test_every_dependency_has_an_upper_bound(manifest):
    assert not [line for line in manifest["python_dependencies"] if ",<" not in line]


def test_python_has_no_upper_bound(project):
    assert project["requires-python"] == ">=3.11"


def test_the_form_offers_every_setting_with_its_default(manifest):
    offered = {key: entry["default"] for key, entry in manifest["config_schema"].items()}
    defaults = {field.name: field.default for field in attrs.fields(Settings)}
    assert {
        key: tuple(value) if isinstance(value, list) else value for key, value in offered.items()
    } == defaults


def test_every_default_has_the_type_that_the_form_names(manifest):
    for entry in manifest["config_schema"].values():
        assert isinstance(entry["default"], TYPES[entry["type"]])


def test_every_setting_is_labelled_and_described(manifest):
    assert all(entry["label"] and entry["description"] for entry in manifest["config_schema"].values())
