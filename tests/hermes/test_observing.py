"""Hermes' three hook systems, told to Kata's log: plugin hooks, gateway hooks, shell hooks."""

import json
import textwrap

from kata.store import open_store
from tests.hermes.support import call, say

EMIT = """
    import asyncio
    from gateway.hooks import HookRegistry

    async def main():
        registry = HookRegistry()
        registry.discover_and_load()
        assert [hook["name"] for hook in registry.loaded_hooks] == ["kata"]
        await registry.emit("gateway:startup", {"platforms": ["telegram"]})
        for name in ("session:start", "session:reset", "agent:start", "agent:step", "agent:end"):
            await registry.emit(name, {"session_id": "s1", "platform": "telegram", "message": "hello there"})
        answers = await registry.emit_collect("command:model", {"platform": "telegram", "args": "x"})
        assert answers == []

    asyncio.run(main())
"""


def events(home):
    store = open_store(home.data)
    store.drain()
    found = list(store.log.read())
    store.close()
    return found


def observed(home, system):
    told = [event.payload for event in events(home) if event.type == "hook.observed"]
    return [one for one in told if one.system == system]


def actions(home, *words):
    audit = home.cli("kata", "audit", "--limit", "500", "--json", *words).json["data"]["rows"]
    return {row["action"] for row in audit}


def ask(model, home):
    model.then(call("terminal", {"command": "echo hi"}), say("It says hi."))
    assert home.chat("what does it say").answer.startswith("It says hi.")


def test_gateway_hooks_are_installed_loaded_and_told(hermes):
    home = hermes()
    assert (
        home.cli("kata", "hooks", "install", "gateway", "--json").json["data"]["hooks"]["state"]
        == "installed"
    )
    ran = home.run(str(home.python), "-c", textwrap.dedent(EMIT))
    assert ran.code == 0, ran.out + ran.err
    assert "Error" not in ran.out
    told = observed(home, "gateway")
    assert [one.name for one in told] == [
        "gateway:startup",
        "session:start",
        "session:reset",
        "agent:start",
        "agent:step",
        "agent:end",
        "command:model",
    ]
    assert told[3].session_id == "s1"
    assert told[3].fields["message.length"] == len("hello there")
    assert (
        home.cli("kata", "hooks", "uninstall", "gateway", "--json").json["data"]["hooks"]["state"] == "absent"
    )


def test_shell_hooks_are_installed_consented_to_and_told(model, hermes):
    home = hermes(env={"HERMES_ACCEPT_HOOKS": "1"})
    assert (
        home.cli("kata", "hooks", "install", "shell", "--json").json["data"]["hooks"]["state"] == "installed"
    )
    home.config = json.loads((home.home / "config.yaml").read_bytes())
    ask(model, home)
    names = {one.name for one in observed(home, "shell")}
    assert names >= {"pre_tool_call", "transform_tool_result", "transform_terminal_output", "post_llm_call"}
    types = [event.type for event in events(home)]
    assert (types.count("tool.returned"), types.count("observations.lost")) == (1, 0)


def test_a_call_that_plugin_and_shell_both_tell_of_is_counted_once(model, hermes):
    home = hermes(env={"HERMES_ACCEPT_HOOKS": "1"})
    assert home.cli("kata", "hooks", "install", "shell", "post_tool_call").code == 0
    home.config = json.loads((home.home / "config.yaml").read_bytes())
    ask(model, home)
    assert [one.name for one in observed(home, "shell")] == ["post_tool_call"]
    assert home.cli("kata", "status", "--json").json["data"]["recording"]["calls"] == 1


def test_with_observe_all_every_hook_is_an_event_and_the_answer_the_same(model, hermes):
    home = hermes()
    home.set_kata(observe="all")
    ask(model, home)
    told = observed(home, "plugin")
    wanted = {
        "pre_tool_call",
        "pre_api_request",
        "transform_tool_result",
        "transform_llm_output",
        "post_llm_call",
    }
    assert {one.name for one in told} >= wanted
    assert "It says hi." not in json.dumps([one.fields for one in told])
    assert "hook.observed" not in actions(home)
    assert "hook.observed" in actions(home, "--observations")
