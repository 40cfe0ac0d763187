"""Kata's one background thread: it drains, projects, brings the registry into line and starts mining (design 3)."""

import logging
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)

IDLE_S = 30.0
"""How long it sleeps when nobody wakes it: other processes' decisions are seen at the next turn anyway."""


class Worker:
    """A lazy daemon thread that calls ``work`` whenever it is woken; started by the first wake, ended by `stop`."""

    def __init__(
        self, work: Callable[[], None], *, name: str = "kata-worker", idle_s: float = IDLE_S
    ) -> None:
        self._work, self._name, self._idle_s = work, name, idle_s
        self._wake = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stopping = False

    def does(self, work: Callable[[], None]) -> None:
        """Say what a round is, before the first one."""
        self._work = work

    def wake(self) -> None:
        """Ask for a round soon; costs nothing when one is due already."""
        if self._wake.is_set() and self._alive():
            return
        self._wake.set()
        if not self._alive():
            self._start()

    def _alive(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _start(self) -> None:
        with self._lock:
            if self._stopping or self._alive():
                return
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while self._woken():
            try:
                self._work()
            except Exception:
                log.warning("kata: a background round failed", exc_info=True)

    def _woken(self) -> bool:
        """Wait for a wake; False when it is time to end."""
        self._wake.wait(self._idle_s)
        self._wake.clear()
        return not self._stopping

    def stop(self, timeout: float = 1.0) -> None:
        """End the thread, waiting at most ``timeout`` seconds for the round that it is in."""
        self._stopping = True
        self._wake.set()
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout)
