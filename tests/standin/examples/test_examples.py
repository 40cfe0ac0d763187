"""Every worked example of the hooks page runs on the stand-in."""

import json
import logging
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kata.standin import Gateway, MessageEvent, Source, StandIn, call, say
from kata.standin.modules import installed

from . import plugins
from .server import serving
from .table import EXAMPLES

HERE = Path(__file__).parent
CHAT = Source("telegram", "42", user_id="7")
QUIET = {"tools": {"tool_search": {"enabled": False}}}
THANKS = (200, {"results": []})


@pytest.fixture
def host(tmp_path):
    return StandIn(tmp_path, config=QUIET, environ={**os.environ, "WATCHED": str(tmp_path / "workspace")})


@pytest.fixture
def log(caplog):
    caplog.set_level(logging.INFO)
    return caplog


def with_plugin(host, name):
    kept: list = []
    host.load(lambda ctx: getattr(plugins, name)(ctx, kept), name)
    return kept


def with_hook(host, name):
    shutil.copytree(HERE / "gateway" / name, host.home / "hooks" / name)
    gateway = Gateway(host)
    gateway.start()
    return gateway, host.home / "hooks" / name


def with_script(host, event, name, matcher=""):
    entry = {"command": str(HERE / "scripts" / name), **({"matcher": matcher} if matcher else {})}
    host.settings.set(f"hooks.{event}", [entry])
    assert host.shell_hooks.register(accept=True)


def message(text, source=CHAT):
    return MessageEvent(text, source)


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


# -- gateway hooks --


def test_log_all_activity(host):
    gateway, folder = with_hook(host, "activity-log")
    gateway.receive(message("hello"), [say("hi")])
    assert [line["event"] for line in lines(folder / "activity.jsonl")] == [
        "agent:start",
        "agent:step",
        "agent:end",
    ]


def test_alert_on_long_tasks(host, monkeypatch):
    with serving(lambda body, headers: THANKS) as (address, received):
        monkeypatch.setenv("ALERT_URL", address)
        gateway, _folder = with_hook(host, "long-task-alert")
        gateway.receive(message("short"), [call("todo_list"), say("done")])
        gateway.receive(
            message("long"), [call("todo_list"), call("todo_list"), call("todo_list"), say("done")]
        )
    assert [body["text"] for body in received.bodies] == [
        "3 steps and still at it; tools last used: todo_list"
    ]


def test_log_commands(host):
    gateway, folder = with_hook(host, "command-log")
    gateway.receive(message("/model sonnet"))
    gateway.receive(message("/new"))
    assert [(line["command"], line["args"]) for line in lines(folder / "commands.jsonl")] == [
        ("model", "sonnet"),
        ("new", ""),
    ]


def test_webhook_for_new_sessions(host, monkeypatch):
    with serving(lambda body, headers: THANKS) as (address, received):
        monkeypatch.setenv("SESSION_URL", address)
        gateway, _folder = with_hook(host, "session-webhook")
        gateway.receive(message("hello"), [say("hi")])
        gateway.receive(message("/new"))
    assert [body["event"] for body in received.bodies] == ["session:start", "session:reset"]


@pytest.mark.parametrize(
    ("answer", "logged"), [("2 jobs failed", "boot-md: 2 jobs failed"), ("[SILENT]", "nothing")]
)
def test_boot_md(host, monkeypatch, log, answer, logged):
    def model(body, headers):
        if headers["Authorization"] != "Bearer not-a-key":
            return 401, {}
        asked = any(each["role"] == "tool" for each in body["messages"])
        wanted = [{"id": "1", "function": {"name": "terminal", "arguments": '{"command": "echo jobs"}'}}]
        said = {"content": answer} if asked else {"content": None, "tool_calls": wanted}
        return 200, {"choices": [{"message": said}]}

    monkeypatch.setenv("HERMES_HOME", str(host.home))
    (host.home / "BOOT.md").write_text("Look at the jobs of the night.")
    with serving(model) as (address, received), installed(host):
        host.settings.merge(
            {"model": {"default": "local", "base_url": f"{address}/v1", "api_key": "not-a-key"}}
        )
        with_hook(host, "boot-md")
        _join("boot-md")
    assert logged in log.text
    assert received.bodies[0]["model"] == "local"
    assert host.terminal.ran == ["echo jobs"]


def test_boot_md_without_a_list_or_a_key(host, monkeypatch, log):
    monkeypatch.setenv("HERMES_HOME", str(host.home))
    with serving(lambda body, headers: (401, {})) as (address, received), installed(host):
        host.settings.merge({"model": {"base_url": address}})
        with_hook(host, "boot-md")
        assert received.bodies == []
        (host.home / "BOOT.md").write_text("Look at the jobs of the night.")
        Gateway(host).start()
        _join("boot-md")
    assert "HTTP 401" in log.text


def _join(name):
    import threading

    for thread in threading.enumerate():
        if thread.name == name:
            thread.join(30)


# -- plugins --


def test_register_six_hooks(host):
    kept = with_plugin(host, "six_hooks")
    host.conversation().turn("go", [call("todo_list"), say("done")])
    assert kept == [
        "on_session_start",
        "pre_llm_call",
        "pre_tool_call",
        "post_tool_call",
        "post_llm_call",
        "on_session_end",
    ]


def test_audit_tool_calls(host, log):
    with_plugin(host, "audit_log")
    host.conversation().turn("go", [call("terminal", command="echo hi"), say("done")])
    assert 'tool=terminal args={"command": "echo hi"}' in log.text


def test_warn_of_risky_tools(host, capsys):
    with_plugin(host, "risky_tool_warning")
    host.conversation().turn("go", [call("terminal", command="true"), call("todo_list"), say("done")])
    assert capsys.readouterr().out == "careful: terminal\n"


def test_measure_tools(host):
    kept = with_plugin(host, "tool_metrics")
    host.conversation().turn(
        "go", [call("read_file", path="x"), call("terminal", command="true"), say("done")]
    )
    calls, errors, took = kept
    assert calls == {"read_file": 1, "terminal": 1}
    assert +errors == {"read_file": 1}
    assert took.keys() == calls.keys()


def test_recall_memories(host, monkeypatch):
    known = {"results": [{"text": "likes Python"}, {"text": "works at night"}]}
    with serving(lambda body, headers: (200, known)) as (address, received):
        monkeypatch.setenv("MEMORY_URL", address)
        with_plugin(host, "memory_recall")
        request = host.conversation().turn("hello", [say("hi")]).requests[0]
    assert received.bodies[0]["query"] == "hello"
    assert request.messages[-1]["content"] == "hello\n\nYou remember:\n- likes Python\n- works at night"


def test_recall_memories_of_a_service_that_is_down(host, monkeypatch):
    monkeypatch.setenv("MEMORY_URL", "http://127.0.0.1:9/")
    with_plugin(host, "memory_recall")
    assert host.conversation().turn("hello", [say("hi")]).requests[0].messages[-1]["content"] == "hello"


def test_guardrail_context(host):
    with_plugin(host, "guardrail")
    request = host.conversation().turn("hello", [say("hi")]).requests[0]
    assert request.messages[-1]["content"] == f"hello\n\n{plugins.POLICY}"
    assert request.messages[0]["role"] == "system"
    assert plugins.POLICY not in request.messages[0]["content"]


def test_sync_to_a_memory(host, monkeypatch):
    with serving(lambda body, headers: THANKS) as (address, received):
        monkeypatch.setenv("MEMORY_URL", address)
        with_plugin(host, "memory_sync")
        host.conversation().turn("hello", [say("hi")])
    assert [(body["user"], body["assistant"]) for body in received.bodies] == [("hello", "hi")]


def test_log_answer_lengths(host, log):
    with_plugin(host, "response_length")
    host.conversation().turn("hello", [say("hi!")])
    assert "model=scripted-1 chars=3" in log.text


def test_begin_a_session_cache(host):
    [cache] = with_plugin(host, "session_cache")
    chat = host.conversation()
    chat.turn("one", [say("1")])
    chat.turn("two", [say("2")])
    assert cache == {chat.session_id: {"model": "scripted-1", "platform": "cli", "tool_calls": 0}}


def test_flush_and_clean_up(host, capsys):
    [cache] = with_plugin(host, "session_clean_up")
    host.conversation().turn("go", [call("todo_list"), call("todo_list"), say("done")])
    assert capsys.readouterr().out == "completed: 2 tool calls\n"
    assert cache == {}


def test_time_sessions(host, log):
    with_plugin(host, "session_duration")
    host.conversation().turn("go", [say("done")])
    assert "completed=True" in log.text


def test_log_delegation(host, log):
    with_plugin(host, "delegation_log")
    children = [[say("child done")]]
    host.conversation().turn("go", [call("delegate_task", goal="look"), say("done")], children=children)
    assert "role=leaf status=completed" in log.text


def test_deny_direct_messages(host):
    with_plugin(host, "no_strangers")
    gateway = Gateway(host, allowed=["7"])
    assert gateway.receive(message("hello", Source("telegram", "43", user_id="8"))) is None
    assert gateway.receive(message("hello"), [say("hi")]) == "hi"
    assert gateway.adapters["telegram"].sent == [("42", "hi")]


def test_rewrite_ambient_talk(host):
    with_plugin(host, "ambient_buffer")
    gateway = Gateway(host)
    group = Source("telegram", "44", user_id="7", chat_type="group")
    assert gateway.receive(message("lunch?", group)) is None
    assert gateway.receive(message("at noon", group)) is None
    assert gateway.receive(
        message("@bot book it", group), [lambda request: say(request.messages[-1]["content"])]
    ) == ("lunch?\nat noon\n@bot book it")


def test_notify_of_approvals(host):
    kept = with_plugin(host, "approval_notice")
    host.conversation().turn("go", [call("terminal", command="sudo true"), say("done")])
    assert kept == ["sudo: sudo true"]


def test_log_decisions(host, log):
    with_plugin(host, "decision_log")
    host.person.will_answer("deny")
    host.conversation().turn("go", [call("terminal", command="sudo true"), say("done")])
    assert "deny: sudo true" in log.text


def test_redact_secrets(host):
    with_plugin(host, "redact_secrets")
    key = "sk-" + "A" * 36
    turn = host.conversation().turn("go", [call("terminal", command=f"echo key {key}"), say("done")])
    assert key not in turn.requests[1].results[0]
    assert "key [REDACTED]" in turn.requests[1].results[0]


def test_summarize_find(host):
    with_plugin(host, "summarize_find")
    host.terminal.answer("find ", "\n".join(f"./folder/file-{number:06}.txt" for number in range(3000)))
    turn = host.conversation().turn("go", [call("terminal", command="find ."), say("done")])
    assert "[3000 paths, the first 40 shown]" in json.loads(turn.results[0])["output"]


@pytest.mark.parametrize(("mode", "answer"), [("on", "Ready!! Tartar sauce!"), ("off", "Ready!")])
def test_talk_like_a_sponge(host, monkeypatch, mode, answer):
    monkeypatch.setenv("SPONGE", mode)
    with_plugin(host, "spongebob")
    assert host.conversation().turn("go", [say("Ready!")]).answer == answer


# -- scripts --


def test_format_written_files(host):
    with_script(host, "post_tool_call", "tidy-python.sh", "write_file|patch")
    path = host.workspace.root / "x.py"
    script = [
        call("write_file", path=str(path), content="x = 1   \n"),
        call("terminal", command="true"),
        say("done"),
    ]
    host.conversation().turn("go", script)
    assert path.read_text() == "x = 1\n"


def test_block_root_deletes(host):
    with_script(host, "pre_tool_call", "block-root-delete.sh", "terminal")
    turn = host.conversation().turn(
        "go", [call("terminal", command="rm -rf /x"), call("terminal", command="rm x"), say("")]
    )
    assert "not allowed" in turn.results[0]
    assert host.terminal.ran == ["rm x"]


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git to ask")
def test_git_status_as_context(host):
    with_script(host, "pre_llm_call", "git-status.sh")
    subprocess.run(["git", "init", "-q", str(host.workspace.root)], check=True)
    chat = host.conversation()
    assert chat.turn("one", [say("1")]).requests[0].messages[-1]["content"] == "one"
    (host.workspace.root / "fresh.txt").write_text("x")
    content = chat.turn("two", [say("2")]).requests[0].messages[-1]["content"]
    assert content == "two\n\nNot committed:\n?? fresh.txt"


def test_log_orchestration(host):
    with_script(host, "subagent_stop", "log-delegation.py")
    chat = host.conversation()
    chat.turn("go", [call("delegate_task", goal="look"), say("done")], children=[[say("seen")]])
    [line] = lines(host.home / "delegation.jsonl")
    assert (line["parent"], line["child_status"]) == (chat.session_id, "completed")


# -- the table --


def test_the_table_lists_all_28_and_each_has_a_test():
    assert [example.number for example in EXAMPLES] == list(range(1, 29))
    tests = {name for name in vars(sys.modules[__name__]) if name.startswith("test_")}
    for example in EXAMPLES:
        wanted = "test_" + example.name.lower().replace(" ", "_").replace(".", "_")
        assert wanted in tests, example


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_every_example_stands_where_the_table_says(example):
    if example.system == "plugin":
        assert getattr(plugins, example.where).__doc__
    elif example.system == "gateway":
        assert (HERE / "gateway" / example.where / "HOOK.yaml").exists()
    else:
        assert os.access(HERE / "scripts" / example.where, os.X_OK)
