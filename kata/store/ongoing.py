"""One run at a time with the same inputs: for as long as it goes on, a small file of its own is locked (design 8, case B025).

The operating system drops the lock when the process dies, and a second thread of one process is refused like a second process.
"""

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from ..clock import Clock
from ..errors import RefusedError
from .files import PRIVATE
from .locks import lock_now

ONGOING_NAME = "ongoing"
_SUFFIX = ".lock"
_ATTEMPTS = 5
_LEFT_S = 3600.0
"""Seconds after which a file that nobody holds is one that a dead process left behind."""


class GoingOnError(RefusedError):
    """Say that a run must not begin, since the same one goes on; ``since`` where that is known."""

    code = "going_on"

    def __init__(self, since: datetime | None) -> None:
        started = f", started at {since:%Y-%m-%d %H:%M:%S} UTC" if since else ""
        super().__init__(
            f"the same run is going on{started}",
            hint="Nothing was done. Wait for it to end, then look at what it did.",
        )
        self.since = since


class Ongoing:
    """The runs that go on in every process of a profile.

    Args:
        folder: Where their files lie; made when it is first needed.
    """

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.folder, self._clock = folder, clock

    @contextmanager
    def alone(self, key: str) -> Iterator[None]:
        """Let no other run with this key begin for the length of a block; where nothing can be locked, all may.

        Raises:
            GoingOnError: one goes on.
        """
        path = self.folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}{_SUFFIX}"
        try:
            descriptor = self._locked(path)
        except OSError:
            yield
            return
        try:
            yield
        finally:
            _let_go(descriptor, path)
            self._sweep()

    def _locked(self, path: Path) -> int:
        """Open a file and lock it.

        Raises:
            GoingOnError: another opening of it has the lock.
            OSError: it cannot be made, or files cannot be locked here.
        """
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for _ in range(_ATTEMPTS):
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE)
            try:
                if self._take(descriptor, path):
                    return descriptor
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)  # whoever had it has just deleted it
        raise GoingOnError(None)

    def _take(self, descriptor: int, path: Path) -> bool:
        """Lock an open file; False where its name has gone to another one meanwhile."""
        if not lock_now(descriptor):
            raise GoingOnError(_since(descriptor))
        if not _is_there(descriptor, path):
            return False
        with suppress(OSError):  # a full disk: the others are not told since when
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.ftruncate(descriptor, 0)
            os.write(descriptor, self._clock.now().isoformat().encode("ascii"))
        return True

    def _sweep(self) -> None:
        """Delete what dead processes left behind."""
        with suppress(OSError):
            for path in self.folder.glob(f"*{_SUFFIX}"):
                if time.time() - path.stat().st_mtime > _LEFT_S:
                    _delete_left(path)


def _delete_left(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR)
    if lock_now(descriptor):
        _let_go(descriptor, path)
    else:
        os.close(descriptor)


def _is_there(descriptor: int, path: Path) -> bool:
    """Tell whether an open file is still the one that has this name."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _let_go(descriptor: int, path: Path) -> None:
    """Delete a locked file and end its lock; POSIX deletes it under the lock, Windows only once it is closed."""
    if os.name == "posix":
        with suppress(OSError):
            path.unlink()
    os.close(descriptor)
    if os.name != "posix":
        with suppress(OSError):
            path.unlink()


def _since(descriptor: int) -> datetime | None:
    try:
        os.lseek(descriptor, 0, os.SEEK_SET)
        return datetime.fromisoformat(os.read(descriptor, 64).decode("ascii"))
    except (OSError, ValueError):
        return None
