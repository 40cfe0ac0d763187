"""One projector: pages, checkpoints, rebuilds, drift, and the state of another day."""

import logging
import threading
from concurrent.futures import ThreadPoolExecutor

import attrs
import pytest

from kata.errors import NewerKataError
from kata.events import NewEvent
from kata.events.catalogue import KataDisabled
from kata.events.record import Record
from kata.projections import (
    PROJECTIONS,
    Batch,
    Katas,
    Projection,
    ProjectionError,
    Projector,
    Table,
    ViewStore,
)
from kata.projections import feed as feeding
from kata.projections.feed import Feed
from kata.store.connect import connect
from kata.store.patience import Patience
from kata.store.protocol import StoreBusyError
from kata.store.sqlite import SqliteLog
from tests.machines.support import approved, proposed

from .support import KATA, PERSON, START, Diary, hours, kept, memory_views

READ = ("read_file", {"path": "a"}, {"content": "x"})


class Counting(Batch):
    def count(self, event):
        self.write("INSERT INTO view_counted VALUES (?)", (event.position,))

    def fail(self, event):
        raise KeyError(event.position)


COUNTED = Projection(
    name="counted",
    version=1,
    tables={"view_counted": Table("position INTEGER PRIMARY KEY", ("position",))},
    batch=Counting,
    handlers={"kata.proposed": Counting.count},
)


@pytest.fixture
def diary():
    begun = Diary()
    for number in range(1, 6):
        begun.tell(proposed(number=number), KATA, f"kata/{number}")
        begun.turn(f"s{number}", [READ])
    return begun


def counted(store):
    return [position for (position,) in store.query("SELECT position FROM view_counted ORDER BY position")]


def test_each_event_is_applied_once_however_small_the_pages_are(diary):
    small, _ = diary.views(page=1)
    large, _ = diary.views()
    for projection in PROJECTIONS:
        assert small.dump(projection) == large.dump(projection)


def test_events_at_hand_are_not_read_again(diary, monkeypatch):
    _, projector = diary.views()
    before = diary.log.head().position
    diary.turn("s9", [READ])
    at_hand = tuple(diary.log.read(before))
    monkeypatch.setattr(diary.log, "read", lambda *_, **__: iter(()))
    assert projector.catch_up(at_hand=at_hand) == at_hand[-1].position
    monkeypatch.undo()
    assert projector.check() == ()


def test_what_is_missing_before_the_events_at_hand_is_read(diary):
    _, projector = diary.views()
    diary.turn("s8", [READ])
    before = diary.log.head().position
    diary.turn("s9", [READ])
    assert projector.catch_up(at_hand=tuple(diary.log.read(before))) == diary.log.head().position
    assert projector.check() == ()


def test_catching_up_twice_does_nothing_the_second_time(diary):
    store, projector = diary.views((COUNTED,))
    before = store.dump(COUNTED)
    assert projector.catch_up() == diary.log.head().position
    assert store.dump(COUNTED) == before


def test_a_caller_may_stop_between_pages(diary):
    store = memory_views()
    projector = Projector(diary.log, store, PROJECTIONS, page=3)
    pages = iter([False, True])
    assert projector.catch_up(enough=lambda: next(pages)) == 3
    assert projector.catch_up() == diary.log.head().position


def test_progress_is_told_in_positions(diary):
    store = memory_views()
    told = []
    Projector(diary.log, store, PROJECTIONS, page=10).catch_up(
        progress=lambda done, total: told.append((done, total))
    )
    head = diary.log.head().position
    assert told == [(10, head), (20, head), (head, head)]


def test_a_new_projection_catches_up_with_the_others(diary):
    store, _ = diary.views((COUNTED,))
    late = attrs.evolve(
        COUNTED, name="late", tables={"view_late": COUNTED.tables["view_counted"]}, handlers={}
    )
    Projector(diary.log, store, (COUNTED, late), page=2).catch_up()
    marks = store.checkpoints()
    assert marks["late"].position == marks["counted"].position == diary.log.head().position
    assert len(counted(store)) == 5


def test_a_changed_version_rebuilds_by_itself(diary):
    store, _ = diary.views((COUNTED,))
    with store.transaction() as connection:
        connection.execute("DELETE FROM view_counted")
    newer = attrs.evolve(COUNTED, version=2)
    Projector(diary.log, store, (newer,)).catch_up()
    assert len(counted(store)) == 5
    assert store.is_current(newer)


def test_a_newer_version_that_took_over_meanwhile_is_left_alone(diary):
    store, _ = diary.views((COUNTED,))
    newer = attrs.evolve(COUNTED, version=2)
    Projector(diary.log, store, (newer,)).catch_up()
    diary.tell(proposed(number=9), KATA, "kata/9")
    assert not Feed(diary.log, store, (COUNTED,)).step()
    assert len(counted(store)) == 5


def test_tables_that_a_new_version_no_longer_has_are_dropped(diary):
    store, _ = diary.views((COUNTED,))
    moved = attrs.evolve(
        COUNTED, version=2, tables={"view_other": COUNTED.tables["view_counted"]}, handlers={}
    )
    Projector(diary.log, store, (moved,)).catch_up()
    assert not store.has_table("view_counted")


def test_views_ahead_of_their_log_are_rebuilt(diary):
    store, _ = diary.views((COUNTED,))
    younger = Diary()
    younger.tell(proposed(), KATA, "kata/1")
    assert Projector(younger.log, store, (COUNTED,)).catch_up() == 1
    assert counted(store) == [1]


def test_rebuilding_gives_the_same_bytes(diary):
    store, projector = diary.views()
    before = {one.name: store.dump(one) for one in PROJECTIONS}
    assert projector.rebuild() == diary.log.head().position
    assert {one.name: store.dump(one) for one in PROJECTIONS} == before


def test_a_check_of_sound_views_finds_nothing(diary):
    _, projector = diary.views()
    assert projector.check() == ()


@pytest.mark.parametrize(
    ("damage", "kind"),
    [
        ("DELETE FROM view_counted WHERE position = 1", "missing"),
        ("INSERT INTO view_counted VALUES (99)", "extra"),
        ("DROP TABLE view_counted", "no_table"),
        ("UPDATE view_checkpoints SET position = 1000", "different"),
    ],
)
def test_a_check_names_what_was_edited(diary, damage, kind):
    store, projector = diary.views((COUNTED,))
    store.connection.execute(damage)
    (drift,) = projector.check()
    assert (drift.projection, drift.kind) == ("counted", kind)
    projector.rebuild()
    assert projector.check() == ()


def test_a_check_names_a_cell_whose_type_was_changed(diary):
    store, projector = diary.views()
    store.connection.execute("UPDATE view_katas SET kata = CAST(kata AS BLOB) WHERE number = 2")
    (drift,) = projector.check()
    assert str(drift) == "view_katas['kata/2']: different"


def test_the_state_of_a_position_is_what_was_so_then(diary):
    position = diary.tell(approved(), PERSON, "kata/1")
    _, projector = diary.views()
    with projector.state_at(position - 1) as then:
        assert Katas(then).numbered(1).state == "candidate"
    with projector.state_at(position) as now:
        assert Katas(now).numbered(1).state == "active"


def test_the_state_of_a_moment_goes_by_the_time_of_recording(diary):
    diary.clock.advance(hours=2)
    diary.tell(proposed(number=9), KATA, "kata/9", at=START)
    _, projector = diary.views()
    with projector.state_at(START + hours(1)) as then:
        assert len(Katas(then).all()) == 5
    with projector.state_at(START + hours(3)) as later:
        assert len(Katas(later).all()) == 6


def test_a_state_of_the_past_leaves_the_live_views_alone(diary):
    store, projector = diary.views()
    before = store.dump(PROJECTIONS[0])
    with projector.state_at(1):
        pass
    assert store.dump(PROJECTIONS[0]) == before


def test_an_event_that_cannot_be_applied_is_named_and_nothing_moves(diary):
    broken = attrs.evolve(COUNTED, handlers={"kata.proposed": Counting.count, "turn.ended": Counting.fail})
    store = memory_views()
    with pytest.raises(ProjectionError) as failure:
        Projector(diary.log, store, (broken,)).catch_up()
    assert (failure.value.projection, failure.value.type) == ("counted", "turn.ended")
    assert counted(store) == []
    assert store.checkpoints()["counted"].position == 0


def test_an_unknown_event_is_skipped_with_one_warning(diary, caplog):
    diary.tell_raw("kata.dreamt", "kata/1")
    diary.tell_raw("kata.dreamt", "kata/2")
    with caplog.at_level(logging.WARNING, feeding.__name__):
        diary.views()
    assert [record.args for record in caplog.records] == [("kata.dreamt",)]


def test_a_projection_reads_only_the_types_it_needs(diary):
    assert COUNTED.types == frozenset({"kata.proposed"})
    assert attrs.evolve(COUNTED, header=Counting.count).types is None


def test_another_process_that_was_faster_is_not_repeated(diary, tmp_path):
    log = file_log(tmp_path, diary)
    first, second = (Projector(log, file_views(tmp_path), (COUNTED,), page=2) for _ in range(2))
    done = []

    def interleave():
        done.append(second.catch_up())
        return len(done) > 40

    assert first.catch_up(enough=interleave) == log.head().position
    assert len(counted(file_views(tmp_path))) == 5
    assert first.check() == ()


def test_many_threads_feed_one_database_while_the_log_grows(diary, tmp_path):
    log = file_log(tmp_path, diary)
    head = log.head().position
    growing = threading.Event()

    def feed():
        store = ViewStore(connect(tmp_path / "data.db"), Patience(seconds=20.0))
        projector = Projector(log, store, PROJECTIONS, page=3)
        while not growing.is_set() or projector.catch_up() < log.head().position:
            projector.catch_up()
        store.close()

    with ThreadPoolExecutor(3) as pool:
        feeding = [pool.submit(feed) for _ in range(3)]
        grow(log, diary, 20)
        growing.set()
        for one in feeding:
            one.result(timeout=60)
    projector = Projector(log, file_views(tmp_path), PROJECTIONS)
    assert projector.catch_up() == head + 20
    assert projector.check() == ()


def test_a_locked_database_is_a_busy_store(diary, tmp_path):
    log = file_log(tmp_path, diary)
    store = kept(ViewStore(connect(tmp_path / "data.db"), Patience(seconds=0.05)))
    projector = Projector(log, store, (COUNTED,))
    projector.catch_up()
    with log.transaction(), pytest.raises(StoreBusyError), store.transaction():
        pass


def test_beside_the_log_of_a_newer_kata_views_are_only_read(diary):
    store, projector = diary.views()
    store.connection.execute("PRAGMA user_version = 99")
    diary.tell(approved(), PERSON, "kata/1")
    with pytest.raises(NewerKataError):
        projector.catch_up()
    assert Katas(store).numbered(1).state == "candidate"


def test_rebuilding_beside_a_log_in_the_same_file(diary, tmp_path):
    log = file_log(tmp_path, diary)
    projector = Projector(log, file_views(tmp_path), PROJECTIONS)
    projector.catch_up()
    assert projector.rebuild() == log.head().position
    assert projector.check() == ()


def grow(log, diary, count):
    for number in range(count):
        event = NewEvent(
            stream="kata/1",
            event_id=f"more-{number}",
            payload=approved() if number % 2 == 0 else KataDisabled(),
            occurred_at=diary.clock.now(),
            actor=PERSON,
            correlation_id="grow",
        )
        with log.transaction() as transaction:
            transaction.add([event])


def file_log(folder, diary):
    log = kept(SqliteLog(lambda: connect(folder / "data.db"), diary.clock))
    with log.transaction() as transaction:
        transaction.take(list(records(diary.log)))
    return log


def file_views(folder):
    return kept(ViewStore(connect(folder / "data.db"), Patience(seconds=1.0)))


def records(log):
    for row in log.rows():
        yield Record(row.stream, *row[3:7], *row[8:14])
