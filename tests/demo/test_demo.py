"""The demo tells the story, and sees it when a step of it does not happen."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from kata.surfaces import fences

ROOT = Path(__file__).resolve().parents[2]


def load_demo():
    spec = importlib.util.spec_from_file_location("kata_demo", ROOT / "scripts" / "demo.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["kata_demo"] = module
    spec.loader.exec_module(module)
    return module


demo = load_demo()


@pytest.fixture(autouse=True)
def a_person(monkeypatch):
    monkeypatch.setattr(fences, "agent_mark", lambda *_: None)


def idle(story):
    """Do nothing at all."""


@pytest.mark.parametrize("missing", range(len(demo.SCENES) - 3))
def test_a_story_without_one_of_its_steps_is_not_as_told(missing, tmp_path, capsys):
    """Leave out a scene and stop after the one that must notice; the last three change nothing that could be missed."""
    scenes = [*demo.SCENES[:missing], idle, *demo.SCENES[missing + 1 :]]
    assert demo.tell(tmp_path, tuple(scenes)) == 1
    assert "Not as told" in capsys.readouterr().out


def test_without_its_packages_the_demo_says_which_command_to_type():
    code = "import sys; sys.modules['attrs'] = None; sys.argv = ['demo']; import runpy; runpy.run_path(sys.orig_argv[-1], run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code, str(ROOT / "scripts" / "demo.py")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "tox -e demo" in done.stdout
