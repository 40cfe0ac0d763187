"""The usable calls of a history as packed integers, and where a window stands in them."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from math import nan
from typing import TypeAlias

from .segments import Run
from .types import Occurrence

Ints: TypeAlias = "array[int]"


class Corpus:
    """Runs laid end to end as packed integers, a gap of one between them."""

    def __init__(self, runs: Iterable[Run]) -> None:
        self.signatures = array("i")
        self.turn = array("i")
        self.conversation_of = array("i")
        self.conversations: list[str] = []
        self.turns: list[str] = []
        self.refs = array("q")
        self.groups: list[str] = []
        self.at = array("d")
        self.calls = 0
        self._index: dict[int, Ints] | None = None
        for run in runs:
            self._append(run)

    def _append(self, run: Run) -> None:
        if not self.conversations or self.conversations[-1] != run.conversation:
            self.conversations.append(run.conversation)
            self._new_turn(run.turn)
        elif self.turns[-1] != run.turn:
            self._new_turn(run.turn)
        size = len(run.signatures) + 1
        self.signatures.extend(run.signatures)
        self.signatures.append(-1)
        self.refs.extend(run.refs)
        self.refs.append(-1)
        self.groups.extend(run.groups)
        self.groups.append("")
        self.at.extend([nan if at is None else at for at in run.at])
        self.at.extend([nan] * (size - len(run.at)))
        self.calls += size - 1
        self.turn.extend(array("i", [len(self.turns) - 1]) * size)

    def _new_turn(self, turn: str) -> None:
        self.turns.append(turn)
        self.conversation_of.append(len(self.conversations) - 1)

    def __len__(self) -> int:
        return len(self.signatures)

    def window(self, start: int, length: int) -> tuple[int, ...]:
        """Return the signatures of a window."""
        return tuple(self.signatures[start : start + length])

    def starts(self, window: Sequence[int]) -> Iterator[int]:
        """Yield every position of a window, in order, by way of its rarest signature."""
        rarest = min(range(len(window)), key=lambda at: len(self.places(window[at])))
        wanted, size = array("i", window), len(window)
        for place in self.places(window[rarest]):
            start = place - rarest
            if start >= 0 and self.signatures[start : start + size] == wanted:
                yield start

    def firsts(self, window: Sequence[int]) -> list[int]:
        """List the first position of a window in each conversation."""
        found: list[int] = []
        last = -1
        for start in self.starts(window):
            conversation = self.conversation_of[self.turn[start]]
            if conversation != last:
                found.append(start)
                last = conversation
        return found

    def turns_with(self, window: Sequence[int]) -> int:
        """Count the turns that hold a window."""
        return len({self.turn[start] for start in self.starts(window)})

    def occurrence(self, start: int, length: int) -> Occurrence:
        """Say where a window stands."""
        turn = self.turn[start]
        conversation = self.conversations[self.conversation_of[turn]]
        return Occurrence(conversation, self.turns[turn], tuple(self.refs[start : start + length]))

    def places(self, signature: int) -> Ints:
        """List the positions of a signature, in order."""
        if self._index is None:
            self._index = {}
            for at, name in enumerate(self.signatures):
                self._index.setdefault(name, array("i")).append(at)
        return self._index.get(signature, array("i"))
