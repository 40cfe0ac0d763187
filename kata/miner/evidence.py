"""The values behind a window, loaded once and only when asked for."""

from collections.abc import Mapping, Sequence

from ..templating import Call
from .corpus import Corpus
from .types import CallValues, History

Example = tuple[Call, ...]

MAX_KEPT = 20_000
"""Calls that a standing miner keeps between two passes."""


class Evidence:
    """Turns positions in the corpus into calls with values; each call is decoded and indexed once a pass."""

    def __init__(self, history: History, corpus: Corpus, tools: Mapping[int, str]) -> None:
        self._history = history
        self._corpus = corpus
        self._tools = tools
        self._calls: dict[int, Call] = {}

    def examples(self, starts: Sequence[int], length: int) -> dict[int, Example]:
        """Load the calls of a window, by the position of its beginning; those whose values were erased are left out."""
        self._load([at for start in starts for at in range(start, start + length)])
        found: dict[int, Example] = {}
        for start in starts:
            calls = [self._calls.get(self._corpus.refs[at]) for at in range(start, start + length)]
            if all(call is not None for call in calls):
                found[start] = tuple(call for call in calls if call is not None)
        return found

    def call(self, place: int) -> Call | None:
        """Load one call; None where its values were erased."""
        self._load((place,))
        return self._calls.get(self._corpus.refs[place])

    def calls(self, places: Sequence[int]) -> list[Call]:
        """Load single calls."""
        self._load(places)
        found = (self._calls.get(self._corpus.refs[at]) for at in places)
        return [call for call in found if call is not None]

    def trim(self) -> None:
        """Let go of the loaded calls once they are many; they are loaded again when asked for."""
        if len(self._calls) > MAX_KEPT:
            self._calls.clear()

    def _load(self, places: Sequence[int]) -> None:
        refs = {self._corpus.refs[at]: at for at in places}
        missing = {ref: at for ref, at in refs.items() if ref not in self._calls}
        if not missing:
            return
        values = self._history.values(missing)
        for ref, at in missing.items():
            if ref in values:
                tool = self._tools[self._corpus.signatures[at]]
                self._calls[ref] = _call(tool, values[ref], self._corpus.groups[at], ref)


def _call(tool: str, values: CallValues, group: str, ref: int) -> Call:
    args = values.args if isinstance(values.args, dict) else {}
    return Call(tool, args, values.result, group, ref, values.exit_code, values.truncated)
