"""Every command that README and docs show does what the page says, with Kata installed in a real Hermes."""

import json
import os
import sys
from pathlib import Path

import attrs
import pytest

from tests.docs.blocks import commands, missing, pages
from tests.hermes.support import call, say
from tests.hermes.support.fixtures import REPOSITORY

pytestmark = pytest.mark.docs
ROOT = REPOSITORY
WITH_COMMANDS = [page for page in pages(ROOT) if list(commands(page.read_text(encoding="utf-8")))]


@pytest.fixture
def home(hermes):
    """Make a home with Kata, where the shell stands in what looks like a checkout."""
    programs = Path(sys.executable).parent
    home = hermes(env={"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"})
    for name in ("README.md", "docs", "kata", "scripts", "pyproject.toml", "tox.ini"):
        (home.workspace / name).symlink_to(ROOT / name)
    return home


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_commands_of_a_page_do_what_it_says(page, home, model):
    for command in runnable(page.read_text(encoding="utf-8")):
        if command.calls:
            tool, _, args = command.calls.partition(" ")
            model.then(call(tool, json.loads(args)), say("Done."))
        code, printed = typed(home, command) if command.typed else ran(home, command)
        assert code == 0, f"{page.name}:{command.line}: {command.text}\n{printed}"
        lost = missing(command.shown, printed)
        assert not lost, f"{page.name}:{command.line}: never printed {lost!r}, but:\n{printed}"


def runnable(page):
    """Yield the commands that are run, each in the folder that the page went to before it."""
    there = ""
    for command in commands(page):
        if command.not_run:
            continue
        yield attrs.evolve(command, text=there + command.text)
        if command.text.startswith("cd "):
            there = f"{command.text} && "


def ran(home, command):
    """Run a command in a shell without a terminal; return its exit code and all that it printed."""
    done = home.run("bash", "-c", f"{command.text}\n", timeout=300)
    return done.code, done.out + done.err


def typed(home, command):
    """Run a command in a terminal, where a person types an answer to its question."""
    with home.terminal("bash", "-c", command.text, rows=80) as terminal:
        terminal.wait_for("Type ", 60)
        terminal.type(command.typed)
        return terminal.wait_end(120), terminal.text
