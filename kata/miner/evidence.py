"""The values behind a window, loaded once and only when asked for."""

from collections.abc import Iterable, Sequence

from ..templating import Call
from .corpus import Corpus
from .types import History

Example = tuple[Call, ...]


class Evidence:
    """Turns positions in the corpus into calls with values; each call is decoded and indexed once a pass."""

    def __init__(self, history: History, corpus: Corpus, tools: Sequence[str]) -> None:
        self._history = history
        self._corpus = corpus
        self._tools = tools
        self._calls: dict[int, Call] = {}

    def examples(self, starts: Iterable[int], length: int) -> list[Example]:
        """Load the calls of a window at some positions."""
        places = [range(start, start + length) for start in starts]
        self._load([at for place in places for at in place])
        return [tuple(self._calls[self._corpus.refs[at]] for at in place) for place in places]

    def calls(self, places: Sequence[int]) -> list[Call]:
        """Load single calls."""
        self._load(places)
        return [self._calls[self._corpus.refs[at]] for at in places]

    def _load(self, places: Sequence[int]) -> None:
        refs = {self._corpus.refs[at]: at for at in places}
        missing = {ref: at for ref, at in refs.items() if ref not in self._calls}
        if not missing:
            return
        values = self._history.values(missing)
        for ref, at in missing.items():
            one = values[ref]
            args = one.args if isinstance(one.args, dict) else {}
            tool = self._tools[self._corpus.signatures[at]]
            self._calls[ref] = Call(tool, args, one.result, self._corpus.groups[at], ref)
