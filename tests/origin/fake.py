"""A process table, written by hand."""

import os
from pathlib import Path

from kata.origin import Processes

TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
ANA, ROOT = 1000, 0


class FakeProc:
    """Writes what ``/proc`` tells; times are seconds since the machine began, which is a day ago."""

    UPTIME = 86400

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "net").mkdir(parents=True)
        (root / "uptime").write_text(f"{self.UPTIME}.00 1.00\n", encoding="ascii")

    @property
    def processes(self) -> Processes:
        return Processes(self.root)

    def process(
        self,
        pid: int,
        parent: int,
        program: str,
        *,
        began: int = 0,
        uid: int = ANA,
        session: int | None = None,
        words: str = "",
        group: str = "0::/user.slice/session-2.scope",
        login: str = "2",
        tty: int | None = None,
        master: int | None = None,
        opened: tuple[str, ...] = (),
        visible: bool = True,
        **environment: str,
    ) -> int:
        """Write one process.

        Args:
            program: The path of its program.
            session: The leader of its session; itself if not given.
            tty: The pseudo-terminal that it is in.
            master: The pseudo-terminal whose other end it holds.
            opened: What else it has open.
            visible: Whether its program's file, and what it has open, may be seen.
        """
        folder = self.root / str(pid)
        (folder / "fd").mkdir(parents=True)
        (folder / "fdinfo").mkdir()
        name = Path(program).name
        led = pid if session is None else session
        rest = " ".join(
            [
                "S",
                str(parent),
                "0",
                str(led),
                str(34816 + (tty or 0)) if tty is not None else "0",
                *["0"] * 14,
                str(began * TICK),
                "0",
            ]
        )
        for file, text in {
            "stat": f"{pid} ({name} (a) b) {rest}",
            "status": f"Name:\t{name}\nUid:\t{uid}\t{uid}\t{uid}\t{uid}\n",
            "comm": f"{name}\n",
            "cmdline": (words or program).replace(" ", "\0") + "\0",
            "environ": "\0".join(f"{key}={value}" for key, value in environment.items()),
            "cgroup": group,
            "sessionid": login,
        }.items():
            (folder / file).write_text(text, encoding="utf-8")
        if not visible:
            return pid
        (folder / "exe").symlink_to(program)
        targets = dict(enumerate(opened, start=10))
        if tty is not None:
            targets |= dict.fromkeys((0, 1, 2), f"/dev/pts/{tty}")
        if master is not None:
            targets[5] = "/dev/ptmx"
            (folder / "fdinfo" / "5").write_text(f"pos:\t0\ntty-index:\t{master}\n", encoding="ascii")
        for number, target in targets.items():
            (folder / "fd" / str(number)).symlink_to(target)
        return pid
