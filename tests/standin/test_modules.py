"""The host's importable modules, as long as a stand-in is installed as them."""

import importlib
import sys

import pytest

from kata.standin import call, say
from kata.standin.modules import installed


@pytest.fixture
def here(host):
    with installed(host):
        yield host


def module(name):
    return importlib.import_module(name)


def test_imports_answer_only_inside_the_block(host):
    before = dict(sys.modules)
    with installed(host):
        assert module("plugins.plugin_storage").plugin_data_dir("kata") == host.data_dir("kata")
        assert module("tools.registry").registry is host.registry
    assert {name: sys.modules.get(name) for name in before} == before
    assert "plugins.plugin_storage" not in sys.modules


def test_the_session_store_tells_the_parents(here):
    chat = here.conversation()
    chat.turn("go", [say("so")])
    chat.compress()
    database = module("hermes_state").SessionDB(read_only=True)
    row = database.get_session(chat.session_id)
    assert database.get_session(row["parent_session_id"])["parent_session_id"] is None
    assert database.get_session("nowhere") is None
    database.close()


def test_the_guard_chain_is_asked_in_two_halves(here):
    plugins = module("hermes_cli.plugins")
    block = {"action": "block", "message": "no"}
    here.load(
        lambda ctx: ctx.register_hook(
            "pre_tool_call", lambda tool_name, **_: block if tool_name == "x" else None
        ),
        "own",
    )
    found = plugins._get_pre_tool_call_directive_details("x", {"a": 1}, session_id="s")
    assert (found.action, found.modified_args) == ("block", None)
    assert plugins._resolve_block_from_details(found, "x", session_id="s") == "no"
    other = plugins._get_pre_tool_call_directive_details("y", {})
    assert plugins._resolve_block_from_details(other, "y") is None


def test_a_replay_is_put_into_the_directory_of_its_conversation(here):
    terminal = module("tools.terminal_tool")
    (here.workspace.root / "sub").mkdir()
    chat = here.conversation()
    chat.turn("go", [call("terminal", command="cd sub"), say("so")])
    terminal.record_session_cwd("fresh", terminal.get_session_cwd(chat.session_id))
    assert here.workspace.cwd("fresh") == here.workspace.root / "sub"


def test_stop_is_seen_through_the_hosts_own_question(here):
    chat = here.conversation()
    seen = []

    def slow(args):
        chat.stop()
        seen.append(module("tools.interrupt").is_thread_interrupted(0))
        return "{}"

    here.add_tool("slow", slow)
    chat.turn("go", [call("slow"), say("never")])
    assert seen == [True]
