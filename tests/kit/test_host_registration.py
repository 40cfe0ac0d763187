"""Registration on the real Hermes: what it refuses, keeps to itself, and gives back (rows M3, M4, M10, M12, M15, M18)."""

import argparse
import sys

import pytest

from kata.kit import command, hook, media_hooks, plugin_skill, register_plugin, tool
from kata.kit.media.silence import marks
from kata.kit.names import reserved_reason
from tests.kit.support import plugin_of

pytestmark = pytest.mark.hermes


def declared_tool(name, **options):
    return tool(toolset="probe", name=name, description="Probe.", **options)(
        lambda args, **context: {"args": args}
    )


def clashes():
    import tools.file_tools

    assert tools.file_tools
    _, ctx = plugin_of("probe")
    status = command("status", "Show.")(lambda raw: raw)
    summary = register_plugin(ctx, [declared_tool("read_file"), declared_tool("probe_read"), status])
    return [summary.tools, summary.commands, summary.refused]


def test_what_hermes_does_not_take_is_told_and_not_listed(on_host):
    assert on_host(clashes) == [["probe_read"], [], ["command:status", "tool:read_file"]]


def too_late():
    _, ctx = plugin_of("probe")
    ctx._abandon_load()
    summary = register_plugin(
        ctx, [declared_tool("probe_read"), hook("pre_llm_call")(lambda **payload: None)]
    )
    return [summary.tools, summary.hooks, summary.refused]


def test_a_load_that_took_too_long_registers_nothing_and_says_so(on_host):
    assert on_host(too_late) == [[], [], ["tool:probe_read", "hook:pre_llm_call"]]


def intercepted():
    import model_tools
    from tools.tool_search_catalog import BRIDGE_TOOL_NAMES

    names = {*model_tools._AGENT_LOOP_TOOLS, *model_tools._LEGACY_TOOL_ALIASES, *BRIDGE_TOOL_NAMES}
    model_tools._AGENT_LOOP_TOOLS.add("probe_new")
    _, ctx = plugin_of("probe")
    summary = register_plugin(ctx, [declared_tool("probe_new")])
    return [sorted(names), summary.refused]


def test_the_names_that_hermes_keeps_from_plugins_are_all_reserved(on_host):
    names, refused = on_host(intercepted)
    assert "todo_list" in names
    assert not [name for name in names if not reserved_reason(name)]
    assert refused == ["tool:probe_new"]


def subcommands():
    from hermes_cli import main

    sys.argv = ["hermes", "probe-a"]
    _, ctx = plugin_of("probe")

    def declared(name, **options):
        return command(name, "Probe.", type="cli", **options)(lambda args: name)

    summary = register_plugin(
        ctx, [declared("chat"), declared("probe-a", help="100% of it"), declared("probe-b")]
    )
    parser = argparse.ArgumentParser()
    subparsers = parser.add_subparsers()
    subparsers.add_parser("chat")
    main._register_plugin_cli_commands(subparsers)
    return [
        summary.refused,
        parser.format_help().count("100% of it"),
        parser.parse_args(["probe-b"]).func(None),
    ]


def test_a_built_in_subcommand_is_refused_and_the_others_still_come(on_host):
    assert on_host(subcommands) == [["cli_command:chat"], 1, "probe-b"]


def unknown_hook():
    _, ctx = plugin_of("probe")
    summary = register_plugin(
        ctx, [hook("on_moon")(lambda **payload: None), hook("pre_llm_call")(lambda **payload: None)]
    )
    return [summary.hooks, summary.unknown]


def test_a_hook_that_hermes_never_fires_is_told(on_host):
    assert on_host(unknown_hook) == [["on_moon", "pre_llm_call"], ["hook:on_moon"]]


def taken_back():
    from pathlib import Path

    from tools.registry import registry

    skill = Path("SKILL.md").resolve()
    skill.write_text("# Probe\n")
    manager, ctx = plugin_of("probe")
    manifest_skill = plugin_skill("sense", skill, "Sense.")
    summary = register_plugin(
        ctx, [declared_tool("probe_read"), hook("pre_llm_call")(lambda **p: None)], [manifest_skill]
    )
    kinds = [handle.kind for handle in summary.handles]
    there = [registry.get_entry("probe_read") is not None, bool(manager.find_plugin_skill("probe:sense"))]
    summary.dispose()
    gone = [
        registry.get_entry("probe_read") is None,
        manager.find_plugin_skill("probe:sense") is None,
        manager._hooks,
    ]
    return [kinds, there, gone]


def test_the_handles_take_everything_back(on_host):
    assert on_host(taken_back) == [["tool", "hook", "skill"], [True, True], [True, True, {}]]


def half_way():
    from pathlib import Path

    from tools.registry import registry

    _, ctx = plugin_of("probe")
    skill = Path("SKILL.md").resolve()
    skill.touch()
    ctx.register_skill = lambda **kwargs: 1 / 0
    try:
        register_plugin(ctx, [declared_tool("probe_read")], [plugin_skill("sense", skill, "Sense.")])
    except ZeroDivisionError:
        return registry.get_entry("probe_read") is None
    return "no error"


def test_a_registration_that_fails_half_way_leaves_nothing(on_host):
    assert on_host(half_way) is True


def unloaded():
    manager, ctx = plugin_of("probe")
    register_plugin(ctx, media_hooks())
    marks.arm("s")
    manager.unload()
    return [marks.take("s"), manager._hooks]


def test_an_unload_clears_what_the_kit_remembers(on_host):
    assert on_host(unloaded) == [False, {}]


PLUGIN = '''
from .kit import register_plugin, tool

@tool(toolset="owned")
def owned_tool(args, **kwargs):
    """Do."""
    return {}

def register(ctx):
    return register_plugin(ctx, __name__)

def drop():
    from tools.registry import registry
    registry.deregister("owned_tool")
'''


def owned():
    import os
    import shutil
    from pathlib import Path

    from hermes_cli.plugins import PluginManager
    from tools.registry import registry

    from tests.kit.support import KIT

    folder = Path(os.environ["HERMES_HOME"]) / "plugins" / "owner"
    shutil.copytree(KIT, folder / "kit", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "__init__.py").write_text(PLUGIN)
    (folder / "plugin.yaml").write_text("name: owner\nversion: '1'\ndescription: Owns.\nkind: standalone\n")
    manager = PluginManager()
    (manifest,) = manager._scan_directory(folder.parent, source="user")
    manager._load_plugin(manifest)
    entry = registry.get_entry("owned_tool")
    owner = registry._plugin_owner_of(entry.handler)
    sys.modules["hermes_plugins.owner"].drop()
    return [owner, registry.get_entry("owned_tool") is None]


def test_a_tool_belongs_to_its_plugin_and_not_to_the_kit(on_host):
    assert on_host(owned) == ["hermes_plugins.owner", True]
