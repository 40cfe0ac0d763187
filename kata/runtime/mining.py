"""The mining child: one process of low priority that the worker keeps, with the counts in its memory (design 6.8).

A thread would starve the agent's own threads. The child outlives its parent for the pass it is in; a line on its standard
input asks for a pass, the end of the input ends it.
"""

import json
import logging
import os
import subprocess
import threading
from pathlib import Path
from typing import Any

import attrs

from ..process import command

log = logging.getLogger(__name__)

_outliving: list[subprocess.Popen[bytes]] = []
"""Children in their last pass: held so that they are reaped, never waited for."""


@attrs.frozen(kw_only=True)
class Order:
    """What the child needs to know for a pass."""

    profile: str
    settings: dict[str, Any]

    def line(self) -> bytes:
        return (json.dumps(attrs.asdict(self)) + "\n").encode()


class MiningChild:
    """Starts the child when it is first needed and asks it for passes; never waits for it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, order: Order) -> bool:
        """Ask for a pass; tell whether a child was there to ask."""
        with self._lock:
            process = self._running()
            if process is None or process.stdin is None:
                return False
            try:
                process.stdin.write(order.line())
                process.stdin.flush()
            except OSError:
                return False
            return True

    def close(self) -> None:
        """Let the child end after the pass that it is in."""
        with self._lock:
            process, self._process = self._process, None
        if process is None or process.stdin is None:
            return
        try:
            process.stdin.close()
        except OSError:
            log.debug("kata: the mining child was gone already")
        _outliving[:] = [one for one in (*_outliving, process) if one.poll() is None]

    def _running(self) -> subprocess.Popen[bytes] | None:
        if self._process is None or self._process.poll() is not None:
            self._process = self._start()
        return self._process

    def _start(self) -> subprocess.Popen[bytes] | None:
        environment = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith("PYTHON") or key == "PYTHONPATH"
        }
        try:
            return subprocess.Popen(
                command("runtime.child", str(self._folder)),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment,
                start_new_session=True,
            )
        except OSError:
            log.warning("kata: the mining process could not be started", exc_info=True)
            return None
