"""The pytest fixtures of the harness, for any room's ``conftest.py`` that drives the real Hermes."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .home import HermesHome
from .model import ScriptedModel

__all__ = ["hermes", "kata_wheel", "model", "pip_kata"]

REPOSITORY = Path(__file__).resolve().parents[3]
KATA = REPOSITORY / "kata"


@pytest.fixture
def model():
    """Yield a scripted model; afterwards the script must have been played exactly."""
    with ScriptedModel() as server:
        yield server
    assert server.starved == 0, f"{server.starved} requests found no planned turn"
    assert server.left == 0, f"{server.left} planned turns were never asked for"


@pytest.fixture
def hermes(tmp_path: Path, model: ScriptedModel) -> Callable[..., HermesHome]:
    """Make throw-away homes: ``hermes()`` has Kata as a folder, ``hermes(plugins=[...])`` has what you name."""

    def make(*, plugins: Any = (KATA,), **options: Any) -> HermesHome:
        return HermesHome(tmp_path, model, plugins=plugins, **options)

    return make


@pytest.fixture(scope="session")
def kata_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the distribution once, with the backend at hand: no network."""
    folder = tmp_path_factory.mktemp("wheel")
    _python("-m", "hatchling", "build", "-t", "wheel", "-d", str(folder))
    [wheel] = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="session")
def pip_kata(kata_wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder into which pip installed Kata, for ``hermes(overlay=...)``."""
    folder = tmp_path_factory.mktemp("overlay")
    _python("-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", str(folder), str(kata_wheel))
    return folder


def _python(*words: str) -> None:
    done = subprocess.run(
        [sys.executable, *words], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
