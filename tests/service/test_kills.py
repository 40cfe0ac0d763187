"""Processes that decide, project, mine and run are killed at any moment: nothing acknowledged is lost, nothing done twice."""

import random
import time
from collections import Counter
from pathlib import Path

import pytest

from kata.clock import SystemIds
from kata.events.catalogue import StepStarted
from tests.service.lab import Lab
from tests.service.workers import OUTBOX, service_of
from tests.store.crew import Crew

KINDS = ("use", "decide", "run")


@pytest.fixture
def crew(tmp_path):
    folder = tmp_path / "kata"
    lab = Lab(folder, ids=SystemIds())
    lab.approved()
    lab.close()
    crew = Crew(folder, "tests.service.workers")
    yield crew
    crew.dismiss()


def kill_at_random(crew: Crew, kills: int, seed: int) -> None:
    chance = random.Random(seed)
    alive = [crew.start(kind, f"{kind}-0") for kind in KINDS]
    for number in range(1, kills + 1):
        victim = alive.pop(chance.randrange(len(alive)))
        if chance.random() < 0.9:
            victim.wait_until_at_work()
        time.sleep(chance.uniform(0.0, 0.3))
        victim.kill()
        alive.append(crew.start(victim.kind, f"{victim.kind}-{number}"))
    assert crew.dismiss() == ""


def check(crew: Crew) -> None:
    service = service_of(crew.folder)
    service.refresh()
    while service._store.drain(seconds=60).left:
        pass
    events = list(service.world.log.read())
    assert service.verify().ok
    assert service.replay(check=True).drift == ()
    assert max(Counter(event.event_id for event in events).values()) == 1
    check_decisions(crew, events)
    check_effects(crew.folder.parent / OUTBOX, events)
    service.close()


def check_decisions(crew: Crew, events) -> None:
    """Each acknowledged decision is there once, in its order; of one that was under way at the kill both are right."""
    notes = [event.payload.note for event in events if event.type in ("kata.disabled", "kata.enabled")]
    for worker in crew.workers:
        if worker.kind == "decide":
            made = [note for note in notes if note.startswith(f"{worker.name} ")]
            assert made == [f"{worker.name} {number}" for number in range(1, len(made) + 1)]
            assert len(worker.said()) <= len(made) <= len(worker.said()) + 1


def check_effects(outbox: Path, events) -> None:
    """Each ticket was closed once at most, and never without its intent in the log."""
    done = outbox.read_text().split() if outbox.exists() else []
    assert len(done) == len(set(done))
    meant = {
        event.payload.args["id"]
        for event in events
        if isinstance(event.payload, StepStarted) and event.payload.tool == "close_ticket"
    }
    assert set(done) <= meant
    assert done


def test_kills_while_kata_decides_projects_mines_and_runs_lose_and_double_nothing(crew):
    kill_at_random(crew, kills=20, seed=1)
    check(crew)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(2, 7))
def test_hundreds_of_kills_while_kata_decides_projects_mines_and_runs(crew, seed):
    kill_at_random(crew, kills=60, seed=seed)
    check(crew)
