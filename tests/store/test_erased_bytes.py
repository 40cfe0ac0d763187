"""What is forgotten is gone from the files themselves (case B074)."""

import random

import pytest

from kata.store import SqliteLog, connect, verify
from tests.store.support import connect_wal


def bytes_of(folder):
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def marked(number):
    return f"<<secret {number:05d}>>"


@pytest.fixture(params=[connect, connect_wal], ids=["delete", "wal"])
def log(request, tmp_path, make):
    log = SqliteLog(lambda: request.param(tmp_path / "data.db"), make.clock)
    yield log
    log.close()


def fill(log, make, count):
    pick = random.Random(7)
    with log.transaction() as transaction:
        transaction.add(
            [make.called(text=marked(n) * pick.choice([1, 2, 9, 40, 400])) for n in range(1, count + 1)]
        )


def erase(log, make, *ranges):
    with log.transaction() as transaction:
        transaction.erase(make.forgotten(*ranges))


def left(folder, positions):
    found = bytes_of(folder)
    return [one for one in positions if marked(one).encode() in found]


def test_what_is_not_forgotten_can_be_found_in_the_files(log, make, tmp_path):
    fill(log, make, 50)
    assert left(tmp_path, range(1, 51)) == list(range(1, 51))


def test_a_forgotten_range_is_gone_from_database_and_journals(log, make, tmp_path):
    fill(log, make, 300)
    erase(log, make, (20, 280))
    assert left(tmp_path, range(1, 301)) == [*range(1, 20), *range(281, 301)]
    assert verify(log).erased == 261


def test_scattered_events_forgotten_one_after_another_are_gone_and_no_other(log, make, tmp_path):
    fill(log, make, 300)
    order = list(range(1, 301))
    random.Random(3).shuffle(order)
    for start in range(0, 240, 12):
        erase(log, make, *((one, one) for one in sorted(order[start : start + 12])))
    assert left(tmp_path, range(1, 301)) == sorted(order[240:])
    assert verify(log).erased == 240


def test_an_erasure_that_was_rolled_back_left_everything(log, make, tmp_path):
    fill(log, make, 30)
    with pytest.raises(ZeroDivisionError), log.transaction() as transaction:
        transaction.erase(make.forgotten((1, 30)))
        raise ZeroDivisionError
    assert len(left(tmp_path, range(1, 31))) == 30


def test_the_room_of_what_is_forgotten_is_used_again(log, make, tmp_path):
    sizes = []
    for _ in range(6):
        first = log.head().position + 1
        fill(log, make, 200)
        erase(log, make, (first, log.head().position))
        sizes.append(sum(path.stat().st_size for path in tmp_path.iterdir()))
    assert max(sizes) < 2 * sizes[0]
