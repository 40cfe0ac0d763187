"""What a wheel brings along."""

import zipfile
from pathlib import Path

import pytest

from tests.hermes.support.fixtures import REPOSITORY

NOT_PACKAGED = ("__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache")


@pytest.fixture(scope="module")
def inside(kata_wheel: Path) -> zipfile.Path:
    return zipfile.Path(kata_wheel)


@pytest.fixture(scope="module")
def names(kata_wheel: Path) -> set[str]:
    with zipfile.ZipFile(kata_wheel) as wheel:
        return set(wheel.namelist())


def test_it_holds_the_whole_plugin_folder_and_nothing_else(names):
    files = [path for path in (REPOSITORY / "kata").rglob("*") if path.is_file()]
    kept = [path for path in files if not set(path.parts) & set(NOT_PACKAGED)]
    packaged = {name for name in names if name.startswith("kata/")}
    assert packaged == {path.relative_to(REPOSITORY).as_posix() for path in kept}
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"kata", "hermes_kata"}


@pytest.mark.parametrize("name", ["kata/plugin.yaml", "kata/py.typed", "kata/__init__.py"])
def test_it_holds_what_hermes_and_type_checkers_look_for(name, names):
    assert name in names


def test_it_is_found_by_hermes(inside):
    [info] = [entry for entry in inside.iterdir() if entry.name.endswith(".dist-info")]
    points = (info / "entry_points.txt").read_text(encoding="utf-8")
    assert points.split() == ["[hermes_agent.plugins]", "kata", "=", "kata"]


def test_it_carries_its_licence(names):
    assert any(name.endswith("licenses/LICENSE") for name in names)
