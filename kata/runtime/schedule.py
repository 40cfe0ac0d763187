"""When to look for routines: after a turn that added calls, not more often than once a minute (design 6.8)."""

from ..clock import Clock

NEW_CALLS = 2
PAUSE_S = 60.0


class Schedule:
    """Remembers the last pass of this process."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._ended = False
        self._calls = 0
        self._at: float | None = None

    def turn_ended(self) -> None:
        """Note that a turn is over: only then is a pass worth it."""
        self._ended = True

    def is_due(self, calls: int) -> bool:
        """Tell whether a pass is due, with that many calls in the history."""
        if not self._ended or calls - self._calls < NEW_CALLS:
            return False
        return self._at is None or self._clock.monotonic() - self._at >= PAUSE_S

    def started(self, calls: int) -> None:
        """Note that a pass was started."""
        self._ended, self._calls, self._at = False, calls, self._clock.monotonic()
