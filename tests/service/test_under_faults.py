"""A decision is made whole or not at all, whatever fails in the midst of it (cases B048, B056, B059)."""

import contextlib
import shutil
import sqlite3

import pytest

from kata.clock import SystemIds
from kata.errors import KataError
from kata.events.catalogue import RunOutcome
from kata.service import assemble
from kata.store import Patience, StoreFullError, open_store
from tests.service.lab import PERSON, Lab
from tests.store.test_faults import Faulty

EACH = 5
"""Every so-manieth statement fails; a step of its own for each way of failing meets all of them over time."""


@pytest.fixture(scope="module")
def waiting(tmp_path_factory):
    """Return a data folder in which a proposal waits."""
    folder = tmp_path_factory.mktemp("waiting") / "kata"
    lab = Lab(folder, ids=SystemIds())
    lab.proposed()
    lab.close()
    return folder


def faulty(path):
    return sqlite3.connect(path, factory=Faulty, isolation_level=None, check_same_thread=False)


def service_of(folder, connect=None):
    opened = None if connect is None else lambda: connect(folder / "data.db")
    return assemble(folder, store=open_store(folder, opened, patience=Patience(seconds=1.0)))


def approve(service):
    reviewed = service.review("1").digest
    return service.decisions.approve("1", PERSON, name="settle_bug", reviewed=reviewed, note="fine")


def arm(monkeypatch, at, after=False):
    for name, value in (("count", 0), ("fail_at", at), ("after", after)):
        monkeypatch.setattr(Faulty, name, value)


def statements(folder, monkeypatch):
    service = service_of(folder, faulty)
    service.refresh()
    arm(monkeypatch, 0)
    approve(service)
    service.close()
    return Faulty.count


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_an_approval_in_which_any_statement_fails_is_whole_or_none(waiting, tmp_path, monkeypatch, after):
    shutil.copytree(waiting, tmp_path / "count")
    count = statements(tmp_path / "count", monkeypatch)
    assert count > EACH
    states = []
    for at in range(1 + after, count + 1, EACH):
        folder = tmp_path / str(at)
        shutil.copytree(waiting, folder)
        service = service_of(folder, faulty)
        service.refresh()
        arm(monkeypatch, at, after)
        with contextlib.suppress(KataError, sqlite3.Error):
            approve(service)
        arm(monkeypatch, 0)
        service.close()
        states.append(state_after(folder))
        shutil.rmtree(folder)
    assert set(states) <= {"candidate", "active"}
    assert "candidate" in states


def state_after(folder):
    """Return the state that a new process finds, once it has seen that the decision is whole and the next one works."""
    service = service_of(folder)
    [row] = service.listing().katas
    told = [event for event in service.world.log.read() if event.type == "kata.approved"]
    assert len(told) == (row.state == "active")
    for event in told:
        assert (event.actor, event.payload.name, event.payload.note) == (PERSON, "settle_bug", "fine")
        assert event.payload.digest == service.registered()[0].digest
    assert service.verify().ok
    assert service.replay(check=True).drift == ()
    if row.state == "candidate":
        assert approve(service)
    service.close()
    return row.state


def test_on_a_full_disk_an_approval_fails_as_a_whole_and_succeeds_once_there_is_room(waiting, tmp_path):
    folder = tmp_path / "kata"
    shutil.copytree(waiting, folder)
    limit = [1]

    def opened(path):
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        connection.execute(f"PRAGMA max_page_count = {limit[0]}").fetchall()  # never less than there are
        return connection

    service = service_of(folder, opened)
    reviewed = service.review("1").digest
    long = "x" * 20_000
    with pytest.raises(StoreFullError):
        service.decisions.approve("1", PERSON, name="settle_bug", reviewed=reviewed, note=long)
    assert service.listing().katas[0].state == "candidate"
    assert [event.type for event in service.world.log.read(types=("kata.approved",))] == []
    service.close()
    limit[0] = 100_000
    service = service_of(folder, opened)
    service.decisions.approve("1", PERSON, name="settle_bug", reviewed=reviewed, note=long)
    assert service.listing().katas[0].state == "active"
    assert service.verify().ok
    service.close()


def test_a_disable_that_comes_between_takes_effect_and_the_suspension_gives_way(lab, monkeypatch):
    number = lab.approved()
    for _ in range(2):
        lab.ran(number, RunOutcome.FAILED)
    other = assemble(lab.folder, clock=lab.clock, ids=lab.ids)
    running, found = lab.service._running, lab.reads.failed_in_a_row

    def interrupted(kata):
        runs = found(kata)
        if len(runs) == 3:
            other.decisions.disable(str(number), PERSON)
        return runs

    monkeypatch.setattr(running._reads, "failed_in_a_row", interrupted)
    lab.ran(number, RunOutcome.FAILED)
    monkeypatch.undo()
    assert lab.state(number) == "disabled"
    assert [event.type for event in lab.store.log.read(types=("kata.disabled", "kata.suspended"))] == [
        "kata.disabled"
    ]
    lab.service.decisions.enable(str(number), PERSON)
    assert (lab.state(number), len(lab.service.registered())) == ("active", 1)
    other.close()


def test_an_interrupt_in_the_midst_of_a_decision_wedges_nothing(lab, monkeypatch):
    number = str(lab.approved())

    def interrupt(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(type(lab.store.log), "_now", interrupt)
        with pytest.raises(KeyboardInterrupt):
            lab.service.decisions.disable(number, PERSON)
    assert lab.state(int(number)) == "active"
    lab.service.decisions.disable(number, PERSON)
    assert lab.state(int(number)) == "disabled"
