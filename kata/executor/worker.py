"""The thread that does a run while the caller's thread watches it, so that a step can have a time limit (design 8).

It is reused from run to run. A thread cannot be killed: one whose call did not come back in time is abandoned, and ends by
itself when it does. Idle threads end after `IDLE_S`.
"""

import threading
from collections.abc import Callable
from contextvars import copy_context
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

IDLE_S = 60.0
THREAD_NAME = "kata-run"


class Answer(NamedTuple):
    """What a call came back with: a value, or what it raised."""

    value: Any = None
    raised: BaseException | None = None


def answer_of(call: Callable[..., Any], *args: Any) -> Answer:
    """Make a call; whatever it raises is its answer."""
    try:
        return Answer(call(*args))
    except BaseException as error:
        return Answer(raised=error)


class Job:
    """One piece of work on the worker, done in the context of whoever asked for it."""

    def __init__(self, call: Callable[[], Any]) -> None:
        self._call = call
        self._context = copy_context()
        self._done = threading.Event()
        self.answer: Answer | None = None

    def wait(self, seconds: float) -> bool:
        """Wait at most that long; tell whether it is done."""
        return self._done.wait(seconds)

    def run(self) -> None:
        """Do the work."""
        self.answer = answer_of(self._context.run, self._call)
        self._done.set()


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
        """Keep a worker for the next run; one that is still busy ends after its work."""
        if worker.busy():
            worker.stop()
            return
        with self._lock:
            self._idle.append(worker)

    def close(self) -> None:
        """Let every idle thread end; those of running runs end once they are idle."""
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
        self._job: Job | None = None
        self._thread = threading.Thread(target=self._serve, name=THREAD_NAME, daemon=True)
        self._thread.start()

    def alive(self) -> bool:
        """Tell whether the thread runs (it does not in a forked child)."""
        return self._thread.is_alive()

    def busy(self) -> bool:
        """Tell whether its last work is not done yet."""
        return self._job is not None and self._job.answer is None

    def start(self, call: Callable[[], Any]) -> Job:
        """Begin a piece of work with the caller's context variables."""
        job = self._job = Job(call)
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
            if job is None:
                return
            job.run()
