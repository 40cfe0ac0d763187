"""How long one waits for a lock, and the one writer that a process lets through at a time."""

import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import attrs

from .errors import StoreBusyError

_LONGEST_NAP = 0.02
_SHORTEST_NAP = 0.0005


@attrs.frozen
class Patience:
    """A bounded wait with jitter: SQLite's own steps grow alike in every process and starve some (case B045).

    Attributes:
        seconds: How long to wait in all.
    """

    seconds: float = 5.0
    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    pick: Callable[[float, float], float] = random.uniform

    def retry(self, attempt: Callable[[], bool]) -> None:
        """Call until it answers True.

        Raises:
            StoreBusyError: it did not in time.
        """
        deadline = self.now() + self.seconds
        longest = 2 * _SHORTEST_NAP
        while not attempt():
            if self.now() >= deadline:
                raise StoreBusyError(f"the log stayed locked for {self.seconds:g} s")
            self.sleep(self.pick(_SHORTEST_NAP, longest))
            longest = min(2 * longest, _LONGEST_NAP)


class WriterLock:
    """Lets one thread of the process write; knows its holder, so that a nested write is an error, not a deadlock."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._holder: int | None = None

    @contextmanager
    def hold(self, seconds: float) -> Iterator[None]:
        """Hold the lock.

        Raises:
            RuntimeError: this thread holds it already.
            StoreBusyError: another thread held it for too long.
        """
        if self._pid != os.getpid():
            self._start()
        if self._holder == threading.get_ident():
            raise RuntimeError("a write transaction is open in this thread already")
        if not self._lock.acquire(timeout=seconds):
            raise StoreBusyError(f"another thread wrote for {seconds:g} s")
        self._holder = threading.get_ident()
        try:
            yield
        finally:
            self._holder = None
            self._lock.release()
