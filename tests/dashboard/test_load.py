"""While Kata looks for routines in a long history, the tab stays as quick as it was (case B031)."""

import itertools
import time
from pathlib import Path
from typing import Any

import pytest

from kata.clock import CountingIds, SystemClock
from kata.dashboard.jobs import Jobs
from tests.dashboard.conftest import Api
from tests.service.lab import Lab

pytestmark = pytest.mark.deep

EVENTS = 200_000
CALLS = 24
ASKED = 50
QUICK_S = 0.020
SLOWER = 3


@pytest.fixture
def long_history(tmp_path: Path) -> Any:
    """Write a history of this many events, most of it without anything that recurs."""
    lab = Lab(tmp_path / "kata")
    write, numbers = lab.write, itertools.count()
    while lab.service.world.log.head().position < EVENTS:
        lab.write = lambda: None  # type: ignore[method-assign] – many conversations in one transaction
        for conversation in itertools.islice(numbers, 100):
            lab.by_hand([_call(conversation, at) for at in range(CALLS)], f"long{conversation}")
        lab.write = write  # type: ignore[method-assign]
        lab.write()
    while lab.service.call_count() < (EVENTS // (2 * CALLS + 2)) * CALLS * 0.9:
        lab.service.refresh()
    yield lab
    lab.close()


def _call(conversation: int, at: int) -> Any:
    tool = ("find_user", "find_order", "find_ticket")[at % 3]
    return tool, {"mail": f"{conversation}-{at}"}, {"at": at}


def p95(api: Api) -> float:
    times = []
    for _ in range(ASKED):
        began = time.perf_counter()
        assert api.get("overview").status_code == 200
        times.append(time.perf_counter() - began)
    return sorted(times)[int(ASKED * 0.95)]


def test_the_overview_stays_quick_and_appends_never_fail_while_mining_runs(long_history):
    api = Api(long_history, Jobs(SystemClock(), CountingIds()))
    idle = p95(api)
    job = api.post("mine").json()["data"]["job"]
    assert api.post("mine").json()["data"]["job"] == job
    busy = p95(api)
    long_history.by_hand([("find_user", {"mail": "x"}, {})], "meanwhile")
    state = api.data(f"mine/{job}")["state"]
    api.post(f"mine/{job}/cancel")
    print(f"p95 of GET overview: idle {idle * 1000:.1f} ms, while mining ({state}) {busy * 1000:.1f} ms")
    assert busy < max(SLOWER * idle, QUICK_S)
