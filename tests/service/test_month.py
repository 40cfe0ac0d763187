"""Kata takes no more room than it says: what was said expires, what stays of an event is small, memory is flat."""

import gc
import sys

import pytest

from kata.events import Surface
from kata.projections import turns, usage
from kata.service import Settings
from tests.service.lab import Lab
from tests.service.month import Size, User, live

HEADER = 1000
"""Bytes that stay of an event for ever, in headers, indexes and the audit trail: at most."""

BESIDE = 6 * 1024 * 1024
"""Bytes of write-ahead log, spool and small files: at most, at the end of a day."""

MEMORY = 1.03


def lived(tmp_path, calls_a_day, days, keep) -> list[Size]:
    lab = Lab(tmp_path / "kata", Settings(retention_days=keep))
    sizes = list(live(lab, days, calls_a_day))
    assert lab.service.verify().ok
    lab.close()
    return sizes


def check(sizes: list[Size], keep: int) -> None:
    full, last = sizes[keep], sizes[-1]
    assert last.payloads <= 1.1 * full.payloads
    assert last.whole - full.whole <= HEADER * (last.events - full.events)
    assert max(one.beside for one in sizes) <= BESIDE


def test_what_was_said_in_a_month_takes_no_more_room_the_month_after(tmp_path):
    check(lived(tmp_path, calls_a_day=200, days=18, keep=6), keep=6)


@pytest.mark.deep
def test_two_thousand_calls_a_day_take_a_bounded_room(tmp_path, record_property, capsys):
    sizes = lived(tmp_path, calls_a_day=2000, days=45, keep=30)
    check(sizes, keep=30)
    month, last = sizes[29], sizes[-1]
    a_day = (last.rest - month.rest) / (last.day - month.day)
    line = (
        f"2,000 calls a day: {month.whole / 1e6:.0f} MB after 30 days, {last.whole / 1e6:.0f} MB after 45 with 30 days kept;"
        f" what was said stays at {last.payloads / 1e6:.0f} MB, headers and views grow by {a_day / 1e6:.1f} MB a day;"
        f" write-ahead log, spool and notes at most {max(one.beside for one in sizes) / 1e6:.1f} MB"
    )
    record_property("figure", line)
    with capsys.disabled():
        print(f"\n{line}")


def flat(tmp_path, count: int) -> tuple[int, int]:
    """Live through turns; return the blocks that Python holds after a fifth of them and at the end."""
    lab = Lab(tmp_path / "kata", Settings(retention_days=3650))
    user, early = User(lab), 0
    fill_caches()
    for number in range(1, count + 1):
        user.turn(calls=1)
        if number % 100 == 0:
            lab.clock.advance(minutes=5)
            lab.service.refresh()
            lab.service.upkeep(Surface.HOOK)
        if number == count // 5:
            gc.collect()
            early = sys.getallocatedblocks()
    gc.collect()
    late = sys.getallocatedblocks()
    lab.close()
    return early, late


def fill_caches() -> None:
    """Fill what is bounded, so that only what is not can grow."""
    for remembers in (turns._key, usage._key):
        for number in range(remembers.cache_info().maxsize):
            remembers(f"warm {number}")


def test_the_worker_s_memory_is_flat_over_thousands_of_turns(tmp_path):
    early, late = flat(tmp_path, 3000)
    assert late <= MEMORY * early


@pytest.mark.deep
def test_the_worker_s_memory_is_flat_over_a_hundred_thousand_turns(tmp_path, capsys):
    early, late = flat(tmp_path, 100_000)
    with capsys.disabled():
        print(f"\n100,000 turns: {early} blocks after 20,000, {late} at the end")
    assert late <= MEMORY * early
