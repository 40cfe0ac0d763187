"""Many processes, one log: exactly one winner each time, and no gap or twin in the sequence."""

from collections import Counter

import pytest

from kata.store import open_store
from tests.store.crew import Crew


@pytest.fixture
def crew(tmp_path):
    crew = Crew(tmp_path)
    yield crew
    crew.dismiss()


def race(crew, processes, rounds):
    racers = [crew.start("race", str(number), rounds) for number in range(processes)]
    for racer in racers:
        racer.wait_until_done(60 + rounds * 0.3)
    assert crew.dismiss() == ""
    wins = {racer.name: racer.said() for racer in racers}
    store = open_store(crew.folder)
    stored = Counter(event.payload.note for event in store.log.read())
    assert store.verify().count == rounds
    store.close()
    assert sorted(win for one in wins.values() for win in one) == list(range(1, rounds + 1))
    assert stored == Counter({name: len(one) for name, one in wins.items() if one})


def test_of_eight_processes_that_decide_at_once_exactly_one_wins_each_round(crew):
    race(crew, processes=8, rounds=1_000)


@pytest.mark.deep
def test_of_eight_processes_exactly_one_wins_each_of_ten_thousand_rounds(crew):
    race(crew, processes=8, rounds=10_000)


@pytest.mark.parametrize("attempt", range(5))
def test_processes_that_make_the_tables_at_once_make_them_once(crew, attempt):
    race(crew, processes=6, rounds=6)
