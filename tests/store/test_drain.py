"""From the spool into the log: each record once, whoever drains and whatever lies between."""

import json
import sys
import threading

import pytest

from kata.errors import StoreError
from kata.events import Unreadable
from kata.events.catalogue import ObservationsLost
from kata.events.record import encode_new
from kata.store import Spool, StoreBusyError, drain, open_store, verify
from kata.store.drain import BATCH
from kata.store.segment import frame, list_segments


@pytest.fixture
def spool(tmp_path, make):
    spool = Spool(tmp_path / "spool", make.clock, make.ids)
    yield spool
    spool.close()


def ids(events):
    return [event.event_id for event in events]


def lost(log):
    return [event.payload for event in log.read() if isinstance(event.payload, ObservationsLost)]


def path_of(spool):
    return max(spool.folder.glob("*.jsonl"))


def meddle(spool, data):
    with path_of(spool).open("ab") as file:
        file.write(data)


def test_an_empty_or_missing_spool_is_nothing_to_do(log, tmp_path):
    assert drain(log, tmp_path / "none") == drain(log, tmp_path)
    assert drain(log, tmp_path).count == 0
    assert log.head().position == 0


def test_what_was_spooled_is_in_the_log_in_order_and_once(log, spool, make):
    events = [make.called(f"session/{number % 2}") for number in range(20)]
    for event in events:
        spool.append(event)
    assert drain(log, spool.folder).count == 20
    assert drain(log, spool.folder).count == 0
    assert ids(log.read()) == ids(events)
    assert [event.payload for event in log.read()] == [event.payload for event in events]
    assert verify(log).count == 20


def test_a_living_owners_segment_stays_and_is_drained_further(log, spool, make):
    spool.append(make.noted())
    drain(log, spool.folder)
    spool.append(make.noted())
    assert drain(log, spool.folder).count == 1
    assert len(list_segments(spool.folder)) == 1
    assert log.spool_offsets() == list_segments(spool.folder)


def test_a_finished_segment_is_deleted_once_it_is_wholly_drained(log, spool, make):
    spool.append(make.noted())
    spool.rotate()
    assert drain(log, spool.folder).count == 1
    assert list_segments(spool.folder) == {}
    spool.append(make.noted())
    drain(log, spool.folder)
    assert list(log.spool_offsets()) == [path_of(spool).name]


def test_segments_are_drained_in_the_order_they_were_begun(log, spool, make):
    events = []
    for _ in range(5):
        events.append(make.noted())
        spool.append(events[-1])
        spool.rotate()
    drain(log, spool.folder)
    assert ids(log.read()) == ids(events)


def test_a_batch_is_bounded_and_the_next_one_follows(log, spool, make):
    records = b"".join(frame(encode_new(make.noted())) for _ in range(2 * BATCH + 3))
    spool.append(make.noted())
    meddle(spool, records)
    assert drain(log, spool.folder, seconds=60).count == 2 * BATCH + 4


def test_a_drain_whose_time_is_up_says_that_something_is_left(log, spool, make):
    spool.append(make.noted())
    meddle(spool, b"".join(frame(encode_new(make.noted())) for _ in range(BATCH)))
    times = iter([0.0, 0.0, 0.0, 2.0])
    first = drain(log, spool.folder, seconds=1.0, now=lambda: next(times))
    assert (first.count, first.left) == (BATCH, True)
    second = drain(log, spool.folder)
    assert (second.count, second.left) == (1, False)


def test_a_record_that_is_still_being_written_is_left_for_later(log, spool, make):
    spool.append(make.noted())
    line = frame(encode_new(make.noted()))
    meddle(spool, line[:50])
    assert drain(log, spool.folder).count == 1
    assert lost(log) == []
    meddle(spool, line[50:])
    assert drain(log, spool.folder).count == 1


def test_a_record_torn_by_the_death_of_its_owner_is_set_aside_and_counted(log, spool, make):
    spool.append(make.noted())
    meddle(spool, frame(encode_new(make.noted()))[:50])
    spool.close()
    drained = drain(log, spool.folder)
    assert (drained.count, drained.set_aside) == (1, 1)
    assert lost(log) == [ObservationsLost(count=1, reason="torn", set_aside=lost(log)[0].set_aside)]
    assert list_segments(spool.folder) == {}


def test_bad_records_are_kept_with_their_reason_and_the_rest_goes_on(log, spool, make):
    good = [make.noted(), make.noted(), make.noted()]
    spool.append(good[0])
    line = frame(encode_new(make.noted(note="spoilt")))
    meddle(spool, b"garbage\n")
    meddle(spool, line.replace(b"spoilt", b"SPOILT"))
    meddle(
        spool,
        frame(
            encode_new(make.noted())._replace(payload=b'{"session_id":"s","old_session_id":null,"reason":7}')
        ),
    )
    meddle(spool, frame(encode_new(make.noted())._replace(payload=b"no JSON")))
    meddle(spool, frame(encode_new(make.noted())._replace(stream="")))
    meddle(spool, b"\n\n")
    spool.append(good[1])
    spool.append(good[2])
    drained = drain(log, spool.folder)
    assert (drained.count, drained.set_aside) == (3, 5)
    assert ids(log.read())[:3] == ids(good)
    (told,) = lost(log)
    assert told.count == 5
    assert told.reason == (
        "bad event (session.reset), bad event (session.reset.reason), bad event (stream), checksum, torn"
    )
    kept = [json.loads(one) for one in (spool.folder / "set-aside" / told.set_aside).read_text().splitlines()]
    assert [one["reason"] for one in kept][:2] == ["torn", "checksum"]
    assert kept[0]["raw"] == "garbage"


def test_a_whole_record_behind_a_torn_one_is_saved(log, spool, make):
    event = make.called()
    spool.append(make.noted())
    meddle(spool, b'["v1","0000')
    spool.append(event)
    drained = drain(log, spool.folder)
    assert (drained.count, drained.set_aside) == (2, 1)
    assert ids(log.read())[1] == event.event_id


def test_a_record_that_quotes_a_record_is_one_record(log, spool, make):
    quoting = make.called(text=frame(encode_new(make.noted())).decode())
    spool.append(quoting)
    assert drain(log, spool.folder).count == 1
    assert next(log.read()).payload == quoting.payload


def test_a_record_longer_than_one_read_is_taken_whole(log, spool, make):
    event = make.called(text="x" * 3_000_000)
    spool.append(make.noted())
    spool.append(event)
    spool.append(make.noted())
    assert drain(log, spool.folder, seconds=60).count == 3
    assert log.get([2])[2].payload == event.payload


def test_endless_garbage_is_set_aside_without_waiting_for_its_end(log, spool, make):
    spool.append(make.noted())
    meddle(spool, b"\0" * (9 << 20))
    drained = drain(log, spool.folder, seconds=60)
    assert (drained.count, drained.set_aside) == (1, 1)


def test_an_id_that_another_event_has_is_set_aside(log, spool, make):
    event = encode_new(make.noted())
    spool.append(make.noted())
    meddle(spool, frame(event) + frame(event) + frame(event._replace(stream="session/9")))
    drained = drain(log, spool.folder)
    assert (drained.count, drained.set_aside) == (2, 1)
    assert [one.reason for one in lost(log)] == ["id_conflict"]


def test_what_a_newer_kata_spooled_goes_through_unharmed(log, spool, make):
    record = encode_new(make.noted())._replace(type="hook.archived", schema=7, payload=b'{"b":1, "a":2}')
    spool.append(make.noted())
    meddle(spool, frame(record))
    assert drain(log, spool.folder).set_aside == 0
    assert list(log.rows())[1].payload == record.payload
    assert log.get([2])[2].payload == Unreadable(why="unknown_type", raw={"b": 1, "a": 2})


def test_records_drained_before_their_offset_was_lost_are_not_doubled(log, spool, make):
    for _ in range(5):
        spool.append(make.noted())
    drain(log, spool.folder)
    with log.transaction() as transaction:
        transaction.forget_spool_offsets(list(log.spool_offsets()))
    assert drain(log, spool.folder).count == 0
    assert log.head().position == 5


def test_a_segment_that_cannot_be_read_holds_up_no_other(log, spool, make, monkeypatch):
    spool.append(make.noted())
    spool.rotate()
    blocked = path_of(spool)
    spool.append(make.noted())
    opened = type(blocked).open

    def refuse(path, *args, **kwargs):
        if path == blocked:
            raise PermissionError(path)
        return opened(path, *args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(type(blocked), "open", refuse)
        assert drain(log, spool.folder).count == 1
    assert drain(log, spool.folder).count == 1


def test_a_log_that_is_busy_loses_nothing(log, spool, make):
    spool.append(make.noted())
    held, release = threading.Event(), threading.Event()

    def hold():
        with log.transaction():
            held.set()
            release.wait(5)

    thread = threading.Thread(daemon=True, target=hold)
    thread.start()
    held.wait(5)
    with pytest.raises(StoreBusyError):
        drain(log, spool.folder, seconds=0.05)
    release.set()
    thread.join()
    assert drain(log, spool.folder).count == 1


def test_an_idle_drain_takes_no_write_lock(log, spool, make, monkeypatch):
    spool.append(make.noted())
    drain(log, spool.folder)
    monkeypatch.setattr(type(log), "transaction", None)
    assert drain(log, spool.folder).count == 0


def test_bad_records_that_cannot_be_kept_are_counted_all_the_same(log, spool, make, monkeypatch):
    def fail(*args):
        raise OSError(28, "No space left on device")

    spool.append(make.noted())
    meddle(spool, b"garbage\n")
    monkeypatch.setattr(sys.modules["kata.store.drain"], "replace_file", fail)
    drained = drain(log, spool.folder)
    assert (drained.count, drained.set_aside) == (1, 1)
    assert lost(log) == [ObservationsLost(count=1, reason="torn", set_aside="")]


def test_a_spool_that_cannot_be_read_is_a_store_error(log, tmp_path):
    (tmp_path / "spool").write_text("no folder")
    with pytest.raises(StoreError, match="the spool cannot be read"):
        drain(log, tmp_path / "spool")


def test_an_actor_of_a_newer_kata_is_kept_as_it_is_written(log, spool, make):
    spool.append(make.noted())
    meddle(spool, frame(encode_new(make.noted())._replace(actor_kind="robot", actor_surface="api")))
    drain(log, spool.folder)
    actor = log.get([2])[2].actor
    assert (actor.kind.value, actor.id, actor.surface.value) == ("robot", "kata", "api")


def test_two_stores_in_one_process_share_a_folder(store, make):
    other = open_store(store.folder, clock=make.clock, ids=make.ids)
    for number in range(10):
        (store, other)[number % 2].spool.append(make.noted(f"session/{number % 2}"))
        (store, other)[number % 3 == 0].drain()
    store.drain()
    assert store.verify().count == other.log.head().position == 10
    other.close()


FORGED = {
    "an approval by a person": {"type": "kata.approved", "actor_kind": "human"},
    "an approval by Kata": {"type": "kata.approved", "actor_kind": "system"},
    "a decision of a newer Kata": {"type": "kata.blessed", "actor_kind": "system"},
    "an erasure": {"type": "history.forgotten", "actor_kind": "system"},
    "a restoration": {"type": "log.restored", "actor_kind": "system"},
    "evidence": {"type": "evidence.kept", "actor_kind": "system"},
    "a pause": {"type": "recording.paused", "actor_kind": "system"},
    "a consent to a repeat": {"type": "run.acknowledged", "actor_kind": "system"},
    "an observation by a person": {"type": "session.reset", "actor_kind": "human"},
    "an observation in a kata's stream": {"type": "session.reset", "stream": "kata/1"},
    "a notice that the person never saw": {
        "type": "notice.shown", "actor_kind": "system", "schema": 7, "payload": b'{"surface":"shell"}'
    },
}  # fmt: skip


@pytest.mark.parametrize("forged", FORGED.values(), ids=FORGED)
def test_no_decision_comes_by_the_spool(log, spool, make, forged):
    record = encode_new(make.noted())._replace(**{"schema": 7, "payload": b"{}", **forged})
    spool.append(make.noted())
    meddle(spool, frame(record))
    drained = drain(log, spool.folder)
    assert (drained.count, drained.set_aside) == (1, 1)
    assert [one.reason for one in lost(log)] == ["a decision cannot come by the spool"]
    assert [row.type for row in log.rows()] == ["session.reset", "observations.lost"]


def test_what_processes_spool_comes_in(log, spool, make):
    kinds = (
        "tool.returned",
        "turn.ended",
        "hook.observed",
        "step.finished",
        "run.finished",
        "decision.refused",
    )
    spool.append(make.noted())
    for kind in kinds:
        meddle(spool, frame(encode_new(make.noted())._replace(type=kind, schema=7, payload=b"{}")))
    assert drain(log, spool.folder).set_aside == 0
    assert [row.type for row in log.rows()][1:] == list(kinds)
