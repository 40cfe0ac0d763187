"""Inside the child that looks for routines: one pass, its progress as lines of JSON (case B031)."""

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..errors import KataError
from ..events import Surface
from ..json import dumps, loads
from ..service import assemble
from ..service.settings import read_settings
from ..surfaces.envelope import failure, plain

NICE = 10


def main(folder: str) -> None:
    """Make one pass as the order on standard input says, and tell of it on standard output."""
    with suppress(OSError, AttributeError):
        os.nice(NICE)
    order = loads(sys.stdin.readline())
    try:
        _tell({"summary": _mine(Path(folder), order)})
    except KataError as error:
        _tell({"error": failure(error)["error"]})


def _mine(folder: Path, order: Mapping[str, Any]) -> Any:
    given = order["settings"]
    settings = lambda: read_settings(given.get)  # noqa: E731
    service = assemble(folder, profile=order["profile"], settings=settings)
    try:
        return plain(
            service.mine(lambda done, total: _tell({"done": done, "total": total}), surface=Surface.DASHBOARD)
        )
    finally:
        service.close()


def _tell(line: Mapping[str, Any]) -> None:
    sys.stdout.write(dumps(line) + "\n")
    sys.stdout.flush()
