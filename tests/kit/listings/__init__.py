"""Plugins written for the older kit, loaded with their import line changed and nothing else."""

import sys
import types
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def load(name: str, folder: Path, **given: Any) -> types.ModuleType:
    """Run a listing as a module in a folder, with the functions that it leaves to its plugin."""
    source = (HERE / f"{name}.txt").read_text(encoding="utf-8").replace("hermes_plugin_kit", "kata.kit")
    module = types.ModuleType(f"listing_{name}")
    vars(module).update(given, __file__=str(folder / "__init__.py"))
    sys.modules[module.__name__] = module
    exec(compile(source, name, "exec"), vars(module))
    return module
