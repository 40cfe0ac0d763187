"""Processes that are killed at any moment lose nothing they acknowledged, and double nothing."""

import random
import subprocess
import sys
import threading
import time

import pytest

from kata.store import open_store

NAMES = ("decide", "observe", "drain_on")


class Victim:
    """A process that is killed after a while, and what it had acknowledged until then."""

    def __init__(self, folder, kind, name):
        self.kind, self.name = kind, name
        words = [kind, folder] + ([name] if kind != "drain_on" else [])
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.store.workers", *map(str, words)], stdout=subprocess.PIPE, text=True
        )
        self.said = []
        self.reader = threading.Thread(target=lambda: self.said.extend(self.process.stdout))
        self.reader.start()

    def wait_until_at_work(self, seconds=10):
        deadline = time.monotonic() + seconds
        while not self.said and time.monotonic() < deadline:
            time.sleep(0.01)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()

    @property
    def acknowledged(self):
        return int(self.said[-1]) if self.said else 0


def stored_of(store, victim):
    stream = f"{'kata' if victim.kind == 'decide' else 'session'}/{victim.name}"
    return [int(event.payload.note) for event in store.log.read_stream(stream)]


def kill_and_check(folder, kills, seed):
    """Keep three processes at work, kill one at a time at random, and compare with what each acknowledged."""
    chance = random.Random(seed)
    victims = [Victim(folder, kind, f"{kind}-{number}") for number, kind in enumerate(NAMES)]
    dead = []
    for number in range(kills):
        victim = victims.pop(chance.randrange(len(victims)))
        if chance.random() < 0.8:
            victim.wait_until_at_work()
        time.sleep(chance.uniform(0.0, 0.1))
        victim.kill()
        dead.append(victim)
        victims.append(Victim(folder, victim.kind, f"{victim.kind}-{number + len(NAMES)}"))
    for victim in victims:
        victim.kill()
    store = open_store(folder)
    while store.drain(seconds=60).left:
        pass
    store.verify()
    for victim in dead + victims:
        if victim.kind == "drain_on":
            continue
        stored = stored_of(store, victim)
        assert stored == list(range(len(stored)))
        assert len(stored) >= victim.acknowledged
        assert len(stored) - victim.acknowledged <= 1
    assert list(store.log.read(types=["observations.lost"])) == []
    events = [event.event_id for event in store.log.read()]
    assert len(events) == len(set(events))
    assert list(store.spool.folder.glob("*.jsonl")) == []
    store.close()
    return sum(victim.acknowledged for victim in dead if victim.kind != "drain_on")


def test_kills_at_random_moments_lose_and_double_nothing(tmp_path):
    assert kill_and_check(tmp_path, kills=12, seed=1) > 0


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(10))
def test_a_thousand_kills_at_random_moments_lose_and_double_nothing(tmp_path, seed):
    assert kill_and_check(tmp_path, kills=100, seed=seed) > 0
