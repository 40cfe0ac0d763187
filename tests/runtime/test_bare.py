"""What `hermes kata` answers where a package is missing."""

import argparse
import json

import pytest

from kata.runtime.bare import register_bare


class Commands:
    def __init__(self):
        self.shell = None

    def register_command(self, name, answer, description):
        pass

    def register_cli_command(self, name, about, setup, shell):
        self.shell = shell


@pytest.fixture
def shell():
    commands = Commands()
    register_bare(commands, ModuleNotFoundError("no", name="attrs"))
    return commands.shell


def test_a_missing_package_is_told_as_json_where_that_is_asked_for(shell, capsys):
    assert shell(argparse.Namespace(words=["status", "--json"])) == 6
    told = json.loads(capsys.readouterr().out)
    assert (told["schema"], told["ok"]) == ("kata.cli/1", False)
    assert (told["error"]["code"], told["error"]["name"]) == ("dependency_missing", "attrs")
    assert "attrs" in told["error"]["message"]
    assert "pip install" in told["error"]["hint"]


def test_a_missing_package_is_told_in_words_otherwise(shell, capsys):
    assert shell(argparse.Namespace(words=["status"])) == 6
    assert "'attrs' is missing" in capsys.readouterr().out
