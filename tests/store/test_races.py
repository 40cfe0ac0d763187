"""Many processes, one log: exactly one winner each time, and nobody is starved."""

import subprocess
import sys
from collections import Counter

import pytest

from kata.store import open_store


def start(*words):
    return subprocess.Popen(
        [sys.executable, "-m", "tests.store.workers", *map(str, words)], stdout=subprocess.PIPE, text=True
    )


def race(folder, processes, rounds):
    racers = [start("race", folder, number, rounds) for number in range(processes)]
    wins = [racer.communicate(timeout=3000)[0].split() for racer in racers]
    assert [racer.returncode for racer in racers] == [0] * processes
    store = open_store(folder)
    stored = Counter(event.payload.note for event in store.log.read())
    assert store.verify().count == rounds
    store.close()
    assert sorted(int(win) for one in wins for win in one) == list(range(1, rounds + 1))
    assert stored == Counter({str(number): len(one) for number, one in enumerate(wins) if one})


def test_of_several_processes_that_decide_at_once_exactly_one_wins_each_round(tmp_path):
    race(tmp_path, processes=4, rounds=120)


@pytest.mark.deep
def test_of_eight_processes_exactly_one_wins_each_of_ten_thousand_rounds(tmp_path):
    race(tmp_path, processes=8, rounds=10_000)


def test_processes_that_make_the_tables_at_once_make_them_once(tmp_path):
    race(tmp_path, processes=6, rounds=6)
