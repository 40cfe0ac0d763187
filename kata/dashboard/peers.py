"""Who is at the other end of a loopback connection: a person's browser, or something that an agent started (design 9.3).

Linux tells: the connection's inode stands in ``/proc/net/tcp``, and each process's descriptors name theirs. A process is
an agent's when it or an ancestor was started with a session's mark, or descends from a running Hermes. The one exception is
the browser that the dashboard opens itself when it starts: a descendant of this very server, but from its first seconds.

A sender that sent and went away can be looked at no more, so a connection whose other end is closed, or whose holder is
ending, counts against it. A connection that is alive while no process shows that it holds it is another user's, a tunnel's or
a container's. Both are looked at twice, since a process ends bit by bit and a table changes while it is read.

Who cut every tie to its agent shows none of that; what it hangs from is looked at as for a terminal (`kata.origin.doubt`).
"""

import os
import time
from pathlib import Path

import attrs

from ..origin import PROC, Doubts, Processes, Record
from ..origin.agents import is_hermes
from ..origin.names import is_a_person_s_peer
from ..origin.processes import TICKS

SESSION = "HERMES_SESSION_ID"
"""Hermes gives it to what its agents start; nothing that a person starts has it."""

AGENT = "AI_AGENT"
OWN_AGENT = "hermes-agent"
"""Hermes gives itself this name, and so to the browser that it opens for a person; another agent's name is a sign."""

OPENED_WITHIN_S = 10
GONE = "gone"
"""What is said of a sender that did not wait for its answer."""

ESTABLISHED = "01"
BETWEEN_LOOKS_S = 0.05


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
    first = _look(client_port, server_port, own, Processes(proc))
    if first not in (None, GONE):
        return first
    time.sleep(BETWEEN_LOOKS_S)
    return _look(client_port, server_port, own, Processes(proc))


def stranger_behind(
    client_port: int, server_port: int, record: Record, *, server: int | None = None, proc: Path = PROC
) -> str | None:
    """Return the program behind a loopback connection of which nobody can say that a person started it; None for none.

    What descends from the dashboard's own server is no stranger: `agent_behind` judges it.
    """
    processes, own = Processes(proc), os.getpid() if server is None else server
    doubts = Doubts(record, processes, is_a_person_s_peer, own)
    for pid in holders(client_port, server_port, proc):
        doubt = None if own in processes.lineage(pid) else doubts.behind(pid, pid)
        if doubt is not None:
            return doubt.program
    return None


def holders(client_port: int, server_port: int, proc: Path = PROC) -> tuple[int, ...]:
    """Return the processes that hold the client end of a loopback connection; none where the platform does not tell."""
    processes = Processes(proc)
    return _holding(_alive(_connections(processes), client_port, server_port), processes)


def _look(client_port: int, server_port: int, server: int, processes: Processes) -> str | None:
    table = _connections(processes)
    inodes = _alive(table, client_port, server_port)
    if not inodes:
        return GONE if any(one.local == server_port for one in table) else None
    found = _holding(inodes, processes)
    signs = [_sign(pid, server, processes) for pid in found]
    sign = next((one for one in signs if one is not None), None)
    return sign or next((GONE for pid in found if _is_ending(pid, processes)), None)


def _connections(processes: Processes) -> tuple[Connection, ...]:
    lines = (line for name in ("tcp", "tcp6") for line in processes.table(name))
    return tuple(
        Connection(_port(line[1]), _port(line[2]), line[3], line[9]) for line in lines if len(line) > 9
    )


def _alive(table: tuple[Connection, ...], client_port: int, server_port: int) -> set[str]:
    """Return the inodes of the client's end, as long as it waits for an answer."""
    ends = (one for one in table if (one.local, one.remote) == (client_port, server_port))
    return {one.inode for one in ends if one.state == ESTABLISHED and one.inode != "0"}


def _holding(inodes: set[str], processes: Processes) -> tuple[int, ...]:
    return processes.holding({f"socket:[{inode}]" for inode in inodes})


def _is_ending(pid: int, processes: Processes) -> bool:
    """Tell whether a process has dropped its memory, and with it its marks, while its descriptors are still there."""
    return processes.words(pid) == ("",)


def _port(address: str) -> int:
    return int(address.rpartition(":")[2], 16)


def _sign(pid: int, server: int, processes: Processes) -> str | None:
    line = tuple(processes.lineage(pid))
    below = line[: line.index(server)] if server in line else line
    for one in below:
        sign = _mark_of(one, processes)
        if sign is not None:
            return sign
    if server in line:
        opened = below and _opened_at_start(below[-1], server, processes)
        return None if opened else "the dashboard's own agent"
    return next(("a running Hermes" for one in line[1:] if is_hermes(processes.words(one))), None)


def _mark_of(pid: int, processes: Processes) -> str | None:
    environment = processes.environment(pid)
    if SESSION in environment:
        return SESSION
    return AGENT if environment.get(AGENT, OWN_AGENT) != OWN_AGENT else None


def _opened_at_start(pid: int, server: int, processes: Processes) -> bool:
    began, served = processes.stat(pid), processes.stat(server)
    return (
        began is not None
        and served is not None
        and 0 <= began.began - served.began <= OPENED_WITHIN_S * TICKS
    )
