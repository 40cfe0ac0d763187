"""One reused thread that makes the calls of a run, so that a step can have a time limit (design 8).

A thread cannot be killed. After a time-out it is abandoned: it ends by itself when the tool returns at last, and hands that
late answer on. Idle threads end after `IDLE_S`.
"""

import threading
from collections.abc import Callable
from contextvars import copy_context
from queue import Empty, SimpleQueue
from typing import Any

import attrs

IDLE_S = 60.0
THREAD_NAME = "kata-step"


@attrs.frozen
class Answer:
    """What a call came back with: a value, or what it raised."""

    value: Any = None
    raised: BaseException | None = None


LateAnswer = Callable[[Answer], None]


class Job:
    """One call on the worker: wait for its answer, or leave it to answer late."""

    def __init__(self, call: Callable[[], Any]) -> None:
        self._call = call
        self._context = copy_context()
        self._lock = threading.Lock()
        self._done = threading.Lock()
        self._done.acquire()
        self._late: LateAnswer | None = None
        self.answer: Answer | None = None

    def wait(self, seconds: float) -> bool:
        """Wait at most that long; tell whether the answer is there."""
        return self.answer is not None or self._done.acquire(timeout=seconds) or self.answer is not None

    def abandon(self, late: LateAnswer) -> Answer | None:
        """Give up waiting: return the answer if it came just now, else have ``late`` called with it some day."""
        with self._lock:
            if self.answer is None:
                self._late = late
            return self.answer

    def run(self) -> bool:
        """Make the call in the context of whoever asked; tell whether somebody still waited for it."""
        try:
            answer = Answer(self._context.run(self._call))
        except BaseException as error:
            answer = Answer(raised=error)
        with self._lock:
            self.answer = answer
            late = self._late
        self._done.release()
        if late is not None:
            late(answer)
        return late is None


class Workers:
    """Hands out one worker thread to each run, and keeps it for the next one. Safe to share between threads."""

    def __init__(self, idle_s: float = IDLE_S) -> None:
        self._idle_s = idle_s
        self._lock = threading.Lock()
        self._idle: list[Worker] = []

    def take(self) -> "Worker":
        """Return an idle worker, or a new one."""
        with self._lock:
            while self._idle:
                worker = self._idle.pop()
                if worker.alive():
                    return worker
        return Worker(self._retire, self._idle_s)

    def give_back(self, worker: "Worker") -> None:
        """Keep a worker whose last job was answered in time."""
        with self._lock:
            self._idle.append(worker)

    def close(self) -> None:
        """Let every idle thread end; workers of running runs end once they are idle."""
        with self._lock:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.stop()

    def _retire(self, worker: "Worker") -> bool:
        """Take a worker that was idle for long off the list; False when a run has just taken it."""
        with self._lock:
            if worker not in self._idle:
                return False
            self._idle.remove(worker)
            return True


class Worker:
    """One daemon thread and its inbox."""

    def __init__(self, retire: "Callable[[Worker], bool]", idle_s: float) -> None:
        self._inbox: SimpleQueue[Job | None] = SimpleQueue()
        self._retire = retire
        self._idle_s = idle_s
        self._thread = threading.Thread(target=self._serve, name=THREAD_NAME, daemon=True)
        self._thread.start()

    def alive(self) -> bool:
        """Tell whether the thread runs (it does not in a forked child)."""
        return self._thread.is_alive()

    def start(self, call: Callable[[], Any]) -> Job:
        """Begin a call with the caller's context variables."""
        job = Job(call)
        self._inbox.put(job)
        return job

    def stop(self) -> None:
        """Let the thread end once its inbox is empty."""
        self._inbox.put(None)

    def _serve(self) -> None:
        while True:
            try:
                job = self._inbox.get(timeout=self._idle_s)
            except Empty:
                if self._retire(self):
                    return
                continue
            if job is None or not job.run():
                return
