"""The marks that an agent's tool leaves on what it starts: on a process, an ancestor, or its terminal's other end."""

import os
from collections.abc import Iterator

from .processes import Processes

MARKS = ("AI_AGENT", "HERMES_AGENT", "HERMES_SESSION_ID")


def agent_mark(pid: int | None = None, processes: Processes | None = None) -> str | None:
    """Return the mark of an agent's tool on a process (this one if not given) or on whoever is behind it; None for none.

    Hermes marks its own process with the same variables while it runs, so only the environment that a process was
    *started* with proves anything.
    """
    seen = Processes() if processes is None else processes
    marks = (_mark_of(one, seen) for one in _suspects(os.getpid() if pid is None else pid, seen))
    return next((mark for mark in marks if mark is not None), None)


def _suspects(own: int, processes: Processes) -> Iterator[int]:
    seen: set[int] = set()
    for start in (own, *processes.terminal_holders(own)):
        for pid in processes.lineage(start):
            if pid not in seen:
                seen.add(pid)
                yield pid


def _mark_of(pid: int, processes: Processes) -> str | None:
    environment = processes.environment(pid)
    return next((mark for mark in MARKS if mark in environment), None)
