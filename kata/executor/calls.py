"""One call at a time on the worker thread, with the clocks of the run (design 8, cases B016, B020, B025)."""

import time
from collections.abc import Callable
from typing import Any

import attrs

from ..clock import Clock
from .ending import OUT_OF_TIME, STOPPED, blocked
from .limits import Limits
from .protocols import Dispatcher
from .stopwatch import Stopwatch
from .worker import Answer, Job, LateAnswer, Workers


@attrs.frozen
class Made:
    """What became of a call.

    Attributes:
        answer: What came back; None when nobody waits for it any more.
        duration_ms: How long it took, without the time in which a person was waited for.
        stopped: The user stopped the agent while the call ran.
        limit_s: Seconds that it could take.
    """

    answer: Answer | None
    duration_ms: int
    stopped: bool
    limit_s: float


class Calls:
    """Makes the calls of one run on one worker."""

    def __init__(
        self,
        dispatcher: Dispatcher,
        clock: Clock,
        limits: Limits,
        workers: Workers,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._dispatcher, self._clock, self._limits = dispatcher, clock, limits
        self._workers, self._sleep = workers, sleep
        self._worker = workers.take()
        self._usable = True
        self.watch = Stopwatch(clock, dispatcher.waiting_for_person)

    def check(self) -> None:
        """Look at the user's stop and at the total time, before a step.

        Raises:
            StopRunError: the run must not go on.
        """
        if self._dispatcher.stopped():
            raise blocked(STOPPED, "stopped by the user")
        if self.watch.read() >= self._limits.total_s:
            raise blocked(OUT_OF_TIME, f"the run reached its limit of {self._limits.total_s:g} s")

    def make(self, call: Callable[[], Any], late: Callable[[Answer, int], None]) -> Made:
        """Make a call and wait for it; ``late`` gets an answer that comes afterwards, and its age in milliseconds."""
        begun = self.watch.read()
        began = self._clock.monotonic()
        job = self._worker.start(self._dispatcher.carry(call))
        deadline = min(begun + self._limits.step_timeout_s, self._limits.total_s)
        try:
            stopped = self._wait(job, deadline)
        finally:
            answer = job.answer or self._abandon(job, late, began)
        took = self.watch.read() - begun
        return Made(answer, round(took * 1000), stopped, deadline - begun)

    def pause(self, seconds: float) -> bool:
        """Wait before a retry; False when the user stopped or the time is up, so that there is none."""
        self._sleep(seconds)
        return not self._dispatcher.stopped() and self.watch.read() < self._limits.total_s

    def close(self) -> None:
        """Give the worker back; one that was abandoned ends by itself."""
        if self._usable:
            self._workers.give_back(self._worker)

    def _wait(self, job: Job, deadline: float) -> bool:
        """Wait for the answer, the deadline, or the end of the grace after a stop; tell whether there was a stop."""
        stop_at: float | None = None
        while not job.wait(self._limits.poll_s):
            now = self.watch.read()
            if stop_at is None and self._dispatcher.stopped():
                stop_at = now + self._limits.stop_grace_s
            if now >= (deadline if stop_at is None else min(deadline, stop_at)):
                break
        return stop_at is not None

    def _abandon(self, job: Job, late: Callable[[Answer, int], None], began: float) -> Answer | None:
        hand_on: LateAnswer = lambda answer: late(answer, round((self._clock.monotonic() - began) * 1000))  # noqa: E731
        answer = job.abandon(hand_on)
        self._usable = answer is not None
        return answer
