"""One append an event, by its owner alone; the hook never sees an error."""

import errno
import os
import subprocess
import sys
import threading

import attrs
import pytest

from kata.clock import ManualClock
from kata.events.catalogue import ObservationsLost
from kata.events.codec import BadEventError
from kata.json import loads
from kata.store import MemoryLog, Spool, SpoolError, drain, owned
from kata.store import spool as spool_module
from kata.store.locks import try_lock
from kata.store.segment import list_segments, parse


@pytest.fixture
def spool(tmp_path, make):
    spool = Spool(tmp_path / "spool", make.clock, make.ids)
    yield spool
    spool.close()


def segments(spool):
    return sorted(spool.folder.glob("*.jsonl"))


def lines(path):
    return path.read_bytes().splitlines()


def test_making_a_spool_touches_no_file(spool):
    assert not spool.folder.exists()


def test_an_event_is_one_line_that_can_be_parsed_again(spool, make):
    event = make.called(text="caf\udce9\n\ud83d")
    assert spool.append(event)
    (line,) = lines(segments(spool)[0])
    record = parse(line)
    assert (record.stream, record.event_id, record.type) == (event.stream, event.event_id, "tool.returned")


def test_folder_and_segments_are_private(spool, make):
    spool.append(make.noted())
    assert spool.folder.stat().st_mode & 0o777 == 0o700
    assert segments(spool)[0].stat().st_mode & 0o777 == 0o600


def test_the_owner_holds_the_lock_until_the_segment_is_finished(spool, make):
    spool.append(make.noted())
    with segments(spool)[0].open("rb") as file:
        assert not try_lock(file.fileno())
    spool.rotate()
    with segments(spool)[0].open("rb") as file:
        assert try_lock(file.fileno())


def test_reading_a_segment_in_the_same_process_does_not_free_its_lock(spool, make):
    spool.append(make.noted())
    segments(spool)[0].read_bytes()
    with segments(spool)[0].open("rb") as file:
        assert not try_lock(file.fileno())


def test_segments_sort_in_the_order_they_were_begun_whatever_the_clock_does(spool, make):
    for _ in range(5):
        spool.append(make.noted())
        spool.rotate()
        make.clock.advance(hours=-1)
    order = [parse(lines(path)[0]).event_id for path in segments(spool)]
    assert order == sorted(order)
    assert len(order) == 5


def test_a_turn_without_events_leaves_no_file(spool):
    spool.rotate()
    spool.rotate()
    assert not spool.folder.exists()


def test_a_full_segment_is_followed_by_another(spool, make, monkeypatch):
    monkeypatch.setattr(spool_module, "SEGMENT_LIMIT", 2000)
    for _ in range(10):
        spool.append(make.called())
    assert len(segments(spool)) == 4
    assert sum(len(lines(path)) for path in segments(spool)) == 10


def test_threads_share_a_segment_without_mixing_their_lines(spool, make):
    events = [[make.called(text=str(thread) * 300) for _ in range(25)] for thread in range(8)]
    threads = [
        threading.Thread(target=lambda some=some: [spool.append(event) for event in some]) for some in events
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (path,) = segments(spool)
    assert {parse(line).event_id for line in lines(path)} == {
        event.event_id for some in events for event in some
    }


def test_what_cannot_be_encoded_is_lost_counted_and_told(spool, make):
    assert not spool.append(make.noted()._replace(payload=attrs.evolve(make.noted().payload, reason=7)))
    assert list(spool.lost.values()) == [1]
    assert spool.append(make.noted())
    assert spool.lost == {}
    log = MemoryLog()
    drain(log, spool.folder)
    (lost,) = [event.payload for event in log.read() if isinstance(event.payload, ObservationsLost)]
    assert lost.count == 1
    assert "session.reset.reason" in lost.reason


def test_write_raises_what_append_counts(spool, make):
    with pytest.raises(BadEventError):
        spool.write(make.noted()._replace(stream=""))
    assert spool.lost == {}


def test_a_folder_that_cannot_be_made_costs_the_event_and_nothing_else(tmp_path, make):
    (tmp_path / "file").write_text("no folder")
    spool = Spool(tmp_path / "file" / "spool", make.clock)
    assert not spool.append(make.noted())
    assert not spool.append(make.noted())
    assert sum(spool.lost.values()) == 2
    (tmp_path / "file").unlink()
    assert spool.append(make.noted())
    assert spool.lost == {}
    spool.close()


def half_written(descriptor, data):
    return REAL_WRITE(descriptor, data[: len(data) // 2])


def refused(descriptor, data):
    raise OSError(errno.ENOSPC, "No space left on device")


REAL_WRITE = os.write


@pytest.mark.parametrize("fault", [half_written, refused])
def test_a_full_disk_leaves_no_half_line_and_recording_resumes_by_itself(spool, make, monkeypatch, fault):
    first, lost, second = make.noted(), make.noted(), make.noted()
    spool.append(first)
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", fault)
        assert not spool.append(lost)
        with pytest.raises(SpoolError):
            spool.write(lost)
    assert spool.append(second)
    records = [parse(line) for line in lines(segments(spool)[0])]
    assert [record.type for record in records] == [
        "session.reset",
        "session.reset",
        "observations.lost",
    ]
    assert [record.event_id for record in records[:2]] == [first.event_id, second.event_id]


def test_the_reasons_that_are_remembered_are_few(spool):
    for number in range(100):
        spool.count_lost(f"reason {number}")
    assert len(spool.lost) <= 9
    assert sum(spool.lost.values()) == 100


def test_a_segment_deleted_under_its_owner_is_noticed_at_the_turns_end_and_counted(spool, make):
    for _ in range(3):
        spool.append(make.noted())
    segments(spool)[0].unlink()
    spool.append(make.noted())
    spool.rotate()
    assert spool.lost == {"spool_removed": 4}
    assert spool.append(make.noted())
    records = [parse(line) for line in lines(segments(spool)[0])]
    assert [record.type for record in records] == ["session.reset", "observations.lost"]
    assert b'"count":4,"reason":"spool_removed"' in records[1].payload


def test_a_segment_deleted_under_its_owner_is_replaced_in_the_midst_of_a_turn(spool, make):
    spool.append(make.noted())
    segments(spool)[0].unlink()
    for _ in range(20):
        assert spool.append(make.noted())
    records = [parse(line) for line in lines(segments(spool)[0])]
    told = next(record for record in records if record.type == "observations.lost")
    lost = loads(told.payload)["count"]
    assert lost + len(records) - 1 == 21


@pytest.fixture
def synced(monkeypatch):
    inodes = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: inodes.append(os.fstat(descriptor).st_ino))
    return inodes


def test_sync_puts_file_and_name_on_the_disk(spool, make, synced):
    spool.sync()
    assert synced == []
    spool.append(make.noted())
    spool.sync()
    spool.sync()
    file, folder = segments(spool)[0].stat().st_ino, spool.folder.stat().st_ino
    assert synced == [file, folder, file]


def test_sync_reaches_what_was_written_before_a_rotation(spool, make, synced):
    spool.append(make.noted())
    spool.rotate()
    spool.sync()
    assert synced == [segments(spool)[0].stat().st_ino, spool.folder.stat().st_ino]
    spool.sync()
    assert len(synced) == 2


def test_sync_after_everything_was_drained_has_nothing_to_do(spool, make, synced):
    spool.append(make.noted())
    spool.rotate()
    drain(MemoryLog(), spool.folder)
    spool.sync()
    assert synced == [spool.folder.stat().st_ino]


def test_nobody_waits_for_a_disk_that_syncs(spool, make, monkeypatch):
    spool.append(make.noted())
    monkeypatch.setattr(os, "fsync", lambda descriptor: spool.append(make.noted()))
    spool.sync()
    assert len(lines(segments(spool)[0])) == 3


def test_a_disk_that_does_not_sync_is_an_error(spool, make, monkeypatch):
    def fail(descriptor):
        raise OSError(errno.EIO, "Input/output error")

    spool.append(make.noted())
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(SpoolError, match="cannot be synced"):
        spool.sync()


def test_a_forked_child_begins_its_own_segment_and_leaves_the_parents_lock(spool, make):
    spool.append(make.noted())
    spool.count_lost("of the parent")
    child = os.fork()
    if child == 0:
        spool.append(make.noted("session/child"))
        os._exit(0 if spool.lost == {} else 1)
    assert os.waitpid(child, 0)[1] == 0
    mine, other = segments(spool)
    assert parse(lines(other)[0]).stream == "session/child"
    with mine.open("rb") as file:
        assert not try_lock(file.fileno())
    with other.open("rb") as file:
        assert try_lock(file.fileno())
    assert spool.append(make.noted())
    assert len(lines(mine)) == 3


def test_a_fork_while_another_thread_writes_does_not_hang_the_child(spool, make):
    spool.append(make.noted())
    with spool._lock:
        child = os.fork()
        if child == 0:
            os._exit(0 if spool.append(make.noted()) else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_what_was_written_survives_the_death_of_its_process(tmp_path):
    code = (
        "import os, sys; from pathlib import Path; from kata.store import Spool; from tests.store.support import Maker;"
        "s = Spool(Path(sys.argv[1])); m = Maker(); [s.append(m.noted()) for _ in range(100)]; os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", code, tmp_path], check=False).returncode == -9
    log = MemoryLog()
    assert drain(log, tmp_path).count == 100
    assert list_segments(tmp_path) == {}


def test_what_was_written_survives_the_end_of_its_process_whatever_its_threads_do(tmp_path):
    code = (
        "import sys, threading; from pathlib import Path; from kata.store import Spool;"
        "from tests.store.support import Maker; s = Spool(Path(sys.argv[1])); m = Maker();"
        "work = lambda: [s.append(m.noted('session/thread')) for _ in range(100000)];"
        "threading.Thread(target=work, daemon=True).start(); [s.append(m.noted()) for _ in range(100)]"
    )
    ended = subprocess.run([sys.executable, "-c", code, tmp_path], check=False, capture_output=True)
    assert (ended.returncode, ended.stderr) == (0, b"")
    log = MemoryLog()
    drain(log, tmp_path, seconds=60)
    assert len(list(log.read_stream("session/1"))) == 100
    assert list(log.read(types=["observations.lost"])) == []


def test_a_new_segment_whose_lock_goes_to_a_drain_is_left_for_another(spool, make, monkeypatch):
    answers = iter([False, False, True])
    monkeypatch.setattr(owned, "try_lock", lambda descriptor: next(answers) and try_lock(descriptor))
    assert spool.append(make.noted())
    assert [path.stat().st_size > 0 for path in segments(spool)] == [False, False, True]


def test_where_no_segment_can_be_locked_nothing_is_recorded_and_the_reason_known(spool, make, monkeypatch):
    monkeypatch.setattr(owned, "try_lock", lambda descriptor: False)
    assert not spool.append(make.noted())
    assert "no segment of the spool can be locked here" in next(iter(spool.lost))


def test_names_never_repeat_within_one_moment(tmp_path, make):
    spool = Spool(tmp_path / "spool", ManualClock())
    for _ in range(20):
        spool.append(make.noted())
        spool.rotate()
    assert len(segments(spool)) == 20
