"""Which of the routines are proposed: whole ones, each with conversations of its own (rule R3), no near-duplicates."""

from collections.abc import Iterable, Sequence
from itertools import count

import attrs

from .keys import Known, nearly_same
from .types import Found

Place = tuple[str, frozenset[int]]
"""A conversation, and the calls of one occurrence in it."""


_STATES = count()


@attrs.define(eq=False)
class Choice:
    """A routine that may be proposed.

    Attributes:
        places: Every place where it was done.
        names: Its kinds of steps; only where one routine's are among another's can it be a part or a near-duplicate.
        reach: The most calls that it stands for at one place: a loop counts as what it did.
        state: Changes whenever the routine does.
    """

    found: Found
    places: list[Place]
    names: frozenset[str] = attrs.field(init=False, default=frozenset())
    reach: int = attrs.field(init=False, default=0)
    state: int = attrs.field(init=False, factory=_STATES.__next__)
    _whole: dict[int, frozenset[int]] = attrs.field(init=False, factory=dict)
    _judged: "tuple[tuple[int, ...], Found] | None" = attrs.field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        self.names = frozenset(self.found.signatures)
        self._note(self.places)

    def extended(self, found: Found, places: Sequence[Place]) -> None:
        """Take in further places, and what is now told of the routine; the work is in proportion to what is new."""
        self.found = found
        self.places += places
        self.state = next(_STATES)
        self._note(places)

    def covers(self, calls: frozenset[int]) -> bool:
        """Tell whether some calls lie within one occurrence."""
        return calls <= self._whole.get(min(calls), frozenset())

    def beside(self, taken: "Sequence[Choice]", min_support: int) -> Found:
        """Return what is told of it beside routines that were taken before; judged once for the same ones."""
        names = self.names
        related = [other for other in taken if names <= other.names or other.names <= names]
        states = (self.state, *(other.state for other in related))
        if self._judged is None or self._judged[0] != states:
            self._judged = (states, _beside(self, related, min_support))
        return self._judged[1]

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
            found = choice.beside(taken, min_support)
        if not found.blocked_by:
            taken.append(choice)
        judged.append(found)
    return judged


def _rank(choice: Choice) -> tuple[int, int, tuple[str, ...]]:
    found = choice.found
    return (-choice.reach, -found.support, found.signatures)


def _beside(choice: Choice, related: Sequence[Choice], min_support: int) -> Found:
    found = choice.found
    longer = [other for other in related if any(other.covers(calls) for _, calls in choice.places)]
    own = _own_conversations(choice, longer) if longer else min_support
    if own < min_support:
        name = longer[0].found.name
        return attrs.evolve(
            found,
            blocked_by=("support",),
            detail=f"part of the longer {name}: on its own in {own} of the {min_support} conversations it takes",
        )
    known = _known(found)
    if any(nearly_same(known, _known(other.found)) for other in related):
        return attrs.evolve(
            found, blocked_by=("near_duplicate",), detail="nearly the same as a routine that is proposed"
        )
    return found


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
