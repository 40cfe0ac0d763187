"""The demo tells the story, and notices every step of it that does not happen."""

import importlib.util
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from kata import register
from kata.standin.modules import installed
from kata.surfaces import fences

ROOT = Path(__file__).resolve().parents[2]
NOTHING = {
    "exit": 1,
    "data": {"katas": [], "rows": [], "runs": [], "tables": [], "drift": ["x"], "events": 0, "ok": False},
}
"""What a second process answers that finds nothing."""


def load_demo():
    spec = importlib.util.spec_from_file_location("kata_demo", ROOT / "scripts" / "demo.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["kata_demo"] = module
    spec.loader.exec_module(module)
    return module


demo = load_demo()
READING = {"proposal", "audit", "replay"}
"""Scenes that only read what is there: they are broken by a second process that finds nothing."""


@contextmanager
def broken(story, scene, monkeypatch):
    """Let nothing happen of what a scene does."""
    with monkeypatch.context() as patch:
        patch.setattr(story, "type", lambda line: "")
        patch.setattr(demo, "PATIENCE", 0)
        patch.setattr(demo, "by_hand", lambda story, branch: None)
        patch.setattr(demo, "run", lambda story, branch, choice="once": ({}, 0))
        patch.setattr(story.host, "change_schema", lambda name, change: lambda: None)
        patch.setattr(story, "undo_schema", lambda: None, raising=False)
        if scene.__name__ in READING:
            patch.setattr(story, "shell", lambda *words: NOTHING)
        yield


def test_every_step_that_does_not_happen_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(fences, "agent_mark", lambda *_: None)
    monkeypatch.setattr(fences, "WATCH", fences.UNWATCHED)
    story = demo.Story(tmp_path)
    with installed(story.host):
        story.host.load(register)
        for scene in demo.SCENES:
            with (
                broken(story, scene, monkeypatch),
                pytest.raises((demo.NotAsToldError, LookupError, StopIteration)),
            ):
                scene(story)
            scene(story)
        story.host.unload()


def test_a_scene_that_is_not_as_told_ends_the_demo_with_1(tmp_path, capsys):
    def fails(story):
        """Fail."""
        demo.expect("the moon is made of cheese", False)

    assert demo.tell(tmp_path, (fails,)) == 1
    assert "Not as told: the moon is made of cheese" in capsys.readouterr().out


def test_without_its_packages_the_demo_says_which_command_to_type():
    script = str(ROOT / "scripts" / "demo.py")
    code = f"import runpy; runpy.run_path({script!r}, run_name='__main__')"
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "tox -e demo" in done.stdout
