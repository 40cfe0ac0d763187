"""Registrations leave in any order, and what they covered comes back."""

from hypothesis import given
from hypothesis import strategies as st

from kata.standin.ledger import Registration, Slots


def test_a_registration_is_disposed_once():
    released = []
    handle = Registration("tool", "x", lambda: released.append(1))
    assert handle.active
    handle.dispose()
    handle.dispose()
    assert not handle.active
    assert released == [1]


def test_disposing_a_replacement_restores_what_it_covered():
    mapping = {"name": "host's"}
    take = Slots(mapping).put("name", "plugin's")
    assert mapping == {"name": "plugin's"}
    take()
    assert mapping == {"name": "host's"}


@given(st.permutations(range(4)))
def test_in_any_order_the_latest_that_is_left_is_in_front(order):
    mapping: dict[str, object] = {}
    slots = Slots(mapping)
    entries = [object() for _ in range(4)]
    takes = [slots.put("name", entry) for entry in entries]
    left = set(range(4))
    for at in order:
        takes[at]()
        left.discard(at)
        assert mapping.get("name") is (entries[max(left)] if left else None)


def test_what_was_taken_away_by_force_does_not_come_back():
    mapping: dict[str, object] = {}
    slots = Slots(mapping)
    slots.put("name", "old")
    del mapping["name"]
    take = slots.put("name", "new")
    take()
    assert mapping == {}
