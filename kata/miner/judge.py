"""From a frequent window to a template, or the reason why there is none (design 6.4 to 6.7)."""

from collections.abc import Sequence

import attrs

from ..json import JsonValue, Path
from ..templating import Template, generalise
from .coherence import Ties, find_ties, hangs_loose, template_ties
from .corpus import Corpus
from .counting import Window
from .evidence import Evidence, Example
from .habits import Habits


@attrs.frozen(kw_only=True)
class Rejected:
    """A window that is no routine, and why."""

    window: Window
    signatures: tuple[int, ...]
    detail: str


@attrs.frozen(kw_only=True)
class Routine:
    """A window that hangs together, with its template.

    Attributes:
        starts: The first position in each conversation, in order; the evidence.
        examples: The calls there.
    """

    signatures: tuple[int, ...]
    starts: tuple[int, ...]
    examples: tuple[Example, ...]
    template: Template
    ties: Ties


class Judge:
    """Judges windows one by one; values are loaded for those alone that survived counting."""

    def __init__(self, corpus: Corpus, evidence: Evidence, habits: Habits) -> None:
        self._corpus = corpus
        self._evidence = evidence
        self._habits = habits

    def judge(self, window: Window) -> Routine | Rejected:
        """Look at two examples, then at three, then at the first of every conversation; stop at the first fault."""
        signatures = self._corpus.window(window.starts[0], window.length)
        around = _Around(signatures, self._habits)
        loose = self._at_a_glance(window) or self._on_sample(window, around)
        if isinstance(loose, str):
            return Rejected(window=window, signatures=signatures, detail=loose)
        starts = self._corpus.firsts(signatures)
        loaded = self._evidence.examples(starts, window.length)
        if len(loaded) < 2:
            return Rejected(window=window, signatures=signatures, detail="the recorded values were erased")
        return self._in_full(window, signatures, loaded, around)

    def _at_a_glance(self, window: Window) -> str | None:
        pair = list(self._evidence.examples(window.starts[:2], window.length).values())
        loose = hangs_loose(*pair) if len(pair) == 2 else None
        return None if loose is None else _loose(loose)

    def _on_sample(self, window: Window, around: "_Around") -> str | None:
        sample = list(self._evidence.examples(window.starts, window.length).values())
        ties = find_ties(sample, around) if sample else 0
        if isinstance(ties, int):
            return _loose(ties)
        return self._incidental_head(around, ties, window.turns)

    def _in_full(
        self, window: Window, signatures: tuple[int, ...], loaded: dict[int, Example], around: "_Around"
    ) -> Routine | Rejected:
        examples = tuple(loaded.values())
        template = generalise(examples)
        ties = template_ties(template, examples, around)
        reason = _loose(ties) if isinstance(ties, int) else self._incidental_head(around, ties, window.turns)
        if reason is not None or isinstance(ties, int):
            return Rejected(window=window, signatures=signatures, detail=reason or "")
        return Routine(
            signatures=signatures, starts=tuple(loaded), examples=examples, template=template, ties=ties
        )

    def _incidental_head(self, around: "_Around", ties: Ties, turns: int) -> str | None:
        """Tell whether the first step only happened to come before: nothing rests on it, and the rest is more frequent."""
        rest = around.signatures[1:]
        if len(rest) < 2 or ties.used(0) or around.follows(1) or self._habits.turns(rest) <= turns:
            return None
        return "the first step is incidental: the rest recurs more often without it"


def _loose(at: int) -> str:
    return f"nothing ties step {at + 1} to the steps before it"


@attrs.frozen
class _Around:
    """The rest of the history, asked about one window."""

    signatures: Sequence[int]
    _habits: Habits

    def is_usual(self, at: int, path: Path, value: JsonValue) -> bool:
        return self._habits.is_usual(self.signatures[at], path, value)

    def follows(self, at: int) -> bool:
        return self._habits.follows(self.signatures[at - 1], self.signatures[at])
