"""When a candidate that was set aside shows again."""

from datetime import timedelta

import pytest

from kata.events.catalogue import Until
from kata.machines import Deferral, is_set_aside

from .support import START

DATE = START + timedelta(days=7)


def waits(until, *, digest="a", support=3, days=0):
    deferral = Deferral(until=until, support=3, digest="a", at=START)
    return is_set_aside(deferral, digest=digest, support=support, now=START + timedelta(days=days))


def test_what_was_never_set_aside_shows():
    assert not is_set_aside(None, digest="a", support=3, now=START)


@pytest.mark.parametrize(("digest", "expected"), [("a", True), ("b", False)])
def test_until_it_changes(digest, expected):
    assert waits(Until(kind="changed"), digest=digest) is expected


@pytest.mark.parametrize(("support", "expected"), [(3, True), (12, True), (13, False)])
def test_until_seen_so_many_more_times(support, expected):
    assert waits(Until(kind="seen", seen=10), support=support) is expected


@pytest.mark.parametrize(("days", "expected"), [(6, True), (7, False), (8, False)])
def test_until_a_date(days, expected):
    assert waits(Until(kind="date", date=DATE), days=days) is expected


def test_a_deferral_without_a_condition_hides_nothing():
    assert not waits(Until(kind="asked"))


def test_a_condition_of_a_newer_kata_hides_nothing():
    assert not waits(Until(kind="moon"))
