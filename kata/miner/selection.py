"""Which of the routines are proposed: whole ones, each with conversations of its own (rule R3), no near-duplicates."""

from collections.abc import Iterable, Sequence

import attrs

from .keys import Known, nearly_same
from .types import Found

Place = tuple[str, frozenset[int]]
"""A conversation, and the calls of one occurrence in it."""


@attrs.define(eq=False)
class Choice:
    """A routine that may be proposed.

    Attributes:
        places: Every place where it was done.
        reach: The most calls that it stands for at one place: a loop counts as what it did.
    """

    found: Found
    places: list[Place]
    reach: int = attrs.field(init=False, default=0)
    _whole: dict[int, frozenset[int]] = attrs.field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self._note(self.places)

    def extended(self, found: Found, places: Sequence[Place]) -> "Choice":
        """Take in further places, and what is now told of the routine; the work is in proportion to what is new."""
        self.found = found
        self.places += places
        self._note(places)
        return self

    def covers(self, calls: frozenset[int]) -> bool:
        """Tell whether some calls lie within one occurrence."""
        return calls <= self._whole.get(min(calls), frozenset())

    def _note(self, places: Iterable[Place]) -> None:
        for _, calls in places:
            self.reach = max(self.reach, len(calls))
            for call in calls:
                self._whole[call] = calls


def choose(choices: Iterable[Choice], min_support: int) -> list[Found]:
    """Return the routines with what holds them back: longest first, each beside those that were taken before.

    A routine inside a longer one needs ``min_support`` conversations in which it was done on its own.
    """
    taken: list[Choice] = []
    judged: list[Found] = []
    for choice in sorted(choices, key=_rank):
        found = choice.found
        if not found.blocked_by:
            found = _beside(choice, taken, min_support)
        if not found.blocked_by:
            taken.append(choice)
        judged.append(found)
    return judged


def _rank(choice: Choice) -> tuple[int, int, tuple[str, ...]]:
    found = choice.found
    return (-choice.reach, -found.support, found.signatures)


def _beside(choice: Choice, taken: Sequence[Choice], min_support: int) -> Found:
    found = choice.found
    signatures = set(found.signatures)
    longer = [
        other for other in taken if signatures.issubset(other.found.signatures) and _overlaps(choice, other)
    ]
    own = _own_conversations(choice, longer) if longer else min_support
    if own < min_support:
        name = longer[0].found.name
        return attrs.evolve(
            found,
            blocked_by=("support",),
            detail=f"part of the longer {name}: on its own in {own} of the {min_support} conversations it takes",
        )
    known = _known(found)
    if any(nearly_same(known, _known(other.found)) for other in taken):
        return attrs.evolve(
            found, blocked_by=("near_duplicate",), detail="nearly the same as a routine that is proposed"
        )
    return found


def _overlaps(choice: Choice, other: Choice) -> bool:
    return any(other.covers(calls) for _, calls in choice.places)


def _own_conversations(choice: Choice, longer: Sequence[Choice]) -> int:
    alone = {
        conversation
        for conversation, calls in choice.places
        if not any(other.covers(calls) for other in longer)
    }
    return len(alone)


def _known(found: Found) -> Known:
    assert found.spec is not None
    return Known(found.key, found.signatures, found.spec)
