"""What a tool's arguments are like everywhere, so that a default is not taken for a tie (design 6.6)."""

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet

import attrs

from ..json import JsonValue, Path, canonical, same
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


@attrs.frozen
class _Sample:
    """The first calls of a tool or signature, and the conversations that they are from."""

    calls: tuple[Call, ...]
    conversations: frozenset[int]


class Habits:
    """Answers from the whole history."""

    def __init__(
        self, corpus: Corpus, evidence: Evidence, tools: Mapping[int, str], turns: Callable[[Window], int]
    ) -> None:
        self._corpus = corpus
        self._evidence = evidence
        self._tools = tools
        self._samples: dict[str | int, _Sample] = {}
        self._usual: dict[str | int, dict[tuple[Path, str], bool]] = {}
        self.turns = turns

    def follows(self, before: int, signature: int) -> bool:
        """Tell whether a step comes right after another in three quarters of all its occurrences."""
        return self.turns((before, signature)) >= FOLLOWS * self.turns((signature,))

    def is_usual(self, signature: int, path: Path, value: JsonValue) -> bool:
        """Tell whether an argument nearly always has this value, or begins like this.

        A value is compared with all calls of the tool, a beginning with the calls of the same signature.
        """
        key = signature if isinstance(value, Beginning) else self._tools[signature]
        known = self._usual.setdefault(key, {})
        asked = (path, canonical(value.text if isinstance(value, Beginning) else [value]))
        if asked not in known:
            known[asked] = self._look(key, path, value)
        return known[asked]

    def refresh(self, touched: AbstractSet[int], moved: AbstractSet[int]) -> set[int]:
        """Drop the samples that are others now, and return the signatures that they speak of.

        Args:
            touched: Signatures that calls were added to or taken from.
            moved: Numbers of the conversations that calls were taken from.
        """
        tools = {self._tools[signature] for signature in touched}
        changed = [
            key
            for key, sample in self._samples.items()
            if (key in touched or key in tools)
            and (len(sample.calls) < SAMPLE or sample.conversations & moved)
        ]
        for key in changed:
            del self._samples[key]
            self._usual.pop(key, None)
        return {signature for key in changed for signature in self._of(key)}

    def _look(self, key: str | int, path: Path, value: JsonValue) -> bool:
        calls = self._sample(key)
        there = [call.leaves()[path] for call in calls if path in call.leaves()]
        alike = sum(
            _begins(one, value) if isinstance(value, Beginning) else same(one, value) for one in there
        )
        return alike >= USUAL * len(there)

    def _of(self, key: str | int) -> list[int]:
        return (
            [key]
            if isinstance(key, int)
            else [one for one, tool in sorted(self._tools.items()) if tool == key]
        )

    def _sample(self, key: str | int) -> tuple[Call, ...]:
        if key not in self._samples:
            places = [place for one in self._of(key) for place in self._corpus.places(one)]
            places.sort(key=lambda place: (self._corpus.number_at(place), place))
            first = places[:SAMPLE]
            conversations = frozenset(map(self._corpus.number_at, first))
            self._samples[key] = _Sample(tuple(self._evidence.calls(first)), conversations)
        return self._samples[key].calls


def _begins(value: JsonValue, beginning: Beginning) -> bool:
    return isinstance(value, str) and value.startswith(beginning.text)
