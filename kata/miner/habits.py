"""What a tool's arguments are like everywhere, so that a default is not taken for a tie (design 6.6)."""

from collections.abc import Callable, Iterable, Mapping

from ..json import JsonValue, Path, same
from ..templating import Call
from .coherence import Beginning
from .corpus import Corpus
from .evidence import Evidence

SAMPLE = 64
"""Calls of a tool that stand for all of them: its first ones, so that more history does not change them."""

USUAL = 0.9
"""The share from which on a value is the tool's usual one."""

FOLLOWS = 0.75

Window = tuple[int, ...]


class Habits:
    """Answers from the whole history, for the signatures of one tool at a time."""

    def __init__(
        self, corpus: Corpus, evidence: Evidence, tools: Mapping[int, str], turns: Callable[[Window], int]
    ) -> None:
        self._corpus = corpus
        self._evidence = evidence
        self._tools = tools
        self._samples: dict[Window, list[Call]] = {}
        self.turns = turns

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

    def forget(self, signatures: Iterable[int]) -> None:
        """Look again at the calls of these signatures when next asked."""
        changed = set(signatures)
        for key in [key for key in self._samples if changed.intersection(key)]:
            del self._samples[key]

    def _of_tool(self, signature: int) -> Window:
        tool = self._tools[signature]
        return tuple(number for number, name in sorted(self._tools.items()) if name == tool)

    def _sample(self, signatures: Window) -> list[Call]:
        if signatures not in self._samples:
            places = [place for one in signatures for place in self._corpus.places(one)]
            places.sort(key=lambda place: (self._corpus.number_at(place), place))
            self._samples[signatures] = self._evidence.calls(places[:SAMPLE])
        return self._samples[signatures]


def _begins(value: JsonValue, beginning: Beginning) -> bool:
    return isinstance(value, str) and value.startswith(beginning.text)
