"""What a tmux server says of its clients, asked at the socket that the kernel names: the environment is the caller's to set."""

import os
import shutil
import subprocess
from pathlib import Path

import attrs

from .processes import TERMINALS, Processes

PANES = "#{pane_pid} #{pane_tty} #{session_id}"
CLIENTS = "#{client_pid} #{client_activity} #{session_id} #{client_control_mode}"
PATIENCE_S = 3


@attrs.frozen(kw_only=True)
class Client:
    """Who is attached to a session: their process, when they last pressed a key, and whether a program types for them.

    Attributes:
        active: Seconds since 1970, whole.
        control: Its keys come as commands (iTerm2 does that), which count as no activity.
    """

    pid: int
    active: int
    session: str
    control: bool


def clients_of(server: int, pid: int, processes: Processes) -> tuple[Client, ...] | None:
    """Return who is attached to the session in which a process runs; to any where it runs in no pane (a pop-up).

    Returns:
        None where the server does not answer.
    """
    listed = _ask(server, ("list-clients", "-F", CLIENTS), processes)
    panes = _ask(server, ("list-panes", "-a", "-F", PANES), processes)
    if listed is None or panes is None:
        return None
    found = [_client(words) for words in listed if len(words) == 4]
    sessions = _sessions_of(pid, panes, processes)
    return tuple(one for one in found if not sessions or one.session in sessions)


def _client(words: list[str]) -> Client:
    return Client(pid=int(words[0]), active=int(words[1]), session=words[2], control=words[3] == "1")


def _sessions_of(pid: int, panes: list[list[str]], processes: Processes) -> frozenset[str]:
    line, terminal = {str(one) for one in processes.lineage(pid)}, f"{TERMINALS}{processes.terminal(pid)}"
    return frozenset(pane[2] for pane in panes if len(pane) == 3 and (pane[0] in line or pane[1] == terminal))


def _ask(server: int, words: tuple[str, ...], processes: Processes) -> list[list[str]] | None:
    socket, program = processes.listens_at(server), processes.program_path(server)
    found = str(program) if program is not None and program.exists() else shutil.which("tmux")
    if socket is None or found is None or not Path(socket).is_absolute():
        return None
    try:
        done = subprocess.run(
            (found, "-S", socket, *words),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env={"PATH": os.defpath, "LC_ALL": "C.UTF-8"},
            timeout=PATIENCE_S,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return [line.split() for line in done.stdout.decode("utf-8", "replace").splitlines()]
