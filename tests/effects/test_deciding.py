"""A call that reaches for a deciding command, the API or the data of Kata is named; other calls are not (case B021)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.effects import mentions_kata
from kata.effects.deciding import DECIDING

COMMANDS = (
    "hermes kata approve 2",
    "hermes kata approve 2 as x",
    "HERMES Kata Approve 2",
    "/usr/local/bin/hermes kata undo",
    "~/.local/bin/hermes -p work kata --yes rollback deploy 1",
    "hermes --profile x kata --json enable y",
    "python -m hermes_cli.main kata reconsider 3",
    "sudo -u me hermes kata enable x",
    "env A=1 nohup hermes kata approve 2 &",
    "ssh localhost 'hermes kata approve 2'",
    'bash -c "hermes kata approve 2"',
    "her'm'es ka\\ta app\"rove\" 2",
    "hermes$IFS'kata'${IFS}approve 2",
    "hermes \\\n kata \\\n approve 2",
    "H=hermes; $H kata approve 2",
    "hermes kata $V 2",
    "hermes kata `echo approve` 2",
    "echo 'kata approve 2' | xargs hermes",
    "printf 'approve 2' | xargs hermes kata",
    "script -qc 'hermes kata approve 2' /dev/null",
    "python3 -c \"import subprocess; subprocess.run(['hermes', 'kata', 'approve', '2'])\"",
    "python3 -c \"import os; os.system('hermes kata ' + v)\"",
    'python3 -c "from hermes_plugins.kata.service import Service"',
    "hermes chat -q '/kata approve 2'",
    "curl -XPOST http://127.0.0.1:9119/api/plugins/kata/katas/2/approve",
    "curl http://h//api//plugins/%6Bata/katas",
    "sqlite3 $HERMES_HOME/plugin-data/kata/data.db 'update x'",
    "cd ~/.hermes/plugin-data && sqlite3 kata/data.db",
    "cat ~/.hermes/plugin-data/*/data.db",
    "type %USERPROFILE%\\.hermes\\plugin-data\\kata\\data.db",
)
HARMLESS = (
    "hermes kata list",
    "hermes kata review 2",
    "hermes kata review approve",
    "hermes kata help undo",
    "hermes kata why 2 --json",
    "hermes kata review 2 && echo approve",
    "hermes plugins enable kata",
    "read the kata docs",
    "cd ~/src/kata && git status",
    "grep -rn 'def approve' kata/",
    "git commit -m 'Kata approve flow'",
    "cat kata/service/approve.py",
    "ls ~/.hermes/plugins/kata",
    "echo katakana",
    "kata_deploy approve",
    "ls ~/.hermes",
    "",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_reaches_for_kata_is_named(command):
    assert mentions_kata({"command": command})


@pytest.mark.parametrize("command", HARMLESS)
def test_a_command_that_only_reads_or_talks_is_left_alone(command):
    assert mentions_kata({"command": command}) is None


@pytest.mark.parametrize("verb", DECIDING)
def test_every_deciding_verb_counts_in_shell_and_chat(verb):
    assert mentions_kata({"command": f"hermes kata {verb} 2"}) == "holds a deciding command of Kata"
    assert mentions_kata({"text": f"please send /kata {verb} 2"}) == "holds a deciding command of Kata"


def test_taking_the_logs_end_as_it_is_is_deciding_and_verifying_is_not():
    for command in ("verify --accept", "--json verify -m why --acc", "verify --accept"):
        assert mentions_kata({"command": f"hermes kata {command}"}) == "holds a deciding command of Kata"
    assert mentions_kata({"command": "hermes kata verify --json; ls --all"}) is None


@pytest.mark.parametrize(
    "args",
    [
        {"program": "hermes", "args": ["kata", "approve", "2"]},
        {"calls": [{"name": "terminal", "arguments": {"command": "hermes kata approve 2"}}]},
        {"content": "#!/bin/sh\nhermes kata approve 2\n"},
        {"path": "/home/u/.hermes/plugin-data/kata/data.db"},
        {"url": "http://127.0.0.1:9119/api/plugins/kata/katas"},
        {"action": "write", "data": "hermes kata undo\n"},
        {"n": 1, "deep": [[{"x": "/kata approve 1"}]]},
    ],
)
def test_every_string_of_the_arguments_is_looked_at(args):
    assert mentions_kata(args)


def test_prose_about_kata_may_be_written():
    assert mentions_kata({"content": "In Hermes, the kata approve step needs a person."}) is None


def test_the_reason_says_what_was_reached_for():
    assert mentions_kata({"url": "/api/plugins/kata"}) == "holds the path of Kata's dashboard API"
    assert mentions_kata({"path": "plugin-data/kata/x"}) == "holds Kata's data folder"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_arguments_get_an_answer(value):
    assert mentions_kata({"value": value}) is None
