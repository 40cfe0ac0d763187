"""The kernel's table of processes, read as it is asked: parents, environments, descriptors, terminals (``proc(5)``)."""

import os
import re
import time
from collections.abc import Collection, Iterator
from pathlib import Path

import attrs

PROC = Path("/proc")
DEEPEST = 64
LISTENING = 0x10000
"""The flag of a unix socket that waits for connections."""

TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
OWNER = re.compile(r"^Uid:\s+(\d+)", re.MULTILINE)
TTY_INDEX = re.compile(r"^tty-index:\s+(\d+)$", re.MULTILINE)
TERMINALS = "/dev/pts/"
GONE = " (deleted)"
"""What the kernel adds to the name of a program whose file was replaced or removed."""


@attrs.frozen
class Stat:
    """What stands in ``/proc/<pid>/stat``, which everybody may read.

    Attributes:
        terminal: The device of the terminal that it is in; 0 for none.
        began: When it began, in ticks since the machine did.
    """

    parent: int
    session: int
    terminal: int
    began: int


@attrs.frozen
class Processes:
    """The processes of this machine; what is unreadable is told as nothing, and never raised."""

    root: Path = PROC

    def all(self) -> tuple[int, ...]:
        """Return every process, lowest id first."""
        try:
            return tuple(sorted(int(one.name) for one in self.root.iterdir() if one.name.isdigit()))
        except OSError:
            return ()

    def lineage(self, pid: int) -> Iterator[int]:
        """Yield a process and its ancestors, without the first process of all."""
        for _ in range(DEEPEST):
            if pid <= 1:
                return
            yield pid
            stat = self.stat(pid)
            if stat is None:
                return
            pid = stat.parent

    def stat(self, pid: int) -> Stat | None:
        """Return a process's line; its name may hold any character, so what follows the last bracket is read."""
        words = self._text(pid, "stat").rpartition(")")[2].split()
        if len(words) < 2:
            return None
        session, terminal, began = (int(words[at]) if len(words) > at else 0 for at in (3, 4, 19))
        return Stat(int(words[1]), session, terminal, began)

    def began_at(self, pid: int) -> float | None:
        """Return when a process began, in seconds since 1970."""
        stat, running = self.stat(pid), self._read(self.root / "uptime").split()
        if stat is None or not running:
            return None
        return time.time() - float(running[0]) + stat.began / TICKS

    def owner(self, pid: int) -> int | None:
        """Return the user whose rights a process has."""
        found = OWNER.search(self._text(pid, "status"))
        return None if found is None else int(found[1])

    def program(self, pid: int) -> str:
        """Return the file name of a process's program; the name it gives itself where the file may not be seen."""
        path = self.program_path(pid)
        return path.name if path is not None else self._text(pid, "comm").strip()

    def program_path(self, pid: int) -> Path | None:
        """Return the file of a process's program."""
        try:
            return Path(str((self.root / str(pid) / "exe").readlink()).removesuffix(GONE))
        except OSError:
            return None

    def words(self, pid: int) -> tuple[str, ...]:
        """Return the words that a process was started with."""
        return tuple(self._text(pid, "cmdline").split("\0"))

    def environment(self, pid: int) -> dict[str, str]:
        """Return the variables that a process was *started* with, whatever it set since."""
        entries = self._text(pid, "environ").split("\0")
        return {name: value for name, equals, value in (entry.partition("=") for entry in entries) if equals}

    def realm(self, pid: int) -> tuple[str, str]:
        """Return the control group and the login that a process belongs to: it was born there or somebody moved it."""
        return self._text(pid, "cgroup"), self._text(pid, "sessionid")

    def descriptors(self, pid: int) -> Iterator[tuple[str, str]]:
        """Yield what a process has open: the descriptor and what it leads to."""
        try:
            found = list((self.root / str(pid) / "fd").iterdir())
        except OSError:
            return
        for one in found:
            try:
                yield one.name, str(one.readlink())
            except OSError:
                continue

    def holding(self, targets: Collection[str]) -> tuple[int, ...]:
        """Return the processes that have one of some things open."""
        if not targets:
            return ()
        return tuple(
            pid for pid in self.all() if any(target in targets for _, target in self.descriptors(pid))
        )

    def pipes(self, pid: int) -> frozenset[str]:
        """Return the pipes that a process has an end of."""
        return frozenset(target for _, target in self.descriptors(pid) if target.startswith("pipe:["))

    def terminal(self, pid: int) -> int | None:
        """Return the number of the pseudo-terminal that a process reads or writes."""
        targets = dict(self.descriptors(pid))
        for descriptor in ("0", "1", "2"):
            target = targets.get(descriptor, "")
            if target.startswith(TERMINALS) and target.removeprefix(TERMINALS).isdigit():
                return int(target.removeprefix(TERMINALS))
        return None

    def terminal_holders(self, pid: int) -> tuple[int, ...]:
        """Return the processes that hold the other end of a process's pseudo-terminal."""
        index = self.terminal(pid)
        return () if index is None else tuple(one for one in self.all() if self._is_master(one, index))

    def listens_at(self, pid: int) -> str | None:
        """Return the path of the socket at which a process waits for others."""
        sockets = {target for _, target in self.descriptors(pid) if target.startswith("socket:[")}
        for line in self._read(self.root / "net" / "unix").splitlines()[1:]:
            words = line.split(maxsplit=7)
            if len(words) == 8 and int(words[3], 16) & LISTENING and f"socket:[{words[6]}]" in sockets:
                return words[7]
        return None

    def table(self, name: str) -> list[list[str]]:
        """Return the words of each line of one of the kernel's tables of connections."""
        return [line.split() for line in self._read(self.root / "net" / name).splitlines()[1:]]

    def _is_master(self, pid: int, index: int) -> bool:
        for descriptor, target in self.descriptors(pid):
            if Path(target).name == "ptmx":
                found = TTY_INDEX.search(self._text(pid, f"fdinfo/{descriptor}"))
                if found is not None and int(found[1]) == index:
                    return True
        return False

    def _text(self, pid: int, name: str) -> str:
        return self._read(self.root / str(pid) / name)

    def _read(self, path: Path) -> str:
        try:
            return path.read_bytes().decode("utf-8", "surrogateescape")
        except OSError:
            return ""
