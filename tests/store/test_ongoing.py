"""The same run goes on once at a time, in one process and in many; no file of it stays behind."""

import errno
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from kata.clock import ManualClock
from kata.store import ongoing
from kata.store.ongoing import GoingOnError, Ongoing


@pytest.fixture
def runs(tmp_path):
    return Ongoing(tmp_path / "ongoing", ManualClock())


def files(runs):
    return sorted(runs.folder.iterdir()) if runs.folder.exists() else []


def test_the_same_run_is_refused_and_told_since_when_it_goes_on(runs):
    told = "started at 2026-01-01 09:00:00 UTC"
    with runs.alone("a"), pytest.raises(GoingOnError, match=told) as found, runs.alone("a"):
        pass
    assert found.value.since == ManualClock().now()


def test_another_run_goes_on_beside_it(runs):
    with runs.alone("a"), runs.alone("b"):
        assert len(files(runs)) == 2


def test_it_may_be_tried_again_once_it_is_over(runs):
    for _ in range(3):
        with runs.alone("a"):
            assert len(files(runs)) == 1
        assert files(runs) == []


def test_also_after_one_that_raised(runs):
    with pytest.raises(ZeroDivisionError), runs.alone("a"):
        _ = 1 / 0
    with runs.alone("a"):
        pass


def test_of_many_threads_one_is_let_in(runs):
    barrier, let_in, refused = threading.Barrier(8), [], []
    all_tried = threading.Event()

    def enter(number):
        barrier.wait()
        try:
            with runs.alone("a"):
                let_in.append(number)
                all_tried.wait(30)
        except GoingOnError:
            refused.append(number)

    threads = [threading.Thread(target=enter, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + 30
    while len(let_in) + len(refused) < 8 and time.monotonic() < deadline:
        time.sleep(0.005)
    all_tried.set()
    for thread in threads:
        thread.join()
    assert (len(let_in), len(refused)) == (1, 7)
    assert files(runs) == []


def test_no_two_are_ever_inside_however_often_it_changes_hands(runs):
    inside, worst, entered = [], [], []

    def enter():
        for _ in range(200):
            try:
                with runs.alone("a"):
                    inside.append(1)
                    worst.append(len(inside))
                    inside.pop()
                    entered.append(1)
            except GoingOnError:
                pass

    threads = [threading.Thread(target=enter) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(worst) == 1
    assert entered


HOLD = """
import sys, time
from pathlib import Path
from kata.clock import SystemClock
from kata.store.ongoing import Ongoing
with Ongoing(Path(sys.argv[1]), SystemClock()).alone("a"):
    print("in", flush=True)
    time.sleep(60)
"""


def test_a_run_whose_process_was_killed_stands_in_nobodys_way(runs):
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(runs.folder)], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout.readline() == "in\n"
    with pytest.raises(GoingOnError), runs.alone("a"):
        pass
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait(30)
    holder.stdout.close()
    assert len(files(runs)) == 1
    with runs.alone("a"):
        pass
    assert files(runs) == []


def test_what_dead_processes_left_is_deleted_in_time_and_what_is_held_is_not(runs):
    runs.folder.mkdir()
    left, young = runs.folder / "left.lock", runs.folder / "young.lock"
    left.touch()
    young.touch()
    long_ago = time.time() - 2 * 3600
    os.utime(left, (long_ago, long_ago))
    with runs.alone("held"):
        [held] = set(files(runs)) - {left, young}
        os.utime(held, (long_ago, long_ago))
        with runs.alone("a"):
            pass
        assert files(runs) == sorted([held, young])


def test_where_files_cannot_be_locked_every_run_may_begin(runs, monkeypatch):
    def unsupported(descriptor):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(ongoing, "lock_now", unsupported)
    with runs.alone("a"), runs.alone("a"):
        pass


def test_where_no_file_can_be_made_every_run_may_begin(tmp_path):
    (tmp_path / "file").touch()
    runs = Ongoing(tmp_path / "file" / "ongoing", ManualClock())
    with runs.alone("a"), runs.alone("a"):
        pass
