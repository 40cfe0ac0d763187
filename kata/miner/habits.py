"""What a tool's arguments are like everywhere, so that a default is not taken for a tie (design 6.6)."""

from collections.abc import Mapping, Sequence

from ..json import JsonValue, Path, same
from ..templating import Call
from .coherence import Beginning
from .corpus import Corpus
from .evidence import Evidence

SAMPLE = 64
"""Calls of a tool that stand for all of them, spread evenly over the history."""

USUAL = 0.9
"""The share from which on a value is the tool's usual one."""

FOLLOWS = 0.75


class Habits:
    """Answers from the whole history, for the signatures of one tool at a time."""

    def __init__(self, corpus: Corpus, evidence: Evidence, tools: Mapping[int, str]) -> None:
        self._corpus = corpus
        self._evidence = evidence
        self._tools = tools
        self._turns: dict[tuple[int, ...], int] = {}
        self._samples: dict[tuple[int, ...], list[Call]] = {}

    def turns(self, window: Sequence[int]) -> int:
        """Count the turns that hold a window."""
        key = tuple(window)
        if key not in self._turns:
            self._turns[key] = self._corpus.turns_with(key)
        return self._turns[key]

    def follows(self, before: int, signature: int) -> bool:
        """Tell whether a step comes right after another in three quarters of all its occurrences."""
        return self.turns((before, signature)) >= FOLLOWS * self.turns((signature,))

    def is_usual(self, signature: int, path: Path, value: JsonValue) -> bool:
        """Tell whether an argument nearly always has this value, or begins like this.

        A value is compared with all calls of the tool, a beginning with the calls of the same signature.
        """
        begins = isinstance(value, Beginning)
        calls = self._sample((signature,) if begins else self._of_tool(signature))
        there = [call.leaves()[path] for call in calls if path in call.leaves()]
        alike = sum(_begins(one, value) if begins else same(one, value) for one in there)
        return alike >= USUAL * len(there)

    def _of_tool(self, signature: int) -> tuple[int, ...]:
        tool = self._tools[signature]
        return tuple(number for number, name in sorted(self._tools.items()) if name == tool)

    def _sample(self, signatures: tuple[int, ...]) -> list[Call]:
        if signatures not in self._samples:
            places = sorted(place for one in signatures for place in self._corpus.places(one))
            step = max(1, len(places) // SAMPLE)
            self._samples[signatures] = self._evidence.calls(places[::step][:SAMPLE])
        return self._samples[signatures]


def _begins(value: JsonValue, beginning: Beginning) -> bool:
    return isinstance(value, str) and value.startswith(beginning.text)
