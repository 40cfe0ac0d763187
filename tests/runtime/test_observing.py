"""With ``observe: all`` whatever the host tells is an event; by default just what the projections use."""

from pathlib import Path

import pytest
import yaml

import kata
from kata.events.catalogue import HookObserved
from kata.redact import Keeper
from kata.runtime import register
from kata.runtime.observing import EXTRA_HOOKS, extra_hooks, hook_observed
from kata.standin import StandIn, call, say
from kata.standin.modules import installed
from kata.store import open_store

MANIFEST = yaml.safe_load((Path(kata.__file__).parent / "plugin.yaml").read_text(encoding="utf-8"))
OWN_TYPES = {
    "on_session_start",
    "on_session_end",
    "on_session_finalize",
    "on_session_reset",
    "pre_llm_call",
    "post_api_request",
    "post_tool_call",
    "subagent_start",
    "subagent_stop",
}
PAGE = {
    "pre_tool_call",
    "post_tool_call",
    "pre_llm_call",
    "post_llm_call",
    "on_session_start",
    "on_session_end",
    "on_session_finalize",
    "on_session_reset",
    "subagent_stop",
    "pre_gateway_dispatch",
    "pre_approval_request",
    "post_approval_response",
    "transform_tool_result",
    "transform_terminal_output",
    "transform_llm_output",
}


class Context:
    """A plugin context that only remembers the hooks."""

    profile_name = "default"

    def __init__(self, **settings):
        self.hooks: dict[str, list] = {}
        self._settings = settings

    def register_hook(self, name, callback):
        self.hooks.setdefault(name, []).append(callback)

    def get_config(self, key, default=None):
        return self._settings.get(key, default)

    def register_tool(self, **_): ...

    def register_command(self, *_, **__): ...

    def register_cli_command(self, *_, **__): ...


def registered(**settings):
    context = Context(**settings)
    register(context)
    return context.hooks


def test_by_default_just_the_hooks_of_the_manifest_are_registered():
    assert set(registered()) == set(MANIFEST["provides_hooks"])


def test_with_all_every_hook_of_the_page_is_an_event():
    assert OWN_TYPES | set(extra_hooks("all")) >= PAGE
    assert set(registered(observe="all")) == set(MANIFEST["provides_hooks"]) | set(EXTRA_HOOKS)


def test_no_hook_with_an_event_type_of_its_own_is_observed_again():
    assert not OWN_TYPES & set(EXTRA_HOOKS)


def test_the_parts_of_a_stream_are_not_observed():
    assert not [name for name in EXTRA_HOOKS if name.startswith("on_stream_")]


def test_a_firing_is_an_event_with_masked_scalars():
    keywords = {"session_id": "s", "command": "new", "args_raw": "", "extra": ["x"]}
    observed = hook_observed("pre_command", keywords, Keeper(b"k" * 32), texts=True)
    assert observed == HookObserved(
        system="plugin", name="pre_command", session_id="s", fields={"command": "new", "args_raw": ""}
    )


@pytest.mark.parametrize("observe", ["needed", "all"])
def test_a_conversation_is_told_whole_and_each_call_once(tmp_path, observe):
    settings = {"plugins": {"entries": {"kata": {"settings": {"observe": observe}}}}}
    host = StandIn(tmp_path, config={"tools": {"tool_search": {"enabled": False}}} | settings)
    with installed(host):
        host.load(register)
        chat = host.conversation()
        chat.turn("what does it say", [call("terminal", {"command": "echo hi"}), say("It says hi.")])
        host.unload()
        store = open_store(host.data_dir("kata"))
        store.drain()
        events = list(store.log.read())
        store.close()
    names = {event.payload.name for event in events if event.type == "hook.observed"}
    assert (names >= {"pre_tool_call", "transform_tool_result", "post_llm_call"}) is (observe == "all")
    assert [event.type for event in events].count("tool.returned") == 1
