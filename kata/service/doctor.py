"""Whether the installation is sound, and how to mend what is not: one finding a check, none of which may raise."""

import importlib.metadata
import re
import shlex
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs

from ..errors import KataError
from ..store import Store, last_noted
from ..store.anchor import Anchor
from .board import Board
from .hooking import Hooking

OLDEST_PYTHON = (3, 11)
LEAST_FREE = 200 * 2**20
"""Bytes that should be free where the log lies."""

MANIFEST = Path(__file__).resolve().parents[1] / "plugin.yaml"
REQUIREMENT = re.compile(r"^\s+- (?P<name>[a-z-]+)>=(?P<least>[\d.]+),<(?P<below>[\d.]+)$", re.MULTILINE)

OK, WARNING, FAULT = "ok", "warning", "fault"


@attrs.frozen(kw_only=True)
class Finding:
    """What one check found: ``status`` is ok, warning or fault; ``mend`` says how to put it right."""

    name: str
    status: str
    detail: str
    mend: str = ""


@attrs.frozen(kw_only=True)
class DoctorView:
    """Every finding, and whether none of them is a fault."""

    profile: str
    findings: tuple[Finding, ...]

    @property
    def sound(self) -> bool:
        """Tell whether nothing is at fault; a warning is none."""
        return all(one.status != FAULT for one in self.findings)


Check = Callable[[], Iterator[Finding]]


class Doctor:
    """Looks at one profile's installation.

    Args:
        host: What the host's side knows (its version, whether ``/kata`` is ours); nothing outside Hermes.
    """

    def __init__(
        self,
        store: Store,
        board: Board,
        hooking: Hooking,
        profile: str,
        host: Callable[[], tuple[Finding, ...]],
    ) -> None:
        self._store, self._board, self._hooking = store, board, hooking
        self._profile, self._host = profile, host

    def examine(self) -> DoctorView:
        """Make every check."""
        checks: tuple[tuple[str, Check], ...] = (
            ("installation", installation),
            ("host", lambda: iter(self._host())),
            ("folder", lambda: folder(self._store.folder)),
            ("log", self._log),
            ("recording", self._recording),
            ("hooks", self._hooks),
        )
        return DoctorView(
            profile=self._profile, findings=tuple(one for check in checks for one in safely(*check))
        )

    def _log(self) -> Iterator[Finding]:
        self._store.log.inspect()
        head = self._store.log.head()
        yield Finding(name="log", status=OK, detail=f"{head.position} events; `verify` re-reads every byte")
        doubt = doubt_of_end(self._store.anchor) if head.position else ""
        if doubt:
            yield Finding(
                name="anchor",
                status=WARNING,
                detail=doubt,
                mend="Compare with a backup. Once you know why: hermes kata verify --accept",
            )
        aside = self._store.set_aside()
        if aside:
            yield Finding(
                name="spool",
                status=WARNING,
                detail=f"{len(aside)} records could not be taken in ({aside[0]}, …)",
                mend=f"Look at them in {self._store.spool.folder / 'set-aside'}; they can be deleted.",
            )

    def _recording(self) -> Iterator[Finding]:
        view = self._board.recording()
        for warning in view.warnings:
            yield Finding(
                name="settings",
                status=WARNING,
                detail=warning,
                mend="Settings: docs/settings.md; names: rename it; a newer log: install that Kata again.",
            )
        if view.lost:
            yield Finding(
                name="recording",
                status=WARNING,
                detail=f"{view.lost} events were not stored ({view.lost_reason})",
                mend="Make room on the disk, or look at the reason; the agent is not affected.",
            )
        elif view.recording:
            yield Finding(name="recording", status=OK, detail="on, nothing lost")
        else:
            mend = "hermes kata resume, or the setting record: true"
            yield Finding(name="recording", status=WARNING, detail="off or paused", mend=mend)

    def _hooks(self) -> Iterator[Finding]:
        for view in (self._hooking.gateway.status(), self._hooking.shell.status()):
            if view.state == "outdated":
                mend = f"hermes kata hooks install {view.system}"
                detail = f"the {view.system} hooks in {view.place} are another Kata's"
                yield Finding(name="hooks", status=WARNING, detail=detail, mend=mend)
            else:
                yield Finding(name="hooks", status=OK, detail=f"{view.system}: {view.state}")


def doubt_of_end(anchor: Anchor) -> str:
    """Say why nobody can tell whether the log's end was cut; empty where it was not."""
    noted = last_noted(anchor)
    if noted is None:
        return "anchor.json is missing or unreadable: whether the log's end was cut cannot be told"
    if not noted.unproven:
        return ""
    return f"anchor.json was missing or unreadable after event {noted.unproven}: whether more stood there cannot be told"


def without_log(error: KataError, profile: str = "default") -> DoctorView:
    """Return what can be said where the log cannot even be opened."""
    broken = Finding(name="log", status=FAULT, detail=str(error), mend=error.hint)
    return DoctorView(profile=profile, findings=(*safely("installation", installation), broken))


def safely(name: str, check: Check) -> tuple[Finding, ...]:
    """Make one check; what it raises is its finding."""
    try:
        return tuple(check())
    except KataError as error:
        return (Finding(name=name, status=FAULT, detail=str(error), mend=error.hint),)
    except Exception as error:
        detail = f"{type(error).__name__}: {error}"
        return (
            Finding(name=name, status=FAULT, detail=detail, mend="Please report this with its whole text."),
        )


def installation() -> Iterator[Finding]:
    """Check Python and each package that Kata needs."""
    version = sys.version.split()[0]
    old = sys.version_info < OLDEST_PYTHON
    mend = "Run Hermes with Python 3.11 or newer." if old else ""
    yield Finding(name="python", status=FAULT if old else OK, detail=f"Python {version}", mend=mend)
    for name, least, below in requirements():
        yield package(name, least, below)


def requirements() -> tuple[tuple[str, str, str], ...]:
    """Return the packages that the plugin's manifest asks for, with the versions that will do."""
    found = REQUIREMENT.finditer(MANIFEST.read_text(encoding="utf-8"))
    return tuple((one["name"], one["least"], one["below"]) for one in found)


def package(name: str, least: str, below: str) -> Finding:
    """Check one package: there, and not too old or too new."""
    install = shlex.join([sys.executable, "-m", "pip", "install", f"{name}>={least},<{below}"])
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return Finding(name=name, status=FAULT, detail="is not installed", mend=f"Install it: {install}")
    if _parts(least) <= _parts(version) < _parts(below):
        return Finding(name=name, status=OK, detail=version)
    detail = f"{version}; Kata was tried with {least} up to, not with, {below}"
    return Finding(name=name, status=WARNING, detail=detail, mend=f"Install one that fits: {install}")


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def folder(path: Path) -> Iterator[Finding]:
    """Check that the data folder can be written, keeps its key to its owner, and has room."""
    yield Finding(name="folder", status=OK, detail=str(path))
    open_to_others = [
        one for one in path.glob("*key*") if one.is_file() and stat.S_IMODE(one.stat().st_mode) & 0o077
    ]
    for one in open_to_others:
        detail = f"{one.name} can be read by others"
        yield Finding(name="key", status=FAULT, detail=detail, mend=f"chmod 600 {one}")
    free = shutil.disk_usage(path).free
    if free < LEAST_FREE:
        detail = f"{free // 2**20} MB are free where the log lies"
        yield Finding(
            name="disk", status=WARNING, detail=detail, mend="Make room: what cannot be stored is lost."
        )
