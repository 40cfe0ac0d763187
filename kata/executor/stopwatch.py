"""Time that stands still while Hermes waits for a person (design 8)."""

from collections.abc import Callable

from ..clock import Clock


class Stopwatch:
    """Counts seconds, but for those in which a person was being waited for."""

    def __init__(self, clock: Clock, waiting: Callable[[], bool]) -> None:
        self._clock = clock
        self._waiting = waiting
        self._last = clock.monotonic()
        self._seconds = 0.0

    def read(self) -> float:
        """Return the seconds so far; what passed since the last reading counts unless a person is waited for now."""
        now = self._clock.monotonic()
        if not self._waiting():
            self._seconds += now - self._last
        self._last = now
        return self._seconds

    def leave_out(self, seconds: float) -> None:
        """Take back seconds in which somebody else waited for a person (the guard's own prompt)."""
        self._seconds -= min(seconds, self._seconds)
