"""A small file that every decision replaces: other processes compare its stat, nothing more (design 5)."""

import os
import secrets
from pathlib import Path

from .files import replace_file

GENERATION_NAME = "generation"


def touch_generation(folder: Path) -> None:
    """Say that something was decided.

    Raises:
        OSError: the file cannot be replaced.
    """
    replace_file(folder / GENERATION_NAME, secrets.token_hex(8).encode("ascii"))


def generation(folder: Path) -> tuple[int, int]:
    """Return what changes with every decision; zeros before the first."""
    try:
        found = os.stat(os.path.join(folder, GENERATION_NAME))  # noqa: PTH116, PTH118 - asked before every model call
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_ino
