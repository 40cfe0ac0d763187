"""Which of the routines are proposed: whole ones, each with conversations of its own (rule R3), no near-duplicates."""

from collections.abc import Iterable, Sequence

import attrs

from .keys import Known, nearly_same
from .types import Found


@attrs.frozen
class Choice:
    """A routine that may be proposed.

    Attributes:
        places: Every place where it was done: the conversation and the calls.
    """

    found: Found
    places: tuple[tuple[str, frozenset[int]], ...]


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
    return (-_reach(choice), -found.support, found.signatures)


def _reach(choice: Choice) -> int:
    """Return the most calls that it stands for at one place: a loop counts as what it did."""
    return max(len(calls) for _, calls in choice.places)


def _beside(choice: Choice, taken: Sequence[Choice], min_support: int) -> Found:
    found = choice.found
    longer = [other for other in taken if _covered(choice, other)]
    own = len({conversation for conversation, _ in choice.places} - _only_within(choice, longer))
    if longer and own < min_support:
        name = longer[0].found.name
        return attrs.evolve(
            found,
            blocked_by=("support",),
            detail=f"part of the longer {name}: on its own in {own} of the {min_support} conversations it takes",
        )
    known = _known(found)
    if any(nearly_same(known, _known(other.found)) for other in taken):
        return attrs.evolve(found, blocked_by=("near_duplicate",), detail="nearly the same as a routine that is proposed")
    return found


def _only_within(choice: Choice, longer: Sequence[Choice]) -> set[str]:
    """Return the conversations where it was done inside longer routines alone."""
    inside = set().union(*(_covered(choice, other) for other in longer))
    alone = {conversation for at, (conversation, _) in enumerate(choice.places) if at not in inside}
    return {conversation for conversation, _ in choice.places} - alone


def _covered(choice: Choice, other: Choice) -> set[int]:
    """Return the places of a choice, by index, that lie inside those of another."""
    whole = {call: calls for _, calls in other.places for call in calls}
    return {at for at, (_, calls) in enumerate(choice.places) if calls <= whole.get(min(calls), frozenset())}


def _known(found: Found) -> Known:
    assert found.spec is not None
    return Known(found.key, found.signatures, found.spec)
