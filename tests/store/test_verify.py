"""Whatever is changed behind Kata's back is found, and its place named."""

import sqlite3

import pytest

from kata.events.catalogue import LogRestored
from kata.store import ChainBrokenError, FileAnchor, Head, Noted, StoreDamagedError, open_store, verify
from kata.store.rows import Row
from kata.store.verify import first_outside
from tests.store.support import tamper, update

COUNT = 6


@pytest.fixture
def full(store, make):
    store.log.append("kata/a", 0, [make.decided("kata/a", str(number)) for number in range(3)])
    with store.log.transaction() as transaction:
        transaction.add([make.called(), make.called()])
        transaction.erase(make.forgotten((4, 4)))
    store.spool.append(make.noted())
    store.drain()
    assert store.verify().count == COUNT + 1
    return store


def database(store):
    return store.folder / "data.db"


def cut(store, kept):
    tamper(
        database(store), *(f"DELETE FROM {table} WHERE position > {kept}" for table in ("events", "payloads"))
    )


OTHER = {
    "position": 99,
    "version": 9,
    "schema": 2,
    "payload": b'{"note":"forged"}',
    "occurred_at": "2026-01-01T09:00:01.000000Z",
    "recorded_at": "2026-01-01T09:00:01.000000Z",
}


@pytest.mark.parametrize("position", [1, 2, 3, 5, 6, 7])
@pytest.mark.parametrize("column", Row._fields)
def test_a_changed_column_is_found_and_its_position_named(full, column, position):
    value = OTHER.get(column, "forged")
    tamper(database(full), update(column, value, position))
    with pytest.raises((ChainBrokenError, StoreDamagedError)) as found:
        verify(full.log, full.anchor)
    assert found.value.position == position


@pytest.mark.parametrize("column", [name for name in Row._fields if name != "payload"])
def test_a_changed_column_of_an_erased_event_is_found(full, column):
    tamper(
        database(full), (f"UPDATE events SET {column} = ? WHERE position = 4", (OTHER.get(column, "forged"),))
    )
    with pytest.raises(ChainBrokenError) as found:
        verify(full.log, full.anchor)
    assert found.value.position == 4


@pytest.mark.parametrize(
    "column", [name for name in Row._fields if name not in ("position", "version", "schema")]
)
def test_bytes_that_are_no_text_are_found_and_their_position_named(full, column):
    statement, _ = update(column, None, 2)
    tamper(database(full), statement.replace("?", "CAST(x'ff41' AS TEXT)", 1).replace("?", "2"))
    with pytest.raises(ChainBrokenError) as found:
        verify(full.log, full.anchor)
    assert found.value.position == 2


def test_bytes_that_are_no_text_at_the_very_end_are_found(full):
    tamper(database(full), f"UPDATE events SET hash = CAST(x'ff41' AS TEXT) WHERE position = {COUNT + 1}")
    with pytest.raises(ChainBrokenError) as found:
        verify(full.log, full.anchor, lambda done, total: None)
    assert found.value.position == COUNT + 1


@pytest.mark.parametrize("value", ["text", 7, 1.5, b""])
def test_a_payload_of_another_kind_is_found(full, value):
    tamper(database(full), update("payload", value, 2))
    with pytest.raises(ChainBrokenError):
        verify(full.log, full.anchor)


@pytest.mark.parametrize("position", range(1, COUNT + 1))
def test_a_deleted_event_is_found(full, position):
    tamper(database(full), f"DELETE FROM events WHERE position = {position}")
    with pytest.raises(ChainBrokenError) as found:
        verify(full.log, full.anchor)
    assert found.value.position == position


def test_two_events_that_changed_places_are_found(full):
    for table in ("events", "payloads"):
        tamper(
            database(full),
            f"UPDATE {table} SET position = -1 WHERE position = 2",
            f"UPDATE {table} SET position = 2 WHERE position = 3",
            f"UPDATE {table} SET position = 3 WHERE position = -1",
        )
    with pytest.raises(ChainBrokenError) as found:
        verify(full.log, full.anchor)
    assert found.value.position == 2


@pytest.mark.parametrize("kept", [0, 1, COUNT])
def test_a_cut_tail_is_found_by_the_anchor(full, kept):
    cut(full, kept)
    with pytest.raises(ChainBrokenError, match="its end is cut") as found:
        verify(full.log, full.anchor)
    assert found.value.position == kept + 1


def test_a_cut_tail_is_found_after_the_log_went_on_and_on(full, make):
    cut(full, 5)
    full.log.append("kata/b", 0, [make.decided("kata/b") for _ in range(20)])
    with pytest.raises(ChainBrokenError, match="not the one that was noted") as found:
        verify(full.log, full.anchor)
    assert found.value.position == 7


def test_a_restored_log_is_anchored_anew(full, make):
    cut(full, 5)
    with full.log.transaction() as transaction:
        transaction.add([make.event("log", LogRestored(reason="put back from a copy"))])
    with pytest.raises(ChainBrokenError) as found:
        verify(full.log, full.anchor)
    assert found.value.position == 4
    assert full.anchor.read() == Noted(full.log.head())


def test_a_payload_erased_without_a_reason_is_found(full):
    tamper(database(full), "DELETE FROM payloads WHERE position = 2")
    with pytest.raises(ChainBrokenError, match="no event says why") as found:
        verify(full.log, full.anchor)
    assert found.value.position == 2


def test_a_forged_end_with_a_chain_of_its_own_is_found_by_the_anchor(full, make, tmp_path):
    noted = full.anchor.read().head
    forged = Head(noted.position, noted.hash[:-1] + "0")
    full.anchor.write(Noted(forged))
    with pytest.raises(ChainBrokenError, match="noted beside the log") as found:
        verify(full.log, full.anchor)
    assert found.value.position == noted.position


def test_a_log_without_an_anchor_says_so(full):
    assert verify(full.log).anchored is False
    assert full.verify().anchored is True
    full.anchor.path.unlink()
    assert full.verify().anchored is False


def go_on(store, make, count=1):
    with store.log.transaction() as transaction:
        transaction.add([make.noted() for _ in range(count)])


@pytest.mark.parametrize("content", [None, b"", b"{", b"[]"])
def test_a_tail_cut_together_with_its_note_stays_in_doubt_after_the_log_went_on(full, make, content):
    kept = 3
    cut(full, kept)
    full.anchor.path.unlink()
    if content is not None:
        full.anchor.path.write_bytes(content)
    for _ in range(3):
        go_on(full, make)
        found = verify(full.log, full.anchor)
        assert (found.anchored, found.unproven) == (True, kept)


def test_what_is_in_doubt_stays_so_for_every_process(full, make):
    other = open_store(full.folder, clock=make.clock, ids=make.ids)
    go_on(other, make)
    full.anchor.path.unlink()
    go_on(full, make)
    go_on(other, make)
    go_on(full, make)
    assert other.verify().unproven == full.verify().unproven == COUNT + 2
    other.close()


def test_only_a_restoration_settles_it(full, make):
    full.anchor.path.unlink()
    go_on(full, make)
    with full.log.transaction() as transaction:
        transaction.add([make.event("log", LogRestored(reason="looked into"))])
    assert full.verify().unproven == 0
    go_on(full, make)
    assert full.verify().unproven == 0


def test_a_note_that_lags_behind_the_log_leaves_nothing_in_doubt(full, make):
    lagging = full.anchor.path.read_bytes()
    go_on(full, make, 5)
    full.anchor.path.write_bytes(lagging)  # as after a death between the commit and the note
    assert (full.verify().anchored, full.verify().unproven) == (True, 0)
    go_on(full, make)
    assert full.verify().unproven == 0


def test_a_death_before_the_first_note_leaves_nothing_in_doubt(store, make, monkeypatch):
    write, written = store.anchor.write, []
    monkeypatch.setattr(store.anchor, "write", lambda noted: written.append(noted) or write(written[0]))
    go_on(store, make)
    monkeypatch.undo()
    assert store.verify().anchored
    go_on(store, make)
    assert store.verify().unproven == 0


def test_a_note_that_cannot_be_read_just_now_is_left_as_it_is(full, make, monkeypatch):
    def busy(path):
        raise PermissionError(13, "in use")

    before = full.anchor.path.read_bytes()
    monkeypatch.setattr(type(full.anchor.path), "read_bytes", busy)
    go_on(full, make)
    monkeypatch.undo()
    assert full.anchor.path.read_bytes() == before
    go_on(full, make)
    assert (full.verify().anchored, full.verify().unproven) == (True, 0)


@pytest.mark.parametrize("content", [b"", b"garbage", b"[]", b'{"count":"x"}', b"\xff"])
def test_an_unreadable_anchor_is_no_anchor(tmp_path, content):
    path = tmp_path / "anchor.json"
    path.write_bytes(content)
    assert FileAnchor(path).read() is None


@pytest.mark.parametrize(
    "name",
    [
        "events_never_changed",
        "events_never_deleted",
        "events_only_at_the_end",
        "payloads_never_changed",
        "payloads_only_at_the_end",
        "payloads_only_erased",
    ],
)
def test_a_missing_trigger_is_found(full, name):
    with sqlite3.connect(database(full)) as connection:
        connection.execute(f"DROP TRIGGER {name}")
    connection.close()
    with pytest.raises(StoreDamagedError, match=f"{name} is gone"):
        full.verify()


def test_a_weakened_trigger_is_found(full):
    with sqlite3.connect(database(full)) as connection:
        connection.execute("DROP TRIGGER events_never_deleted")
        connection.execute("CREATE TRIGGER events_never_deleted BEFORE DELETE ON events BEGIN SELECT 1; END")
    connection.close()
    with pytest.raises(StoreDamagedError, match="events_never_deleted is changed"):
        full.verify()


def test_an_erasure_left_open_is_found(full):
    with sqlite3.connect(database(full)) as connection:
        connection.execute("INSERT INTO erasing VALUES (6)")
    connection.close()
    with pytest.raises(StoreDamagedError, match="left open"):
        full.verify()


def test_a_payload_without_an_event_is_found(full):
    with sqlite3.connect(database(full)) as connection:
        connection.execute("INSERT INTO payloads VALUES (99, x'00')")
    connection.close()
    with pytest.raises(StoreDamagedError, match="position 99"):
        full.verify()


@pytest.mark.parametrize("bytes_drained", [-1, 5, 10_000])
def test_a_changed_note_on_the_spool_is_found(full, bytes_drained):
    tamper(database(full), f"UPDATE spool_offsets SET bytes = {bytes_drained}")
    with pytest.raises(StoreDamagedError):
        full.verify()


def test_progress_is_told_up_to_the_end(log, make):
    with log.transaction() as transaction:
        transaction.add([make.noted() for _ in range(2500)])
    told = []
    verify(log, progress=lambda done, total: told.append((done, total)))
    assert told == [(1000, 2500), (2000, 2500), (2500, 2500)]


@pytest.mark.parametrize(
    ("positions", "ranges", "expected"),
    [
        ([], [], None),
        ([1], [], 1),
        ([1, 2, 3], [(1, 3)], None),
        ([1, 2, 3], [(3, 3), (1, 1)], 2),
        ([4, 9], [(1, 10), (2, 3)], None),
        ([4, 11], [(1, 10), (2, 3)], 11),
        ([5], [(6, 9)], 5),
    ],
)
def test_the_first_position_outside_every_range_is_found(positions, ranges, expected):
    assert first_outside(positions, ranges) == expected


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("payload", b"{}"),
        ("payload", b"no JSON"),
        ("payload", "text"),
        ("occurred_at", "soon"),
        ("recorded_at", ""),
        ("schema", "one"),
    ],
)
def test_reading_what_cannot_be_read_is_an_error_that_names_the_place_never_a_guess(full, column, value):
    tamper(database(full), update(column, value, 2))
    with pytest.raises(StoreDamagedError, match="position 2: "):
        list(full.log.read())
