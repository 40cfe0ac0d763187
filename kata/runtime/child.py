"""Inside the mining child: read orders, make one pass for each, keep the counts between them (design 6.8)."""

import contextlib
import json
import os
import sys
from pathlib import Path
from typing import Any

from ..events import Surface
from ..service import Service, assemble
from ..service.settings import read_settings
from ..store import StoreBusyError

NICE = 10


def main(folder: str) -> None:
    """Serve orders from standard input until it ends."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICE)
    service: Service | None = None
    for line in sys.stdin:
        order = json.loads(line)
        if service is None:
            service = assemble(Path(folder), profile=order["profile"], settings=_settings(order))
        with contextlib.suppress(StoreBusyError):
            service.mine(surface=Surface.HOOK)
    if service is not None:
        service.close()


def _settings(order: dict[str, Any]) -> Any:
    given = order["settings"]
    return lambda: read_settings(given.get)
