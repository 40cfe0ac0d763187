"""Time that stands still while Hermes waits for a person (design 8)."""

from ..clock import Clock


class Stopwatch:
    """Counts the seconds of a run; read by its thread, told to stand still by the one that watches it."""

    def __init__(self, clock: Clock) -> None:
        self._monotonic = clock.monotonic
        self._start = self._ticked = clock.monotonic()
        self._left_out = 0.0

    def read(self) -> float:
        """Return the seconds so far, without those that were left out."""
        return self._monotonic() - self._start - self._left_out

    def tick(self, *, waiting: bool) -> float:
        """Look at the clock again; leave out what passed since the last tick if a person is being waited for."""
        now = self._monotonic()
        if waiting:
            self._left_out += now - self._ticked
        self._ticked = now
        return now - self._start - self._left_out
