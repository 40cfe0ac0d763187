"""The kit as a package: what it exports, imports and promises, and that it works when it is copied."""

import ast
import doctest
import importlib
import json
import pkgutil
import shutil
import subprocess
import sys

import pytest

from kata import kit
from tests.kit.support import KIT

FILES = sorted(KIT.rglob("*.py"))
PROMISED = {
    "CommandType", "MediaDeliveryResult", "MediaPayload", "MediaType", "MiddlewareKind", "PluginSkill",
    "RegistrationSummary", "ResolvedDeliveryTarget", "arg", "bool_arg", "build_schema", "clear_media_delivery_state",
    "command", "configure_stderr_logging", "deliver_media", "hook", "int_arg", "invoke_host_tool", "load_plugin_config",
    "log_registration_summary", "middleware", "plugin_skill", "register_all", "register_plugin",
    "resolve_delivery_target", "str_arg", "tool", "tool_name", "transform_media_delivery_output", "validate_tool_name",
}  # fmt: skip
STRANGERS = {"telegram"}
"""What is imported inside a function, and only where a spoiler needs it."""


def imports_of(path, *, lazy):
    """List the absolute imports of a module: at its top, or inside its functions."""
    tree = ast.parse(path.read_text())
    inside = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
    }
    found = set()
    for node in ast.walk(tree):
        if (id(node) in inside) is not lazy:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add(node.module.split(".")[0])
    return found


def test_every_promised_name_is_there():
    assert set(kit.__all__) >= PROMISED
    assert kit.__all__ == sorted(kit.__all__)
    assert all(hasattr(kit, name) for name in kit.__all__)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(KIT).as_posix())
def test_only_the_standard_library_is_imported_at_the_top(path):
    assert imports_of(path, lazy=False) <= sys.stdlib_module_names


def test_only_the_host_module_imports_hermes_and_only_when_asked():
    lazy = {
        path.relative_to(KIT).as_posix(): imports_of(path, lazy=True) - sys.stdlib_module_names
        for path in FILES
    }
    assert {name: found for name, found in lazy.items() if found - STRANGERS} == {
        "host.py": {"hermes_cli", "gateway"},
    }


def test_every_import_within_is_relative_and_stays_within():
    for path in FILES:
        depth = len(path.relative_to(KIT).parts)
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                assert node.level <= depth, f"{path}:{node.lineno} leaves the kit"


def test_the_package_is_typed():
    assert (KIT / "py.typed").exists()


def _modules():
    return [name for _, name, _ in pkgutil.walk_packages(kit.__path__, "kata.kit.")]


@pytest.mark.parametrize("name", _modules())
def test_the_examples_in_the_docs_of_a_module_hold(name):
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert result.failed == 0


PLUGIN = '''
from dataclasses import dataclass
from .vendored import MediaPayload, command, hook, register_plugin, tool


@dataclass
class Ask:
    words: list[str]


@tool(toolset="copy")
def copy_find(ask: Ask, **context):
    """Find."""
    return ask


@command("copy")
def copy(raw_args):
    """Copy."""


@hook("on_session_start")
def began(**payload):
    pass


def register(ctx):
    return register_plugin(ctx, __name__)
'''
RUN = """
import json, sys
sys.path.insert(0, sys.argv[1])
import their_plugin
from their_plugin.vendored.testing import RecordingContext
ctx = RecordingContext("theirs")
summary = their_plugin.register(ctx)
answer = ctx.call_tool("copy_find", {"words": "a"})
ours = sorted(name for name in sys.modules if name.split(".")[0] in ("kata", "attrs", "attr", "cattrs", "hermes_cli"))
print(json.dumps([summary.tools, summary.commands, summary.hooks, answer, ours]))
"""


def test_it_works_when_it_is_copied_into_another_plugin_without_anything_else(tmp_path):
    plugin = tmp_path / "their_plugin"
    shutil.copytree(KIT, plugin / "vendored", ignore=shutil.ignore_patterns("__pycache__"))
    (plugin / "__init__.py").write_text(PLUGIN)
    # -S leaves out every installed package: no attrs, no Hermes, no Kata.
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-c", RUN, str(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [
        ["copy_find"], ["copy"], ["on_session_start"], {"success": True, "data": {"words": ["a"]}}, [],
    ]  # fmt: skip
