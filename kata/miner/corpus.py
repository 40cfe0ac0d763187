"""The usable calls of a history as packed integers, and where a window stands in them."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from math import nan
from typing import TypeAlias

from .segments import Run
from .types import Occurrence

Ints: TypeAlias = "array[int]"

GONE = -1
"""Stands between runs, and in the place of calls that were taken out."""


class Corpus:
    """Runs laid end to end, a gap of one between them.

    A conversation keeps its number when it is taken out and put in again longer: numbers are the order of the history.
    """

    def __init__(self, runs: Iterable[Run] = ()) -> None:
        self.signatures = array("i")
        self.turn = array("i")
        self.conversation_of = array("i")
        self.conversations: list[str] = []
        self.turns: list[str] = []
        self.refs = array("q")
        self.groups: list[str] = []
        self.at = array("d")
        self.calls = 0
        self._numbers: dict[str, int] = {}
        self._spans: dict[int, list[tuple[int, int]]] = {}
        self._index: dict[int, Ints] | None = None
        self._in_order = True
        self._last = GONE
        for run in runs:
            self.add(run)

    def __len__(self) -> int:
        return len(self.signatures)

    @property
    def live_conversations(self) -> int:
        """How many conversations have calls here."""
        return len(self._spans)

    def add(self, run: Run) -> None:
        """Append a run; the runs of a conversation, and in it those of a turn, come one after the other."""
        number = self.number(run.conversation)
        self._in_order = self._in_order and number >= self._last
        self._last = number
        self._begin(number, run.turn)
        start, size = len(self.signatures), len(run.signatures) + 1
        self.signatures.extend(run.signatures)
        self.signatures.append(GONE)
        self.refs.extend(run.refs)
        self.refs.append(GONE)
        self.groups.extend(run.groups)
        self.groups.append("")
        self.at.extend([nan if at is None else at for at in run.at])
        self.at.extend([nan] * (size - len(run.at)))
        self.turn.extend(array("i", [len(self.turns) - 1]) * size)
        self.calls += size - 1
        self._spans.setdefault(number, []).append((start, start + size - 1))
        for at in range(start, start + size - 1) if self._index is not None else ():
            self._index.setdefault(self.signatures[at], array("i")).append(at)  # type: ignore[union-attr]

    def number(self, conversation: str) -> int:
        """Return the number of a conversation, the next one where it is new."""
        number = self._numbers.setdefault(conversation, len(self.conversations))
        if number == len(self.conversations):
            self.conversations.append(conversation)
        return number

    def remove(self, conversation: str) -> None:
        """Take a conversation's calls out."""
        for start, end in self._spans.pop(self._numbers.get(conversation, GONE), ()):
            self.signatures[start:end] = array("i", [GONE]) * (end - start)
            self.calls -= end - start

    def runs_of(self, conversation: str) -> list[tuple[int, int]]:
        """List where the runs of a conversation begin and end."""
        return self._spans.get(self._numbers.get(conversation, GONE), [])

    def number_at(self, place: int) -> int:
        """Return the number of the conversation that a position belongs to."""
        return self.conversation_of[self.turn[place]]

    def window(self, start: int, length: int) -> tuple[int, ...]:
        """Return the signatures of a window."""
        return tuple(self.signatures[start : start + length])

    def starts(self, window: Sequence[int]) -> Iterable[int]:
        """Return every position of a window, in the order of the history, by way of its rarest signature."""
        found = self._starts(window)
        return found if self._in_order else sorted(found, key=lambda start: (self.number_at(start), start))

    def firsts(self, window: Sequence[int]) -> list[int]:
        """List the first position of a window in each conversation."""
        found: list[int] = []
        last = GONE
        for start in self.starts(window):
            conversation = self.number_at(start)
            if conversation != last:
                found.append(start)
                last = conversation
        return found

    def starts_in(self, number: int, window: Sequence[int]) -> list[int]:
        """List the positions of a window in one conversation, by its number."""
        wanted, size = array("i", window), len(window)
        return [
            at
            for start, end in self._spans.get(number, ())
            for at in range(start, end - size + 1)
            if self.signatures[at : at + size] == wanted
        ]

    def turns_with(self, window: Sequence[int]) -> int:
        """Count the turns that hold a window."""
        return len({self.turn[start] for start in self._starts(window)})

    def occurrence(self, start: int, length: int) -> Occurrence:
        """Say where a window stands."""
        turn = self.turn[start]
        conversation = self.conversations[self.conversation_of[turn]]
        return Occurrence(conversation, self.turns[turn], tuple(self.refs[start : start + length]))

    def places(self, signature: int) -> Sequence[int]:
        """Return the positions of a signature, in the order of the history."""
        return list(self.starts((signature,)))

    def _begin(self, number: int, turn: str) -> None:
        if not self.turns or self.turns[-1] != turn or self.conversation_of[-1] != number:
            self.turns.append(turn)
            self.conversation_of.append(number)

    def _starts(self, window: Sequence[int]) -> Iterator[int]:
        rarest = min(range(len(window)), key=lambda at: len(self._all_places(window[at])))
        wanted, size = array("i", window), len(window)
        for place in self._all_places(window[rarest]):
            start = place - rarest
            if start >= 0 and self.signatures[start : start + size] == wanted:
                yield start

    def _all_places(self, signature: int) -> Ints:
        """Return the positions of a signature, those of calls taken out among them."""
        if self._index is None:
            self._index = {}
            for at, name in enumerate(self.signatures):
                self._index.setdefault(name, array("i")).append(at)
        return self._index.get(signature, array("i"))
