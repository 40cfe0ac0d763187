"""A segment of the spool in the hands of the process that writes it. Standard library alone, as the framing is."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ..errors import StoreError
from .files import CREATE, PRIVATE
from .locks import try_lock

_ATTEMPTS = 5


class SpoolError(StoreError):
    """Say that an event could not be written to the spool."""

    code = "spool_unavailable"


class OwnedSegment:
    """A segment file that this process writes to and holds the lock of.

    Raises:
        OSError: it cannot be made.
        SpoolError: its lock went to somebody who is draining it; use another name.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = 0
        self.count = 0
        self.is_named_on_disk = False
        self._descriptor = os.open(path, CREATE | os.O_APPEND, PRIVATE)
        if not try_lock(self._descriptor) or self.is_gone():
            self.close()
            raise SpoolError(f"{path.name} cannot be locked")

    def is_gone(self) -> bool:
        """Tell whether the file was deleted under its owner."""
        return os.fstat(self._descriptor).st_nlink == 0

    def write(self, lines: bytes, count: int = 1) -> None:
        """Append so many lines in one write; a part of them is taken back.

        Raises:
            OSError: it cannot be written.
        """
        written = os.write(self._descriptor, lines)
        if written != len(lines):
            os.ftruncate(self._descriptor, self.size)
            raise SpoolError("the disk is full")
        self.size += written
        self.count += count

    def duplicate(self) -> int:
        """Return a second descriptor of the file, which stays good when this one is closed."""
        return os.dup(self._descriptor)

    def close(self) -> None:
        """End: the lock is free, the segment finished."""
        os.close(self._descriptor)


def begin_segment(folder: Path, next_name: Callable[[], str]) -> OwnedSegment:
    """Make a new segment in a spool's folder, under the first name whose lock is to be had.

    Raises:
        OSError: it cannot be made.
        SpoolError: no lock is to be had here.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for _ in range(_ATTEMPTS):
        with suppress(SpoolError, FileExistsError):
            return OwnedSegment(folder / next_name())
    raise SpoolError("no segment of the spool can be locked here")
