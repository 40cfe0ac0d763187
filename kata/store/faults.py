"""SQLite's errors in Kata's words."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from ..errors import StoreError
from .errors import StoreBusyError, StoreDamagedError, StoreFullError, StoreReadOnlyError
from .patience import Patience

T = TypeVar("T")

_MEANING: dict[int, type[StoreError]] = {
    sqlite3.SQLITE_BUSY: StoreBusyError,
    sqlite3.SQLITE_LOCKED: StoreBusyError,
    sqlite3.SQLITE_PROTOCOL: StoreBusyError,
    sqlite3.SQLITE_FULL: StoreFullError,
    sqlite3.SQLITE_READONLY: StoreReadOnlyError,
    sqlite3.SQLITE_PERM: StoreReadOnlyError,
    sqlite3.SQLITE_CORRUPT: StoreDamagedError,
    sqlite3.SQLITE_NOTADB: StoreDamagedError,
}


def primary_code(error: sqlite3.Error) -> int:
    """Return the primary result code of an error; 0 where the driver gave none."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def is_busy(error: sqlite3.Error) -> bool:
    """Tell whether somebody else holds a lock."""
    return _MEANING.get(primary_code(error)) is StoreBusyError


def persist(patience: Patience, action: Callable[[], T]) -> T:
    """Do something again for as long as somebody else holds a lock.

    Raises:
        StoreBusyError: it was held for too long.
    """
    result: list[T] = []

    def attempt() -> bool:
        try:
            result.append(action())
        except sqlite3.OperationalError as error:
            if is_busy(error):
                return False
            raise
        return True

    patience.retry(attempt)
    return result[0]


@contextmanager
def translated() -> Iterator[None]:
    """Turn SQLite's errors into `StoreError`.

    Raises:
        StoreBusyError: a lock was held for too long.
        StoreFullError: the disk is full.
        StoreReadOnlyError: the file may not be written.
        StoreDamagedError: the file cannot be read.
        StoreError: anything else.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise _meaning(error)(str(error)) from error


def _meaning(error: sqlite3.Error) -> type[StoreError]:
    if "Could not decode to UTF-8" in str(error):  # the driver's own complaint, without a code
        return StoreDamagedError
    return _MEANING.get(primary_code(error), StoreError)
