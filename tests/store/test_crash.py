"""Processes that are killed at any moment lose nothing they acknowledged, and double nothing."""

import random
import time

import pytest

from kata.store import open_store
from tests.store.crew import Crew

KINDS = ("decide", "observe", "drain_on")


@pytest.fixture
def crew(tmp_path):
    crew = Crew(tmp_path)
    yield crew
    crew.dismiss()


def stored_of(store, worker):
    stream, field = ("kata", "note") if worker.kind == "decide" else ("session", "reason")
    return [int(getattr(event.payload, field)) for event in store.log.read_stream(f"{stream}/{worker.name}")]


def kill_at_random(crew, kills, seed):
    """Keep three processes at work and kill one after another, most of them in the midst of it."""
    chance = random.Random(seed)
    alive = [crew.start(kind, f"{kind}-{number}") for number, kind in enumerate(KINDS)]
    for number in range(kills):
        victim = alive.pop(chance.randrange(len(alive)))
        if chance.random() < 0.9:
            victim.wait_until_at_work()
        time.sleep(chance.uniform(0.0, 0.06))
        victim.kill()
        alive.append(crew.start(victim.kind, f"{victim.kind}-{number + len(KINDS)}"))
    assert crew.dismiss() == ""


def check_what_is_left(crew):
    """Compare the log with what each process had acknowledged; return how much that was."""
    store = open_store(crew.folder)
    while store.drain(seconds=60).left:
        pass
    store.verify()
    acknowledged = 0
    for worker in crew.workers:
        if worker.kind != "drain_on":
            stored, said = stored_of(store, worker), len(worker.said())
            assert stored == list(range(len(stored)))
            assert said <= len(stored) <= said + 1
            acknowledged += said
    events = [event.event_id for event in store.log.read()]
    assert len(events) == len(set(events))
    assert list(store.log.read(types=["observations.lost"])) == []
    assert list(store.spool.folder.glob("*.jsonl")) == []
    store.close()
    return acknowledged


def test_kills_at_random_moments_lose_and_double_nothing(crew):
    kill_at_random(crew, kills=100, seed=1)
    assert check_what_is_left(crew) > 100


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(2, 12))
def test_a_thousand_kills_at_random_moments_lose_and_double_nothing(crew, seed):
    kill_at_random(crew, kills=100, seed=seed)
    assert check_what_is_left(crew) > 100
