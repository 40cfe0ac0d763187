"""Run a scenario of a test module beside the real Hermes, in a process and a home of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
KIT = ROOT / "kata" / "kit"
_KEPT = ("PATH", "LANG", "TMPDIR", "SSL_CERT_FILE")
_RUN = """
import importlib, json, sys
module, _, name = sys.argv[1].partition(":")
seen = getattr(importlib.import_module(module), name)()
print("\\n" + json.dumps(seen))
"""


class HostError(AssertionError):
    """The scenario did not end well; says what its process wrote."""


def run_beside_hermes(scenario: Callable[[], Any], home: Path, **env: str) -> Any:
    """Call a module-level function in a child process that has Hermes, and return what it returned, as JSON."""
    home.mkdir(parents=True, exist_ok=True)
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    own = {"HERMES_HOME": str(home / "hermes"), "HOME": str(home), "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-c", _RUN, f"{scenario.__module__}:{scenario.__name__}"],
        cwd=home,
        env={**kept, **own, **env},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if done.returncode:
        raise HostError(done.stdout + done.stderr)
    return json.loads(done.stdout.rsplit("\n", 2)[-2])


def plugin_of(name: str) -> tuple[Any, Any]:
    """Return the running Hermes' plugin manager, and a plugin context of the given name; for scenarios."""
    from hermes_cli.plugins import PluginContext, PluginManifest, get_plugin_manager

    manager = get_plugin_manager()
    manager._discovered = True  # no bundled plugins: the scenario's own are enough
    return manager, PluginContext(PluginManifest(name=name), manager)
