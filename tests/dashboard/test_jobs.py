"""Looking for routines from the dashboard: in a process of its own, followed, one at a time, cancelled."""

import sys
import time
from collections.abc import Callable

import pytest

from kata.clock import CountingIds, SystemClock
from kata.dashboard.jobs import Jobs, UnknownJobError
from tests.dashboard.conftest import Api
from tests.service.lab import ticket

ORDER = {"profile": "default", "settings": {}}
WAITS = """
import sys, time
sys.stdin.readline()
print('{"done": 2, "total": 8}', flush=True)
time.sleep(60)
"""
ENDS = "input()"
CHATTERS = """
input()
print("no json")
print('{"error": {"code": "already_mining", "message": "busy", "hint": "later"}}')
"""


def wait(until: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture
def start(tmp_path):
    """Make jobs whose child is a script."""
    made = []

    def make(script: str) -> Jobs:
        jobs = Jobs(SystemClock(), CountingIds(), command=(sys.executable, "-c", script))
        made.append(jobs)
        return jobs

    yield make
    for jobs in made:
        last = jobs.last(tmp_path)
        if last is not None:
            jobs.cancel(tmp_path, last.job)


def test_its_progress_is_told_while_it_runs(start, tmp_path):
    jobs = start(WAITS)
    job = jobs.start(tmp_path, ORDER)
    assert (job.state, job.done, job.total) == ("running", 0, 0)
    wait(lambda: jobs.view(tmp_path, job.job).total)
    assert (jobs.view(tmp_path, job.job).done, jobs.view(tmp_path, job.job).total) == (2, 8)


def test_a_second_start_returns_the_one_that_runs(start, tmp_path):
    jobs = start(WAITS)
    assert jobs.start(tmp_path, ORDER).job == jobs.start(tmp_path, ORDER).job


def test_cancelled_is_cancelled(start, tmp_path):
    jobs = start(WAITS)
    job = jobs.start(tmp_path, ORDER)
    assert jobs.cancel(tmp_path, job.job).state == "cancelled"
    assert jobs.start(tmp_path, ORDER).job != job.job


def test_a_child_that_ends_without_a_word_has_failed(start, tmp_path):
    jobs = start(ENDS)
    job = jobs.start(tmp_path, ORDER)
    wait(lambda: jobs.view(tmp_path, job.job).state != "running")
    assert jobs.view(tmp_path, job.job).error["code"] == "mining_ended"


def test_what_the_child_refuses_is_told(start, tmp_path):
    jobs = start(CHATTERS)
    job = jobs.start(tmp_path, ORDER)
    wait(lambda: jobs.view(tmp_path, job.job).state != "running")
    assert (jobs.last(tmp_path).state, jobs.last(tmp_path).error["code"]) == ("failed", "already_mining")


def test_another_job_is_unknown(start, tmp_path):
    jobs = start(WAITS)
    assert jobs.last(tmp_path) is None
    jobs.start(tmp_path, ORDER)
    with pytest.raises(UnknownJobError):
        jobs.view(tmp_path, "other")


def test_the_real_child_finds_what_is_there(lab):
    api = Api(lab, Jobs(SystemClock(), CountingIds()))
    lab.practise(ticket)
    lab.service.refresh()
    found = api.post("mine")
    assert found.status_code == 202
    job = found.json()["data"]["job"]
    wait(lambda: api.data(f"mine/{job}")["state"] != "running")
    ended = api.data("mine")
    assert (ended["state"], ended["error"]) == ("done", None)
    assert [row["state"] for row in ended["summary"]["proposed"]] == ["candidate"]
    assert len(api.data("overview")["needs_you"]) == 1


def test_a_cancelled_child_leaves_nothing_half_done(lab):
    api = Api(lab, Jobs(SystemClock(), CountingIds()))
    lab.practise(ticket)
    job = api.post("mine").json()["data"]["job"]
    assert api.post(f"mine/{job}/cancel").json()["data"]["state"] == "cancelled"
    assert lab.service.verify().ok
    assert len(lab.service.mine().proposed) <= 1
