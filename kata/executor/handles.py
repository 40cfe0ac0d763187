"""The handles by which runs that stopped go on: unguessable, used once, gone after a while or with the process."""

import secrets
import threading
import time
from collections.abc import Callable

import attrs

from ..errors import NotFoundError
from .checkpoint import Checkpoint

VALID_S = 1800
"""Seconds that a handle is good for."""

MOST_KEPT = 32


class UnknownHandleError(NotFoundError):
    """Say that a handle leads nowhere."""

    code = "unknown_handle"
    hint = "Do the calls that remained by hand, or ask the user."

    def __init__(self) -> None:
        super().__init__(
            f"no run can go on with this handle: it was used, is older than {VALID_S // 60} minutes, or the process that ran it has "
            "ended; what is recorded of a run is masked and is never replayed"
        )


@attrs.frozen
class _Entry:
    checkpoint: Checkpoint
    until: float


def new_handle() -> str:
    """Return 96 random bits."""
    return secrets.token_hex(12)


class Handles:
    """Keeps where runs stopped, in memory alone; may be asked from any thread.

    Args:
        monotonic: Tells seconds that never run backwards.
        fresh: Makes a handle.
    """

    def __init__(
        self, monotonic: Callable[[], float] = time.monotonic, fresh: Callable[[], str] = new_handle
    ) -> None:
        self._monotonic, self._fresh = monotonic, fresh
        self._lock = threading.Lock()
        self._entries: dict[str, _Entry] = {}

    def keep(self, checkpoint: Checkpoint) -> str:
        """Keep a checkpoint and return its handle; the oldest ones make room."""
        handle = self._fresh()
        with self._lock:
            self._forget_old()
            self._entries[handle] = _Entry(checkpoint, self._monotonic() + VALID_S)
            while len(self._entries) > MOST_KEPT:
                del self._entries[next(iter(self._entries))]
        return handle

    def peek(self, handle: str) -> Checkpoint:
        """Return what a handle leads to.

        Raises:
            UnknownHandleError: nothing (any more).
        """
        with self._lock:
            return self._found(handle).checkpoint

    def take(self, handle: str) -> Checkpoint:
        """Return what a handle leads to and forget it: a handle is good for one run.

        Raises:
            UnknownHandleError: nothing (any more).
        """
        with self._lock:
            found = self._found(handle)
            del self._entries[handle]
            return found.checkpoint

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()

    def _found(self, handle: str) -> _Entry:
        self._forget_old()
        found = self._entries.get(handle)
        if found is None:
            raise UnknownHandleError
        return found

    def _forget_old(self) -> None:
        now = self._monotonic()
        for handle in [handle for handle, one in self._entries.items() if one.until <= now]:
            del self._entries[handle]
