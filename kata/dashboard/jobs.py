"""Looking for routines in a process of its own: started once, followed, cancelled (case B031)."""

import subprocess
import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import attrs

from ..clock import Clock, Ids
from ..errors import NotFoundError
from ..json import JsonError, JsonObject, JsonValue, dumps, loads
from ..process import command, environment

RUNNING, DONE, FAILED, CANCELLED = "running", "done", "failed", "cancelled"


class UnknownJobError(NotFoundError):
    """Say that there is no such job; jobs are forgotten when the server restarts."""

    code = "no_such_job"

    def __init__(self, job: str) -> None:
        super().__init__(f"there is no job {job!r}", hint="Start another: mine.")
        self.job = job


@attrs.frozen(kw_only=True)
class JobView:
    """One pass: ``running``, ``done``, ``failed`` or ``cancelled``; ``done`` of ``total`` steps are made."""

    job: str
    state: str
    done: int
    total: int
    started_at: datetime
    summary: JsonValue = None
    error: JsonValue = None


class Job:
    """A child at work, and what it told so far."""

    def __init__(self, view: JobView, process: subprocess.Popen[str], order: JsonObject) -> None:
        self._view, self._process = view, process
        self._lock = threading.Lock()
        threading.Thread(
            target=self._follow, args=(order,), daemon=True, name="kata-dashboard-mining"
        ).start()

    @property
    def view(self) -> JobView:
        """How it is now."""
        with self._lock:
            return self._view

    def cancel(self) -> JobView:
        """End the child; what it was about to write is not written."""
        self._change(lambda view: attrs.evolve(view, state=CANCELLED) if view.state == RUNNING else view)
        self._process.terminate()
        return self.view

    def _follow(self, order: JsonObject) -> None:
        with self._process as process:
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                process.stdin.write(dumps(order) + "\n")
                process.stdin.close()
            except OSError:
                pass
            for line in process.stdout:
                self._hear(line)
        lost = {"code": "mining_ended", "message": "the mining process ended early", "hint": "Try again."}
        self._change(
            lambda view: attrs.evolve(view, state=FAILED, error=lost) if view.state == RUNNING else view
        )

    def _hear(self, line: str) -> None:
        try:
            said = loads(line)
        except JsonError:
            return
        if "summary" in said:
            self._change(
                lambda view: attrs.evolve(view, state=DONE, summary=said["summary"], done=view.total)
            )
        elif "error" in said:
            self._change(lambda view: attrs.evolve(view, state=FAILED, error=said["error"]))
        else:
            self._change(lambda view: attrs.evolve(view, done=said["done"], total=said["total"]))

    def _change(self, change: Callable[[JobView], JobView]) -> None:
        with self._lock:
            self._view = change(self._view)


class Jobs:
    """The passes of each data folder: one runs at a time, the last one is remembered."""

    def __init__(
        self, clock: Clock, ids: Ids, command: Sequence[str] = tuple(command("dashboard.mining"))
    ) -> None:
        self._clock, self._ids, self._command = clock, ids, tuple(command)
        self._jobs: dict[Path, Job] = {}
        self._lock = threading.Lock()

    def start(self, folder: Path, order: JsonObject) -> JobView:
        """Start a pass, or return the one that runs."""
        with self._lock:
            job = self._jobs.get(folder)
            if job is None or job.view.state != RUNNING:
                job = self._jobs[folder] = self._begin(folder, order)
        return job.view

    def last(self, folder: Path) -> JobView | None:
        """Return the pass that runs, or the last one."""
        job = self._jobs.get(folder)
        return None if job is None else job.view

    def view(self, folder: Path, job: str) -> JobView:
        """Return one pass.

        Raises:
            UnknownJobError: it is not the last one of this folder.
        """
        return self._named(folder, job).view

    def cancel(self, folder: Path, job: str) -> JobView:
        """End a pass.

        Raises:
            UnknownJobError: it is not the last one of this folder.
        """
        return self._named(folder, job).cancel()

    def _named(self, folder: Path, job: str) -> Job:
        found = self._jobs.get(folder)
        if found is None or found.view.job != job:
            raise UnknownJobError(job)
        return found

    def _begin(self, folder: Path, order: JsonObject) -> Job:
        process = subprocess.Popen(
            [*self._command, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            env=environment(),
        )
        view = JobView(job=self._ids.new(), state=RUNNING, done=0, total=0, started_at=self._clock.now())
        return Job(view, process, order)
