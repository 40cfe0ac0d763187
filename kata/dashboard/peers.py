"""Who is at the other end of a loopback connection: a person's browser, or something that an agent started (design 9.3).

Linux tells: the connection's inode stands in ``/proc/net/tcp``, and each process's descriptors name theirs. A process is
an agent's when it or an ancestor was started with a session's mark, or descends from a running Hermes. The one exception is
the browser that the dashboard opens itself when it starts: a descendant of this very server, but from its first seconds.

A sender that sent and went away can be looked at no more, so a connection whose other end is closed, or whose holder is
ending, counts against it. A connection that is alive while no process shows that it holds it is another user's, a tunnel's or
a container's. Both are looked at twice, since a process ends bit by bit and a table changes while it is read.
"""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import attrs

PROC = Path("/proc")
SESSION = "HERMES_SESSION_ID"
"""Hermes gives it to what its agents start; nothing that a person starts has it."""

AGENT = "AI_AGENT"
OWN_AGENT = "hermes-agent"
"""Hermes gives itself this name, and so to the browser that it opens for a person; another agent's name is a sign."""

HERMES = ("hermes", "hermes_cli.main")
OPENED_WITHIN_S = 10
GONE = "gone"
"""What is said of a sender that did not wait for its answer."""

ESTABLISHED = "01"
BETWEEN_LOOKS_S = 0.05
DEEPEST = 64
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


@attrs.frozen
class Connection:
    """A line of the kernel's table: its ports, its state, and the inode of the socket, 0 where nobody has it any more."""

    local: int
    remote: int
    state: str
    inode: str


def agent_behind(
    client_port: int, server_port: int, *, server: int | None = None, proc: Path = PROC
) -> str | None:
    """Return what shows that an agent holds the client end of a loopback connection; None where nothing does twice.

    Args:
        server: The process that serves the dashboard; this one if not given.

    Returns:
        `GONE` where nobody waits at that end any more: nobody can tell who it was.
    """
    own = os.getpid() if server is None else server
    first = _look(client_port, server_port, own, proc)
    if first not in (None, GONE):
        return first
    time.sleep(BETWEEN_LOOKS_S)
    return _look(client_port, server_port, own, proc)


def holders(client_port: int, server_port: int, proc: Path = PROC) -> tuple[int, ...]:
    """Return the processes that hold the client end of a loopback connection; none where the platform does not tell."""
    return _holding(_alive(_connections(proc), client_port, server_port), proc)


def _look(client_port: int, server_port: int, server: int, proc: Path) -> str | None:
    table = _connections(proc)
    inodes = _alive(table, client_port, server_port)
    if not inodes:
        return GONE if any(one.local == server_port for one in table) else None
    found = _holding(inodes, proc)
    signs = [_sign(pid, server, proc) for pid in found]
    sign = next((one for one in signs if one is not None), None)
    return sign or next((GONE for pid in found if _is_ending(pid, proc)), None)


def _connections(proc: Path) -> tuple[Connection, ...]:
    lines = (line.split() for name in ("tcp", "tcp6") for line in _read(proc / "net" / name).splitlines()[1:])
    return tuple(
        Connection(_port(line[1]), _port(line[2]), line[3], line[9]) for line in lines if len(line) > 9
    )


def _alive(table: tuple[Connection, ...], client_port: int, server_port: int) -> set[str]:
    """Return the inodes of the client's end, as long as it waits for an answer."""
    ends = (one for one in table if (one.local, one.remote) == (client_port, server_port))
    return {one.inode for one in ends if one.state == ESTABLISHED and one.inode != "0"}


def _holding(inodes: set[str], proc: Path) -> tuple[int, ...]:
    if not inodes:
        return ()
    sockets = {f"socket:[{inode}]" for inode in inodes}
    return tuple(int(folder.name) for folder in proc.glob("[0-9]*") if _holds_any(folder, sockets))


def _is_ending(pid: int, proc: Path) -> bool:
    """Tell whether a process has dropped its memory, and with it its marks, while its descriptors are still there."""
    return not _read(proc / str(pid) / "cmdline")


def _port(address: str) -> int:
    return int(address.rpartition(":")[2], 16)


def _holds_any(folder: Path, inodes: set[str]) -> bool:
    try:
        descriptors = list((folder / "fd").iterdir())
    except OSError:
        return False
    for descriptor in descriptors:
        try:
            if str(descriptor.readlink()) in inodes:
                return True
        except OSError:
            continue
    return False


def _sign(pid: int, server: int, proc: Path) -> str | None:
    line = tuple(_lineage(pid, proc))
    below = line[: line.index(server)] if server in line else line
    for one in below:
        sign = _mark_of(one, proc)
        if sign is not None:
            return sign
    if server in line:
        return None if below and _opened_at_start(below[-1], server, proc) else "the dashboard's own agent"
    return next(("a running Hermes" for one in line[1:] if _is_hermes(one, proc)), None)


def _lineage(pid: int, proc: Path) -> Iterator[int]:
    for _ in range(DEEPEST):
        if pid <= 1:
            return
        yield pid
        after_name = _read(proc / str(pid) / "stat").rpartition(")")[2].split()
        if len(after_name) < 2:
            return
        pid = int(after_name[1])


def _mark_of(pid: int, proc: Path) -> str | None:
    environment = dict(
        entry.partition("=")[::2] for entry in _read(proc / str(pid) / "environ").split("\0") if "=" in entry
    )
    if SESSION in environment:
        return SESSION
    return AGENT if environment.get(AGENT, OWN_AGENT) != OWN_AGENT else None


def _opened_at_start(pid: int, server: int, proc: Path) -> bool:
    began, served = _began(pid, proc), _began(server, proc)
    return None not in (began, served) and 0 <= began - served <= OPENED_WITHIN_S * TICKS  # type: ignore[operator]


def _began(pid: int, proc: Path) -> int | None:
    after_name = _read(proc / str(pid) / "stat").rpartition(")")[2].split()
    return int(after_name[19]) if len(after_name) > 19 else None


def _is_hermes(pid: int, proc: Path) -> bool:
    program, *words = _read(proc / str(pid) / "cmdline").split("\0")
    runs = (
        [word for word in words if word not in ("-m", "-u")][:1]
        if "python" in Path(program).name
        else [program]
    )
    return any(Path(word).name in HERMES for word in runs)


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except OSError:
        return ""
