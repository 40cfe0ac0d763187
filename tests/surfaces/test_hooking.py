"""``hermes kata hooks …`` as a shell sees it."""

import io
import json

import pytest
import yaml

from kata.surfaces import exits
from kata.surfaces.actors import Chat
from kata.surfaces.cli import Terminal, run_cli
from kata.surfaces.slash import run_slash
from tests.service.lab import Lab


@pytest.fixture
def lab(tmp_path):
    made = Lab(tmp_path / "plugin-data" / "kata")
    yield made
    made.close()


@pytest.fixture
def run(lab):
    def run(*words):
        terminal = Terminal(input=io.StringIO(), output=io.StringIO(), error=io.StringIO())
        code = run_cli(["hooks", *words], lambda: lab.service, terminal=terminal, mark=lambda: None)
        return code, terminal.output.getvalue(), terminal.error.getvalue()

    return run


def test_a_dry_run_shows_the_lines_and_writes_nothing(run, tmp_path):
    code, out, _ = run("install", "shell", "post_tool_call", "--dry-run")
    assert code == exits.DONE
    assert list(yaml.safe_load(out.partition("\n")[2])["hooks"]) == ["post_tool_call"]
    assert not (tmp_path / "config.yaml").exists()


@pytest.mark.parametrize("system", ["gateway", "shell"])
def test_hooks_are_installed_shown_and_taken_away(run, system):
    states = []
    for action in ("status", "install", "status", "uninstall"):
        code, out, _ = run(action, system, "--json")
        assert code == exits.DONE
        states.append(json.loads(out)["data"]["hooks"]["state"])
    assert states == ["absent", "installed", "installed", "absent"]


def test_what_comes_next_is_said_after_an_installation(run):
    assert "consent" in run("install", "shell")[1]
    assert "gateway starts" in run("install", "gateway")[1]


def test_a_configuration_that_is_not_plain_is_refused_with_the_lines_to_add(run, tmp_path):
    (tmp_path / "config.yaml").write_text("{model: x}\n", encoding="utf-8")
    code, _, err = run("install", "shell")
    assert code == exits.REFUSED
    assert "observe.py" in err


def test_events_are_chosen_for_shell_hooks_alone(run):
    assert run("install", "gateway", "agent:start")[0] == exits.USAGE


def test_a_file_that_cannot_be_written_is_said(run, tmp_path):
    (tmp_path / "hooks").write_text("", encoding="utf-8")
    code, _, err = run("install", "gateway")
    assert code == exits.STORE
    assert "cannot be written" in err


def test_a_chat_is_sent_to_the_terminal(lab):
    answer = run_slash(
        "hooks install gateway", lab.service, Chat(platform="cli", session="1"), mark=lambda: None
    )
    assert "hermes kata hooks" in answer
