"""From a frequent window to a template, or the reason why there is none (design 6.4 to 6.7)."""

from collections.abc import Sequence

import attrs

from ..json import JsonValue, Path
from ..templating import Template, generalise
from .agreement import agreeing
from .coherence import Glance, Ties, any_alike, find_ties, template_ties
from .corpus import Corpus
from .counting import Window
from .evidence import Evidence, Example
from .folding import MAX_BODY, walks
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
        partial: Not every place with these signatures is an occurrence.
        against: Conversations in which the same tools were wired otherwise.
    """

    signatures: tuple[int, ...]
    starts: tuple[int, ...]
    examples: tuple[Example, ...]
    template: Template
    ties: Ties
    partial: bool = False
    against: int = 0

    @property
    def fit_rate(self) -> float:
        """The share of conversations that are reproduced when held out."""
        count = len(self.examples)
        return (count - len(self.template.misses)) / (count + self.against)


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
        loose = self._at_a_glance(window, around) or self._on_sample(window, around)
        if isinstance(loose, str):
            return Rejected(window=window, signatures=signatures, detail=loose)
        starts = self._corpus.firsts(signatures)
        loaded = self._evidence.examples(starts, window.length)
        if len(loaded) < 2:
            return Rejected(window=window, signatures=signatures, detail="the recorded values were erased")
        judged = self._in_full(window, signatures, loaded, around)
        return self._in_part(window, loaded, around, judged) if isinstance(judged, Rejected) else judged

    def _in_part(
        self, window: Window, loaded: dict[int, Example], around: "_Around", judged: Rejected
    ) -> Routine | Rejected:
        """Try the examples that agree with each other, where not all do."""
        found = agreeing(tuple(loaded.values()))
        if found is None:
            return judged
        starts = list(loaded)
        part = {starts[i]: loaded[starts[i]] for i in found.members}
        again = self._in_full(window, judged.signatures, part, around)
        return judged if isinstance(again, Rejected) else attrs.evolve(again, partial=True, against=found.against)

    def _at_a_glance(self, window: Window, around: "_Around") -> str | None:
        """Look at one example, then at a second: most windows fall here, before much is loaded."""
        examples: list[Example] = []
        for start in window.starts[:2]:
            examples += self._evidence.examples((start,), window.length).values()
            look = Glance(examples) if examples else None
            loose = look.loose(lambda at: self._alike(window, at)) if look else None
            if loose is not None:
                return _loose(loose)
        return self._incidental_head(around, look.ties(), window.turns) if look else None

    def _alike(self, window: Window, at: int) -> bool:
        calls = self._evidence.calls([start + at for start in window.starts[:2]])
        return len(calls) < 2 or any_alike(*calls)

    def _on_sample(self, window: Window, around: "_Around") -> str | None:
        sample = list(self._evidence.examples(window.starts, window.length).values())
        ties = find_ties(sample, around) if sample else 0
        return _loose(ties) if isinstance(ties, int) else None

    def _in_full(
        self, window: Window, signatures: tuple[int, ...], loaded: dict[int, Example], around: "_Around"
    ) -> Routine | Rejected:
        examples = tuple(loaded.values())
        template = generalise(examples)
        ties = template_ties(template, examples, around)
        reason = _loose(ties) if isinstance(ties, int) else self._incidental_head(around, ties, window.turns)
        reason = reason or _unrolled(signatures, examples)
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


def _unrolled(signatures: Sequence[int], examples: Sequence[Example]) -> str | None:
    """Tell whether a window repeats calls over a list: a loop, or one round alone, is the routine, not one per length."""
    for size in range(1, MAX_BODY + 1):
        for at in range(1, len(signatures) - 2 * size + 1):
            body = signatures[at : at + size]
            if body == signatures[at + size : at + 2 * size]:
                walking = sum(any(True for _ in walks(one[:at], (one[at : at + size], one[at + size : at + 2 * size]))) for one in examples)
                if 2 * walking >= len(examples):
                    return f"step {at + 1} is repeated over a list, as often as the list is long"
    return None


@attrs.frozen
class _Around:
    """The rest of the history, asked about one window."""

    signatures: Sequence[int]
    _habits: Habits

    def is_usual(self, at: int, path: Path, value: JsonValue) -> bool:
        return self._habits.is_usual(self.signatures[at], path, value)

    def follows(self, at: int) -> bool:
        return self._habits.follows(self.signatures[at - 1], self.signatures[at])
