"""Settings, profile and environment on the real Hermes (rows M8, M16)."""

import os
from pathlib import Path

import pytest

from kata.kit import host, hostcall, load_plugin_config
from tests.kit.support import plugin_of

pytestmark = pytest.mark.hermes


def configured():
    home = Path(os.environ["HERMES_HOME"])
    home.mkdir(exist_ok=True)
    (home / "config.yaml").write_text(
        "plugins:\n  notes: {limit: 1, old: true}\n  entries:\n    notes:\n"
        "      config: {limit: 2, deep: {a: 1}}\n      settings: {deep: {b: 2}}\n"
    )
    (home / ".env").write_text("PROBE_KEY=from the file\n")
    from agent import redact

    assert host.redacted("call me") == redact.redact_sensitive_text("call me", force=True)
    _, ctx = plugin_of("notes")
    config = load_plugin_config(ctx, "notes")
    config["deep"]["a"] = 99
    again = load_plugin_config(ctx, "notes")
    return [again, ctx.get_config("deep.b"), host.environment_value("PROBE_KEY"), host.profile() == str(home)]


def test_settings_come_from_where_the_host_keeps_them(on_host):
    settings = {"limit": 2, "old": True, "deep": {"a": 1, "b": 2}}
    assert on_host(configured) == [settings, 2, "from the file", True]


PRIVATE = {
    "hermes_cli.plugins": (
        "VALID_HOOKS",
        "PluginContext",
        "_dispatch_pre_tool_call_hooks",
        "resolve_pre_tool_block",
    ),
    "hermes_cli.middleware": ("VALID_MIDDLEWARE",),
    "hermes_cli.main": ("_BUILTIN_SUBCOMMANDS",),
    "hermes_cli.lifecycle": ("has_hook", "invoke_hook"),
    "hermes_cli.config": ("get_env_value", "load_config_readonly"),
    "hermes_constants": ("get_hermes_home",),
    "agent.redact": ("redact_sensitive_text",),
    "model_tools": ("_AGENT_LOOP_TOOLS", "_LEGACY_TOOL_ALIASES", "_run_async"),
    "tools.tool_search_catalog": ("BRIDGE_TOOL_NAMES",),
    "tools.send_message_tool": ("send_message_tool",),
    "gateway.session_context": ("get_session_env",),
    "gateway.config": ("Platform", "load_gateway_config"),
    "gateway.platforms.base": ("BasePlatformAdapter", "resolve_proxy_url"),
    "gateway.relay.egress": ("authorize_relay_target",),
    "plugins.platforms.telegram.telegram_ids": ("normalize_telegram_chat_id",),
    "plugins.platforms.telegram.adapter": ("TelegramAdapter",),
}


def missing_names():
    import importlib

    return [
        f"{module}.{name}"
        for module, names in PRIVATE.items()
        for name in names
        if not hasattr(importlib.import_module(module), name)
    ]


def test_every_name_that_the_kit_asks_of_hermes_is_there(on_host):
    assert on_host(missing_names) == []


def test_that_list_is_what_the_kit_names():
    source = Path(host.__file__).read_text() + Path(hostcall.__file__).read_text()
    named = [*PRIVATE, *(name for names in PRIVATE.values() for name in names)]
    assert [name for name in named if name not in source] == []


def signatures():
    from kata.kit.testing import _SIGNATURES, _fallback

    def shape(signature):
        return [(item.name, item.default is not item.empty) for item in signature.parameters.values()]

    return {name: shape(host.context_signature(name)) == shape(_fallback(name)) for name in _SIGNATURES}


def test_the_recorder_knows_the_signatures_of_this_hermes(on_host):
    assert set(on_host(signatures).values()) == {True}
