"""A newer Kata wrote here: what it wrote is kept and shown as it is, moves no tool, and is there when it comes back (case B063)."""

import contextlib

import pytest

from kata.clock import SystemIds
from kata.errors import KataError, NewerKataError
from kata.events import catalogue as told
from kata.events.record import encode_new
from kata.executor.protocols import Caller
from kata.service.forgetview import Target
from kata.service.running import NotActiveError
from kata.store.connect import connect
from tests.service.lab import AGENT, PERSON, SYSTEM, Lab, lock, order, ticket

NOTE = told.SessionReset(session_id="s9", old_session_id=None, reason="n")
FUTURE = b'{"kept":["b","a"],"note":"put away","until":null}'


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "kata"


@pytest.fixture
def opened(folder):
    labs = []

    def open_lab(**more):
        labs.append(Lab(folder, **more))
        return labs[-1]

    yield open_lab
    for lab in labs:
        lab.close()


def tell_from_the_future(lab, stream, type_name="kata.archived", schema=3):
    """Write an event as a newer Kata would; return its position."""
    told = lab.service.world.event(stream, NOTE, PERSON)
    record = encode_new(told)._replace(type=type_name, schema=schema, payload=FUTURE)
    with lab.store.log.transaction() as transaction:
        transaction.take([record])
    return lab.store.log.head().position


def stored(lab):
    return [row[:] for row in lab.store.log.rows()]


@pytest.fixture
def archived(opened):
    """Return a lab with two katas of which a newer Kata archived the first, and where it says so."""
    lab = opened()
    lab.approved()
    lab.approved("send_order", order)
    one = lab.service.registered()[0]
    position = tell_from_the_future(lab, one.stream)
    lab.service.refresh()
    return lab, one, position


def test_a_kata_that_a_newer_kata_archived_is_shown_so_and_its_tool_is_gone(archived):
    lab, one, _ = archived
    assert (lab.state(1), lab.state(2)) == ("archived", "active")
    assert [other.number for other in lab.service.registered()] == [2]
    with pytest.raises(NotActiveError, match="archived"):
        lab.service.begin_run(one, {"title": "bug 9"}, Caller())


@pytest.mark.parametrize("verb", ["enable", "disable", "reconsider", "reject"])
def test_nobody_decides_over_a_state_that_is_not_known_here(archived, verb):
    lab, _, position = archived
    with pytest.raises(KataError, match="archived"):
        getattr(lab.service.decisions, verb)("1", PERSON)
    assert lab.state(1) == "archived"
    assert [event.type for event in lab.store.log.read(position)] in ([], ["decision.refused"])


def test_it_is_in_the_trail_by_its_header_and_the_log_is_sound(archived):
    lab, _, position = archived
    told = next(row for row in lab.service.news(position - 1)[1] if row.position == position)
    assert (told.action, told.number) == ("kata.archived", 1)
    assert lab.service.verify().ok
    assert lab.service.replay(check=True).drift == ()


def test_the_same_routine_by_hand_proposes_nothing_beside_it(archived):
    lab, _, _ = archived
    lab.practise(ticket, start=50)
    assert lab.service.mine().proposed == ()
    assert lab.state(1) == "archived"


def test_what_this_kata_writes_afterwards_leaves_every_byte_before_it(archived, opened):
    lab, one, position = archived
    before = stored(lab)
    lab.service.decisions.disable("2", PERSON)
    lab.by_hand(ticket(99))
    lab.service.mine()
    lab.close()
    again = opened(tools={}, ids=SystemIds())
    assert stored(again)[: len(before)] == before
    assert list(again.store.log.rows())[position - 1].payload == FUTURE
    assert again.store.log.get([position])[position].payload.raw["note"] == "put away"
    assert [event.type for event in again.store.log.read_stream(one.stream)][-1] == "kata.archived"
    assert again.state(1) == "archived"


def test_an_event_of_an_unknown_type_on_any_stream_stops_nothing(opened):
    lab = opened()
    for stream in ("log", "session/s1", "run/r1", "thing/t1"):
        tell_from_the_future(lab, stream, "something.new")
    assert lab.approved() == 1
    assert lab.state(1) == "active"
    assert lab.service.replay(check=True).drift == ()


def test_a_newer_schema_is_read_alone_and_nothing_of_it_is_written(opened, folder):
    lab = opened()
    lab.approved()
    head = lab.store.log.head()
    lab.close()
    with connect(folder / "data.db") as connection:
        connection.execute("PRAGMA user_version=2")
    connection.close()
    newer = opened(tools={}, ids=SystemIds())
    assert newer.state(1) == "active"
    for change in (
        lambda: newer.service.decisions.disable("1", PERSON),
        lambda: newer.service.pause(PERSON, None),
        lambda: newer.by_hand(ticket(7)),
    ):
        with pytest.raises(NewerKataError, match="only read"):
            change()
    assert newer.store.log.head() == head
    event = newer.service.world.event("session/s9", NOTE, AGENT)
    assert newer.service.spool.append(event)
    assert newer.service.verify().ok
    assert newer.state(1) == "active"
    [warning] = newer.service.status().recording.warnings
    assert warning.endswith("it is only read: what is recorded waits for the newer Kata")


def test_what_was_spooled_meanwhile_is_taken_in_by_the_newer_kata(opened, folder):
    lab = opened()
    lab.close()
    with connect(folder / "data.db") as connection:
        connection.execute("PRAGMA user_version=2")
    old = opened(tools={}, ids=SystemIds())
    assert old.service.spool.append(old.service.world.event("session/s9", NOTE, AGENT))
    old.close()
    with connect(folder / "data.db") as connection:
        connection.execute("PRAGMA user_version=1")
    new = opened(tools={}, ids=SystemIds())
    assert new.store.drain().count == 1


@pytest.fixture
def branching(opened):
    """Return a lab whose first kata has an approved version with a kind of step that is not known here."""
    lab = opened()
    lab.approved()
    lab.approved("send_order", order)
    one = lab.service.registered()[0]
    known = next(e.payload for e in lab.store.log.read_stream(one.stream) if e.type == "kata.proposed")
    first, *rest = one.spec["steps"]
    revised = told.KataRevised(
        version=2,
        cause="evidence",
        changes=("step 1: branch",),
        spec={**one.spec, "steps": [{**first, "kind": "branch"}, *rest]},
        digest="f" * 64,
        scores=known.scores,
        baseline=known.baseline,
        evidence=known.evidence,
        notes=known.notes,
    )
    lab.add(one.stream, revised, SYSTEM)
    lab.add(one.stream, told.KataApproved(version=2, digest="f" * 64, name=one.name), PERSON)
    lab.service.refresh()
    return lab


def test_a_version_with_a_kind_from_the_future_needs_a_newer_kata_and_stops_nobody_else(branching):
    lab = branching
    rows = {row.number: row for row in lab.service.listing().katas}
    assert rows[1].detail == "needs a newer Kata"
    assert [one.number for one in lab.service.registered()] == [2]
    lab.practise(ticket, start=50)
    lab.practise(lock)
    assert [row.number for row in lab.service.mine().proposed] == [3]
    assert lab.service.review("2").digest
    assert lab.service.overview("cli")
    assert lab.service.status().active
    assert lab.service.stats()
    assert lab.service.doctor().sound
    assert lab.service.blame("2")
    lab.service.upkeep(SYSTEM.surface)
    assert lab.service.forget_preview(Target(text="customer 1"))
    lab.approve(3, "shut_out")
    assert lab.state(3) == "active"


@pytest.mark.parametrize("look", ["review", "export_kata", "why", "blame"])
def test_looking_at_it_says_so(branching, look):
    with contextlib.suppress(NewerKataError):
        assert getattr(branching.service, look)("1")


def test_it_can_be_turned_off_and_is_rolled_back_to_a_version_that_is_known(branching):
    branching.service.decisions.rollback("1", 1, PERSON)
    assert [one.number for one in branching.service.registered()] == [1, 2]
    branching.service.decisions.disable("1", PERSON)
    assert branching.state(1) == "disabled"
