"""Hermes' tools by table; shell-like tools by their command."""

import pytest

from kata.effects import Effect, classify, shell_command
from kata.effects.classes import RUNS_CODE, SENSITIVE_PATH

READ, NETWORK, WRITE, EXTERNAL, UNKNOWN = Effect


@pytest.mark.parametrize(
    ("tool", "args", "effect"),
    [
        ("read_file", {"path": "a"}, READ),
        ("search_files", {"pattern": "x"}, READ),
        ("session_search", {}, READ),
        ("web_search", {"query": "x"}, NETWORK),
        ("web_extract", {"urls": []}, NETWORK),
        ("browser_navigate", {"url": "x"}, NETWORK),
        ("browser_click", {"ref": "@e1"}, EXTERNAL),
        ("browser_console", {}, NETWORK),
        ("browser_console", {"expression": "x()"}, UNKNOWN),
        ("browser_cdp", {"method": "x"}, UNKNOWN),
        ("write_file", {"path": "a"}, WRITE),
        ("patch", {"path": "a"}, WRITE),
        ("memory", {"action": "add"}, WRITE),
        ("process_manage", {"action": "poll"}, READ),
        ("process_manage", {"action": "kill"}, EXTERNAL),
        ("process_manage", {"action": "write"}, UNKNOWN),
        ("process_manage", {}, UNKNOWN),
        ("cronjob_manage", {"action": "list"}, READ),
        ("cronjob_manage", {"action": "create"}, EXTERNAL),
        ("cronjob_manage", {"action": ["list"]}, UNKNOWN),
        ("execute_code", {"code": "1"}, UNKNOWN),
        ("delegate_task", {"tasks": []}, UNKNOWN),
        ("kanban_list", {}, READ),
        ("kanban_create", {"title": "x"}, EXTERNAL),
        ("text_to_speech", {"text": "x"}, EXTERNAL),
        ("discord", {"action": "fetch_messages"}, NETWORK),
        ("discord", {"action": "create_thread"}, EXTERNAL),
        ("Read", {"file_path": "a"}, READ),
        ("Edit", {"file_path": "a"}, WRITE),
        ("mcp_server_read_everything", {}, UNKNOWN),
        ("frobnicate", {}, UNKNOWN),
    ],
)
def test_a_tool_has_the_class_of_its_table(tool, args, effect):
    assert classify(tool, args).effect is effect


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("terminal", {"command": "git push"}),
        ("terminal", {"command": "git push", "background": True, "workdir": "/x"}),
        ("Bash", {"command": "git push"}),
        ("shell", {"command": ["git", "push"]}),
        ("shell", {"command": ["bash", "-lc", "git push"]}),
        ("exec_command", {"cmd": "git push"}),
    ],
)
def test_a_shell_tool_has_the_class_of_its_command(tool, args):
    assert classify(tool, args).effect is EXTERNAL


@pytest.mark.parametrize(
    "args", [{}, {"command": 3}, {"command": []}, {"command": ["ls", 3]}, {"other": "ls"}]
)
def test_a_shell_tool_without_a_command_is_unknown(args):
    assert classify("terminal", args).effect is UNKNOWN
    assert shell_command("terminal", args) is None


def test_words_given_as_a_list_are_no_shell_text():
    assert classify("shell", {"command": ["echo", "$(rm x)", "; rm y"]}).effect is READ


def test_only_shell_tools_have_a_command_line():
    assert shell_command("write_file", {"command": "ls"}) is None


def test_writing_a_start_up_file_is_flagged():
    assert classify("write_file", {"path": "~/.bashrc", "content": ""}).flags == (SENSITIVE_PATH,)
    assert classify("read_file", {"path": "~/.bashrc"}).flags == ()


def test_inline_code_is_flagged():
    assert classify("execute_code", {"code": "1"}).flags == (RUNS_CODE,)


def test_the_reason_is_a_phrase_about_the_tool():
    assert classify("web_search", {"query": "x"}).reason == "`web_search` reads from the network"
    assert classify("mcp_x", {}).reason == "`mcp_x` is not known to Kata"
