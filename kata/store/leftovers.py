"""What lies in the spool's folder although the log has taken it in, or never will (case B074)."""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from ..errors import StoreError

SET_ASIDE = "set-aside"
"""The folder, inside the spool's, of records that could not be taken in."""

_CHUNK = 1 << 16
_BLANK = b"\n"
"""A reader skips empty lines, and what ends behind a newline still does."""


def list_set_aside(spool: Path) -> tuple[str, ...]:
    """Return the names of the files with records that were set aside, oldest first.

    Raises:
        StoreError: the folder cannot be read.
    """
    try:
        return tuple(sorted(path.name for path in (spool / SET_ASIDE).iterdir() if path.is_file()))
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise StoreError(f"the spool cannot be read: {error.strerror}") from error


def drop_set_aside(spool: Path, names: Iterable[str]) -> None:
    """Delete files with records that were set aside.

    Raises:
        StoreError: one cannot be deleted.
    """
    for name in names:
        try:
            (spool / SET_ASIDE / name).unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"{SET_ASIDE}/{name} cannot be deleted: {error.strerror}") from error


def set_aside_before(spool: Path, moment: datetime) -> tuple[str, ...]:
    """Return the files whose segment was begun before a moment: its name says when."""
    return tuple(name for name in list_set_aside(spool) if _begun(name) < moment)


def wipe_drained(spool: Path, offsets: Mapping[str, int]) -> None:
    """Blank what the log has of every segment; a living owner goes on appending behind it.

    Args:
        offsets: How many bytes of each segment are in the log, as the log has noted it.

    Raises:
        StoreError: a segment cannot be written.
    """
    for name, offset in offsets.items():
        try:
            with suppress(FileNotFoundError):
                _blank(spool / name, offset)
        except OSError as error:
            raise StoreError(f"the spool cannot be blanked: {error.strerror}") from error


def _blank(path: Path, size: int) -> None:
    with path.open("r+b", buffering=0) as file:
        left = min(size, os.fstat(file.fileno()).st_size)
        while left > 0:
            left -= file.write(_BLANK * min(left, _CHUNK))
        os.fsync(file.fileno())


def _begun(name: str) -> datetime:
    """Return when a segment was begun; the beginning of time for a name that is none of Kata's."""
    try:
        return datetime.fromtimestamp((UUID(name[:36]).int >> 80) / 1000, UTC)
    except (ValueError, OverflowError):
        return datetime.fromtimestamp(0, UTC)
