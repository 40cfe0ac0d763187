"""The caller's thread while a run goes on: clocks, the user's stop, and letting go (design 8, cases B020, B025)."""

from collections.abc import Callable

import attrs

from .leash import Leash, Phase
from .limits import Limits
from .protocols import Dispatcher
from .stopwatch import Stopwatch
from .worker import Job


@attrs.frozen
class LetGo:
    """The run was taken away from its thread in a phase, because the time was up or the user stopped the agent."""

    phase: Phase
    stopped: bool


class Watcher:
    """Watches one run."""

    def __init__(
        self,
        dispatcher: Dispatcher,
        stopwatch: Stopwatch,
        leash: Leash,
        limits: Limits,
        each_look: Callable[[], None],
    ) -> None:
        self._dispatcher, self._stopwatch, self._leash, self._limits = dispatcher, stopwatch, leash, limits
        self._each_look = each_look

    def watch(self, job: Job) -> LetGo | None:
        """Wait for the run's end; return where it was let go, or None when it ended by itself.

        What the run has written so far is put into the log at each look. After the user's stop a call has a short grace to end by itself: the host tells its tools to.
        """
        stop_at: float | None = None
        while not job.wait(self._limits.poll_s):
            self._each_look()
            now = self._stopwatch.tick(waiting=self._dispatcher.waiting_for_person())
            if stop_at is None and self._dispatcher.stopped():
                stop_at = now + self._limits.stop_grace_s
            phase = self._leash.phase
            if phase is None:
                continue
            stopped = stop_at is not None and now >= stop_at
            if (stopped or now >= phase.deadline) and self._leash.let_go(phase):
                return LetGo(phase, stop_at is not None)
        return None
