"""Processes at work on one folder, started and killed by tests."""

import contextlib
import os
import signal
import subprocess
import sys
import time


class Worker:
    """One process, and what it acknowledged."""

    def __init__(self, pid, kind, name, folder):
        self.pid, self.kind, self.name = pid, kind, name
        self._said = folder / "said" / name

    def said(self):
        """Return what it acknowledged so far, whole lines only."""
        if not self._said.exists():
            return []
        return [int(word) for word in self._said.read_text().rpartition("\n")[0].split()]

    def is_alive(self):
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        return True

    def wait(self, condition, seconds):
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, f"{self.name} took longer than {seconds} s"
            time.sleep(0.002)

    def wait_until_at_work(self):
        self.wait(lambda: self.said() or not self.is_alive(), 60)

    def wait_until_done(self, seconds):
        self.wait(lambda: not self.is_alive(), seconds)

    def kill(self):
        """Kill it; of one that died by itself, `Crew.dismiss` tells the reason."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        self.wait_until_done(60)


class Crew:
    """Starts workers; all of them end with it."""

    def __init__(self, folder, module="tests.store.workers"):
        self.folder = folder
        self.workers = []
        self._parent = subprocess.Popen(
            [sys.executable, "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def start(self, kind, name, *words):
        self._parent.stdin.write(" ".join([kind, str(self.folder), name, *map(str, words)]) + "\n")
        self._parent.stdin.flush()
        worker = Worker(int(self._parent.stdout.readline()), kind, name, self.folder)
        self.workers.append(worker)
        return worker

    def dismiss(self):
        """Kill whoever still works; return what was written to standard error."""
        for worker in self.workers:
            if worker.is_alive():
                worker.kill()
        _, complaints = self._parent.communicate(timeout=60)
        return complaints
