"""The classes have one order, everywhere."""

import itertools

import pytest

from kata.effects import Classification, Effect, exceeds, worst
from kata.effects.classes import together

ORDER = ("read", "network_read", "local_write", "external", "unknown")


def test_the_classes_stand_from_harmless_to_unknown():
    shuffled = [Effect(name) for name in sorted(ORDER)]
    assert [effect.value for effect in sorted(shuffled)] == list(ORDER)


@pytest.mark.parametrize(("low", "high"), list(itertools.combinations(Effect, 2)))
def test_every_pair_compares_by_rank_and_not_by_spelling(low, high):
    assert low < high
    assert low <= high
    assert high > low
    assert high >= low
    assert exceeds(high, low)
    assert not exceeds(low, high)


@pytest.mark.parametrize("effect", Effect)
def test_the_same_class_does_not_exceed_itself(effect):
    assert not exceeds(effect, effect)


def test_the_worst_of_nothing_only_reads():
    assert worst([]) is Effect.READ


def test_the_worst_of_many_is_the_highest():
    assert worst([Effect.LOCAL_WRITE, Effect.NETWORK_READ]) is Effect.LOCAL_WRITE


def test_parts_together_keep_the_reason_of_the_highest_and_every_flag():
    parts = (Classification(Effect.READ, "a", ("x",)), Classification(Effect.EXTERNAL, "b", ("y", "x")))
    assert together(parts) == Classification(Effect.EXTERNAL, "b", ("x", "y"))
