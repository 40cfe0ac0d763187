"""Loading, unloading and reloading plugins."""

import sys
import threading
from types import SimpleNamespace

import pytest

from kata.standin import StandIn, ToolOverrideError

SCHEMA = {"name": "note", "description": "Note.", "parameters": {"type": "object"}}


def noting(answer):
    return lambda ctx: ctx.register_tool("note", "own", SCHEMA, lambda args: answer)


def test_a_plugin_may_be_a_callable_or_a_module(host):
    host.load(noting("a"), "first")
    host.load(SimpleNamespace(register=lambda ctx: ctx.register_command("hello", lambda raw: raw)), "second")
    assert host.registry.dispatch("note", {}) == "a"
    assert host.slash("/hello there") == "there"


def test_a_plugin_folder_is_loaded_as_the_host_does(host, tmp_path):
    folder = tmp_path / "greeter"
    folder.mkdir()
    (folder / "words.py").write_text("WORD = 'hello'\n")
    (folder / "__init__.py").write_text(
        "from .words import WORD\ndef register(ctx):\n    ctx.register_command('greet', lambda raw: WORD)\n"
    )
    host.load(folder, "my-greeter")
    assert host.slash("/greet") == "hello"
    assert sys.modules["hermes_plugins.my_greeter.words"].WORD == "hello"
    host.unload("my-greeter")
    assert not [name for name in sys.modules if name.startswith("hermes_plugins.my_greeter")]


def test_register_runs_on_a_thread_of_its_own(host):
    seen = []
    host.load(lambda ctx: seen.append(threading.current_thread().name), "own")
    assert seen == ["plugin-load:own"]


def test_an_error_in_register_is_kept_and_never_raised(host, tmp_path):
    def broken(ctx):
        raise ValueError("no luck")

    host.load(broken, "broken")
    host.load(tmp_path / "nowhere", "missing")
    assert isinstance(host.plugins.loaded["broken"].error, ValueError)
    assert not host.plugins.loaded["missing"].enabled


def test_register_has_a_time_limit(tmp_path):
    host = StandIn(tmp_path, config={"plugins": {"load_timeout_seconds": 0.05}})
    release = threading.Event()
    host.load(lambda ctx: release.wait(30), "slow")
    release.set()
    assert isinstance(host.plugins.loaded["slow"].error, TimeoutError)


def test_unloading_takes_everything_back_in_reverse_order(host):
    order = []

    def register(ctx):
        ctx.on_unload(lambda: order.append("first"))
        noting("a")(ctx)
        ctx.register_hook("pre_llm_call", lambda **_: None)
        ctx.register_command("note", lambda raw: None)
        ctx.register_cli_command("note", "Note", lambda parser: None, lambda args: 0)
        ctx.subscribe("own:event", lambda: None)
        ctx.on_unload(lambda: order.append("last"))

    host.load(register, "own")
    assert host.unload("own")
    assert not host.unload("own")
    assert order == ["last", "first"]
    assert host.registry.get_entry("note") is None
    assert not host.hooks.has("pre_llm_call")
    assert host.slash("/note") == "Unknown command: /note"


def test_an_error_while_unloading_stops_nothing(host):
    order = []

    def register(ctx):
        ctx.on_unload(lambda: order.append("done"))
        ctx.on_unload(lambda: 1 / 0)

    host.load(register, "own")
    host.unload("own")
    assert order == ["done"]


def test_reloading_calls_register_again(host):
    contexts = []
    host.load(contexts.append, "own")
    host.reload()
    assert len(contexts) == 2
    assert contexts[0] is not contexts[1]


def test_a_host_tool_cannot_be_shadowed_without_override(host):
    got = []
    host.load(
        lambda ctx: got.append(ctx.register_tool("terminal", "own", SCHEMA, lambda args: "mine")), "own"
    )
    assert got == [None]


def test_override_needs_the_users_leave(host):
    def register(ctx):
        ctx.register_tool("terminal", "terminal", SCHEMA, lambda args: "mine", override=True)

    host.load(register, "own")
    assert isinstance(host.plugins.loaded["own"].error, ToolOverrideError)
    host.settings.set("plugins.entries.own.allow_tool_override", True)
    host.load(register, "own")
    assert host.registry.dispatch("terminal", {}) == "mine"
    host.unload("own")
    assert host.registry.get_toolset_for_tool("terminal") == "terminal"


def test_the_same_plugin_replaces_its_tool_and_gives_the_old_one_back(host):
    ctx = host.load(lambda ctx: None, "own")
    old = ctx.register_tool("note", "own", SCHEMA, lambda args: "old")
    new = ctx.register_tool("note", "own", SCHEMA, lambda args: "new")
    assert host.registry.dispatch("note", {}) == "new"
    new.dispose()
    assert host.registry.dispatch("note", {}) == "old"
    assert old.active
    assert not new.active


def test_an_unknown_hook_is_kept_with_a_warning(host, caplog):
    host.load(lambda ctx: ctx.register_hook("on_full_moon", lambda **_: "howl"), "own")
    assert "on_full_moon" in caplog.text
    assert host.hooks.fire("on_full_moon") == ["howl"]


@pytest.mark.parametrize("name", ["", "/", "new", "/help"])
def test_a_command_needs_a_free_name(host, name):
    got = []
    host.load(lambda ctx: got.append(ctx.register_command(name, lambda raw: None)), "own")
    assert got == [None]
