"""Start another Python process that runs Kata's own code, whatever name that goes by here."""

import os
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
_BOOT = """
import importlib, importlib.util, sys
spec = importlib.util.spec_from_file_location("kata", sys.argv[1] + "/__init__.py", submodule_search_locations=[sys.argv[1]])
sys.modules["kata"] = module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
importlib.import_module("kata." + sys.argv[2]).main(*sys.argv[3:])
"""


def command(module: str, *words: str) -> list[str]:
    """Return the command line that calls ``main(*words)`` of a module (``importer.child``) of the code that this is.

    The other process knows it as ``kata``, whatever Hermes calls a plugin of its folder: what the two tell each other
    must name no class.
    """
    return [sys.executable, "-c", _BOOT, str(PACKAGE), module, *words]


def environment() -> dict[str, str]:
    """Return an environment in which it finds the packages that this process found."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
