"""A lock that the operating system drops when its holder dies (design 3)."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .files import PRIVATE

_FAR = 1 << 40
"""On Windows a locked byte cannot be read by others: lock one far behind every segment's end."""

if sys.platform == "win32":
    import msvcrt

    def lock_now(descriptor: int) -> bool:
        """Take the lock of an open file for as long as the file is open; False where somebody else has it.

        Raises:
            OSError: the file cannot be locked at all.
        """
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

else:
    import fcntl

    def lock_now(descriptor: int) -> bool:
        """Take the lock of an open file for as long as the file is open; False where somebody else has it.

        ``flock``, not ``lockf``: it belongs to this one opening of the file, so that reading the file elsewhere in the
        same process does not drop it.

        Raises:
            OSError: the file cannot be locked at all.
        """
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def try_lock(descriptor: int) -> bool:
    """Take the lock of an open file as `lock_now` does; False too where it cannot be locked at all."""
    try:
        return lock_now(descriptor)
    except OSError:
        return False


@contextmanager
def held(path: Path) -> Iterator[bool]:
    """Hold a lock file for the length of a block, if nobody else does: the block is told which.

    Raises:
        OSError: the file cannot be made.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE)
    try:
        yield try_lock(descriptor)
    finally:
        os.close(descriptor)
