"""A run begins only when everything that earlier runs wrote is known: one of them may have done this already (case B025)."""

import contextlib
import sqlite3
import sys

import pytest

from kata.events import catalogue as told
from kata.executor import fingerprint_of
from kata.executor.protocols import Caller
from kata.store import StoreBusyError
from tests.service.lab import AGENT

ASSEMBLING = sys.modules["kata.service.assemble"]
ARGUMENTS = {"title": "bug 9"}


@pytest.fixture
def one(lab, monkeypatch):
    monkeypatch.setattr(ASSEMBLING, "TAKE_ALL_S", 0.2)
    monkeypatch.setattr(ASSEMBLING, "DRAIN_S", 0.1)
    lab.approved()
    return lab.service.registered()[0]


def die_in_the_last_step(lab, one):
    """Spool what a run writes whose process is killed between intent and result; return the run's id."""
    run_id = lab.ids.new()
    started = told.RunStarted(
        run_id=run_id,
        kata=one.stream,
        number=one.number,
        name=one.name,
        version=one.version,
        digest=one.digest,
        inputs=ARGUMENTS,
        inputs_fingerprint=fingerprint_of(lab.service.world.keeper, ARGUMENTS),
        session_id="s",
        task_id="t",
        steps=3,
    )
    meant = told.StepStarted(
        run_id=run_id,
        index=1,
        step=3,
        attempt=1,
        tool="close_ticket",
        effect="external",
        args={"id": "T-00009", "state": "closed"},
    )
    for payload in (started, meant):
        lab.service.spool.write(lab.service.world.event(f"run/{run_id}", payload, AGENT))
    return run_id


@contextlib.contextmanager
def held_by_another(lab):
    with contextlib.closing(sqlite3.connect(lab.folder / "data.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def test_a_run_that_died_is_known_although_only_the_spool_holds_it(lab, one):
    died = die_in_the_last_step(lab, one)
    assert lab.service.begin_run(one, ARGUMENTS, Caller()).unacknowledged == died
    assert lab.service.begin_run(one, {"title": "bug 10"}, Caller()).unacknowledged is None


def test_while_the_log_is_held_elsewhere_nothing_begins(lab, one):
    died = die_in_the_last_step(lab, one)
    with held_by_another(lab), pytest.raises(StoreBusyError):
        lab.service.begin_run(one, ARGUMENTS, Caller())
    assert lab.service.begin_run(one, ARGUMENTS, Caller()).unacknowledged == died


def test_nor_while_more_is_spooled_than_can_be_taken_in(lab, one, monkeypatch):
    die_in_the_last_step(lab, one)
    monkeypatch.setattr(ASSEMBLING, "TAKE_ALL_S", 0.0)
    with pytest.raises(StoreBusyError):
        lab.service.begin_run(one, ARGUMENTS, Caller())


def test_looking_goes_on_with_what_is_there(lab, one):
    die_in_the_last_step(lab, one)
    with held_by_another(lab):
        assert lab.service.listing().katas[0].state == "active"
    assert [row.outcome for row in lab.service.runs()] != ["succeeded"]
