"""Whether a process may carry a person's decision (design 9.3): the marks, the ancestors, the terminal's other end.

Hermes marks its own process with the same variables while it runs, so only the environment that a process was *started*
with proves anything; Linux keeps it in ``/proc/<pid>/environ``. Elsewhere the shell goes by the terminal alone.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

MARKS = ("AI_AGENT", "HERMES_AGENT", "HERMES_SESSION_ID")
DEEPEST = 64
PARENT = re.compile(r"^PPid:\s+(\d+)$", re.MULTILINE)
TTY_INDEX = re.compile(r"^tty-index:\s+(\d+)$", re.MULTILINE)


def agent_mark(pid: int | None = None, proc: Path = Path("/proc")) -> str | None:
    """Return the mark of an agent's tool on this process, an ancestor, or whoever holds its terminal; None for none."""
    own = os.getpid() if pid is None else pid
    for suspect in _suspects(own, proc):
        mark = _mark_of(suspect, proc)
        if mark is not None:
            return mark
    return None


def _suspects(own: int, proc: Path) -> Iterator[int]:
    seen: set[int] = set()
    for start in (own, *_terminal_holders(own, proc)):
        for pid in _lineage(start, proc):
            if pid not in seen:
                seen.add(pid)
                yield pid


def _lineage(pid: int, proc: Path) -> Iterator[int]:
    for _ in range(DEEPEST):
        if pid <= 1:
            return
        yield pid
        status = _read(proc / str(pid) / "status")
        parent = PARENT.search(status)
        if parent is None:
            return
        pid = int(parent[1])


def _mark_of(pid: int, proc: Path) -> str | None:
    names = {entry.partition("=")[0] for entry in _read(proc / str(pid) / "environ").split("\0")}
    return next((mark for mark in MARKS if mark in names), None)


def _terminal_holders(pid: int, proc: Path) -> Iterator[int]:
    """Yield the processes that hold the other end of this process's pseudo-terminal."""
    index = _terminal_index(pid, proc)
    if index is None:
        return
    for folder in sorted(proc.glob("[0-9]*"), key=lambda one: int(one.name)):
        if _holds(folder, index):
            yield int(folder.name)


def _terminal_index(pid: int, proc: Path) -> int | None:
    for descriptor in ("0", "1", "2"):
        try:
            target = str((proc / str(pid) / "fd" / descriptor).readlink())
        except OSError:
            continue
        if target.startswith("/dev/pts/") and target[9:].isdigit():
            return int(target[9:])
    return None


def _holds(folder: Path, index: int) -> bool:
    try:
        descriptors = list((folder / "fd").iterdir())
    except OSError:
        return False
    for descriptor in descriptors:
        try:
            master = descriptor.readlink().name == "ptmx"
        except OSError:
            continue
        if master:
            found = TTY_INDEX.search(_read(folder / "fdinfo" / descriptor.name))
            if found is not None and int(found[1]) == index:
                return True
    return False


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except OSError:
        return ""
