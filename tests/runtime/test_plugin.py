"""Kata in a host: registered once, silent when things go wrong, gone without a trace when unloaded."""

import json
import shlex
import threading
import time

import pytest
import yaml

from kata import register
from kata.standin import StandIn, call, calls, say
from kata.standin.modules import installed
from kata.surfaces import text as texts


def shell(host, *words):
    """Answer ``hermes kata … --json`` in this process."""
    ran = host.cli(["kata", *words, "--json"])
    return json.loads(ran.out)


def workers():
    return {one for one in threading.enumerate() if one.name.startswith("kata-worker")}


def until(check, seconds=60.0):
    end = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < end
        time.sleep(0.02)


def talk(host, *script):
    chat = host.conversation()
    chat.turn("please", [*script, say("done")])
    chat.finalize()
    return chat


def test_a_tool_call_is_recorded_once_although_the_plugin_was_registered_twice(host):
    host.load(register)
    talk(host, call("terminal", command="echo hi"))
    assert "1 call in 1 conversation" in host.slash("/kata status")


def test_after_unloading_no_thread_and_no_tool_is_left(host):
    before = workers()
    talk(host, call("terminal", command="echo hi"))
    assert len(workers() - before) == 1
    host.unload()
    until(lambda: not workers() - before)
    assert "kata_list" not in host.registry.get_all_tool_names()


def test_registering_again_after_unloading_works(host):
    host.unload()
    host.load(register)
    talk(host, call("terminal", command="echo hi"))
    assert "1 call in 1 conversation" in host.slash("/kata status")


def test_kata_list_names_no_kata_at_first(host):
    answer = json.loads(host.registry.dispatch("kata_list", {}))
    assert answer == {"ok": True, "katas": []}


def test_a_blocked_call_ends_a_run_and_is_no_success(host):
    host.load(
        lambda ctx: ctx.register_hook("pre_tool_call", lambda **_: {"action": "block", "message": "no"}),
        "veto",
    )
    talk(host, call("terminal", command="echo hi"))
    rows = shell(host, "audit", "--observations", "--action", "tool.returned")["data"]["rows"]
    assert [row["fields"]["outcome"] for row in rows] == ["blocked"]


def test_paused_nothing_is_recorded(host):
    host.slash("/kata pause 1h")
    until(lambda: "PAUSED" in host.slash("/kata status"))
    talk(host, call("terminal", command="echo hi"))
    assert "0 calls" in host.slash("/kata status")
    host.slash("/kata resume")
    talk(host, call("terminal", command="echo hi"))
    assert "1 call " in host.slash("/kata status")


def test_switched_off_nothing_is_recorded(tmp_path):
    host = StandIn(tmp_path, config={"plugins": {"entries": {"kata": {"settings": {"record": False}}}}})
    with installed(host):
        host.load(register)
        talk(host, call("terminal", command="echo hi"))
        talk(host, call("terminal", command="echo ho"))
        assert "PAUSED" in host.slash("/kata status")
        host.unload()


def test_an_unusable_setting_falls_back_and_is_told(tmp_path):
    host = StandIn(tmp_path, config={"plugins": {"entries": {"kata": {"settings": {"min_support": "many"}}}}})
    with installed(host):
        host.load(register)
        assert "min_support" in host.slash("/kata status")
        host.unload()


def test_parallel_calls_are_one_request_in_announced_order(host):
    (host.workspace.root / "a.txt").write_text("a")
    (host.workspace.root / "b.txt").write_text("b")
    talk(host, calls(("read_file", {"path": "a.txt"}), ("read_file", {"path": "b.txt"}), finish=[1, 0]))
    assert "2 calls in 1 conversation" in host.slash("/kata status")


def test_a_secret_in_a_call_never_reaches_the_disk(host):
    secret = "ghp_" + "A1b2" * 9
    talk(host, call("terminal", command=f"echo {secret}"))
    host.slash("/kata status")
    folder = host.data_dir("kata")
    assert not [path for path in folder.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]


def test_a_spool_out_of_reach_never_hurts_the_agent_and_the_loss_is_told(host):
    in_the_way = host.data_dir("kata") / "spool"
    in_the_way.write_text("not a folder", encoding="utf-8")
    chat = host.conversation()
    result = chat.turn("please", [call("terminal", command="echo hi"), say("done")])
    assert result.answer == "done"
    in_the_way.unlink()
    talk(host, call("terminal", command="echo ho"))
    assert "NOT STORED" in host.slash("/kata status")


def test_without_its_dependencies_only_the_commands_are_there_and_say_so(tmp_path):
    from kata.runtime.bare import register_bare

    host = StandIn(tmp_path)
    with installed(host):
        host.load(lambda ctx: register_bare(ctx, ImportError("no", name="cattrs")))
        assert "cattrs" in host.slash("/kata")
        assert "tree-sitter-bash>=" in host.slash("/kata")
        assert host.cli(["kata", "list"]).exit_code == 6


def test_the_agent_is_kept_from_decisions_and_the_attempt_is_written_down(host):
    chat = talk(host, call("terminal", command="hermes kata approve 1 as mine"))
    assert "must come from a person" in json.dumps(chat.session.messages)
    rows = shell(host, "audit", "--action", "decision.refused")["data"]["rows"]
    assert [row["actor"]["kind"] for row in rows] == ["agent"]


def test_reading_about_kata_is_not_blocked(host):
    chat = talk(host, call("terminal", command="hermes kata list"))
    assert "must come from a person" not in json.dumps(chat.session.messages)


def test_what_to_install_is_a_command_for_this_very_python(tmp_path):
    from kata.runtime.bare import MANIFEST, install_command

    command = shlex.split(install_command(MANIFEST, "/a b/python"))
    manifest = yaml.safe_load(MANIFEST.read_text(encoding="utf-8"))
    assert command == ["/a b/python", "-m", "pip", "install", *manifest["python_dependencies"]]
    assert shlex.split(install_command(tmp_path / "none", "python"))[-1] == "hermes-kata"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_pip_is_the_first_remedy_for_what_is_missing(language):
    with texts.speaking(language):
        told = texts.say("bare.missing", name="attrs", command="PIP LINE")
    assert 0 < told.index("PIP LINE") < told.index("hermes plugins install kata")
