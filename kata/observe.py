"""The command of a shell hook: ``python observe.py [--data FOLDER]`` takes a firing from standard input (design 1).

The rooms that it uses need the standard library alone; their packages are stood up bare, so that no other module of Kata
and none of its dependencies is imported: the agent waits for this process.
"""

import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent

if __name__ == "__main__":  # or ``import json`` would find Kata's own
    sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != FOLDER]

import importlib  # noqa: E402 - after the path
from types import ModuleType  # noqa: E402 - after the path
from typing import Any  # noqa: E402 - after the path
from zlib import crc32  # noqa: E402 - after the path

ROOT = f"_kata_{crc32(bytes(FOLDER)):08x}"
"""A name of its own for each folder: one process may hold the plugins of several profiles."""


def taking() -> Any:
    """Return `kata.hooks.taking`, loaded from this file's own folder."""
    _stand_up(ROOT, FOLDER)
    _stand_up(f"{ROOT}.store", FOLDER / "store")
    return importlib.import_module(f"{ROOT}.hooks.taking")


def _stand_up(name: str, folder: Path) -> None:
    """Make a package whose ``__init__`` is not run."""
    if name not in sys.modules:
        package = sys.modules[name] = ModuleType(name)
        package.__path__ = [str(folder)]


if __name__ == "__main__":
    sys.exit(taking().take_shell(sys.argv[1:], sys.stdin.buffer, sys.stdout.buffer))
