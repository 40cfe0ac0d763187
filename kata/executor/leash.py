"""What binds the thread that does a run to the one that watches it (design 8, case B025).

The run's thread can block in three places: while the host prepares the task, while the guard is asked, and in a call. Only
there the watcher may let it go; the run then belongs to the watcher, and the other thread must not touch it again.
"""

import threading
from enum import StrEnum
from typing import NamedTuple

from ..json import JsonObject
from .journal import Place


class Doing(StrEnum):
    """Where the run's thread may block."""

    PREPARING = "preparing"
    ASKING = "asking"
    CALLING = "calling"


class Phase(NamedTuple):
    """One stay in such a place, in seconds of the run's stopwatch."""

    doing: Doing
    began: float
    deadline: float
    place: Place | None = None
    args: JsonObject | None = None
    nth: int = 0
    accepts: tuple[int, ...] = (0,)


class LetGoError(BaseException):
    """Unwind a thread whose run no longer belongs to it."""


class Leash:
    """Says in which phase the run's thread is, and whether it still has the run."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._phase: Phase | None = None
        self._gone = False
        self._closed = threading.Event()

    @property
    def phase(self) -> Phase | None:
        """The phase that the run's thread is in just now."""
        return self._phase

    def enter(self, phase: Phase) -> None:
        """Begin a phase.

        Raises:
            LetGoError: the run was taken away.
        """
        with self._lock:
            if self._gone:
                raise LetGoError
            self._phase = phase

    def leave(self) -> bool:
        """End the phase; False when the run was taken away meanwhile."""
        with self._lock:
            self._phase = None
            return not self._gone

    def let_go(self, phase: Phase) -> bool:
        """Take the run away, if its thread is still in this very phase."""
        with self._lock:
            self._gone = self._phase is phase
            return self._gone

    def close(self) -> None:
        """Say that the run's end is written."""
        self._closed.set()

    def wait_closed(self, seconds: float) -> None:
        """Wait until the run's end is written, so that a late answer comes after it."""
        self._closed.wait(seconds)

    def cut(self) -> Phase | None:
        """Take the run away wherever its thread is; return the phase that it is in, if any."""
        with self._lock:
            self._gone = True
            return self._phase
