"""From a frequent window to a template, or the reason why there is none (design 6.4 to 6.7)."""

from collections.abc import Mapping, Sequence

import attrs

from ..templating import Template, generalise
from .agreement import agreeing
from .around import Around, Question
from .coherence import Glance, Ties, find_ties, is_fixed, template_ties
from .corpus import Corpus
from .counting import Window
from .evidence import Evidence, Example
from .folding import MAX_BODY, walks
from .habits import Habits

ENOUGH = 8
"""Conversations from which on two of three examples that hang together are reason to look at all."""

VOTERS = 16
"""Examples, spread over the history, that are asked first whether most of them agree."""


@attrs.frozen(kw_only=True)
class Rejected:
    """A window that is no routine, and why.

    Attributes:
        in_full: It was judged by all of its conversations, not by the first few alone.
    """

    window: Window
    signatures: tuple[int, ...]
    detail: str
    in_full: bool = False


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
    partial: bool = False
    against: int = 0

    @property
    def fit_rate(self) -> float:
        """The share of conversations that are reproduced when held out."""
        count = len(self.examples)
        return (count - len(self.template.misses)) / (count + self.against)


@attrs.frozen
class Verdict:
    """What became of a window, and what it rests on beside the window itself."""

    judged: Routine | Rejected
    answers: Mapping[Question, bool]


@attrs.frozen
class _Fault:
    """Why the first examples are no routine, and how many of them show it (0: no example does)."""

    reason: str
    looked_at: int = 0


class Judge:
    """Judges windows one by one; values are loaded for those alone that survived counting."""

    def __init__(self, corpus: Corpus, evidence: Evidence, habits: Habits) -> None:
        self._corpus = corpus
        self._evidence = evidence
        self._habits = habits

    def judge(self, window: Window) -> Verdict:
        """Look at one example, at two, at three, then at the first of every conversation; stop at the first fault."""
        around = Around(self._corpus.window(window.starts[0], window.length), self._habits)
        fault = self._at_a_glance(window, around) or self._on_sample(window, around)
        if fault is None:
            return Verdict(self._on_all(window, around), around.answers)
        worth = self._is_worth_more(window, fault, around)
        routine = self._on_most(window, around) if worth else None
        rejected = Rejected(window=window, signatures=around.signatures, detail=fault.reason, in_full=worth)
        return Verdict(routine or rejected, around.answers)

    def _at_a_glance(self, window: Window, around: Around) -> "_Fault | None":
        """Look at one example, then at a second: most windows fall here, before much is loaded."""
        examples: list[Example] = []
        for start in window.starts[:2]:
            examples += self._evidence.examples((start,), window.length).values()
            look = Glance(examples) if examples else None
            loose = look.loose(lambda at: self._is_fixed(window, at, around)) if look else None
            if loose is not None:
                return _Fault(_loose(loose), len(examples))
        reason = _incidental_head(around, look.ties()) if look else None
        return None if reason is None else _Fault(reason)

    def _is_fixed(self, window: Window, at: int, around: Around) -> bool:
        calls = self._evidence.calls([start + at for start in window.starts[:2]])
        return len(calls) < 2 or is_fixed(calls, at, around)

    def _on_sample(self, window: Window, around: Around) -> "_Fault | None":
        sample = list(self._evidence.examples(window.starts, window.length).values())
        ties = find_ties(sample, around) if sample else 0
        return _Fault(_loose(ties), len(sample)) if isinstance(ties, int) else None

    def _is_worth_more(self, window: Window, fault: "_Fault", around: Around) -> bool:
        """Tell whether two of the three examples hang together, each for itself: the third may be another use of the tools."""
        if window.conversations < ENOUGH or not fault.looked_at:
            return False
        sample = list(self._evidence.examples(window.starts, window.length).values())
        allowed = 0 if fault.looked_at == 1 else 1
        for example in reversed(sample[1:] if fault.looked_at == 1 else sample):
            look = Glance([example], sample)
            allowed -= look.loose(lambda at: self._is_fixed(window, at, around)) is not None
            if allowed < 0:
                return False
        return True

    def _on_all(self, window: Window, around: Around) -> Routine | Rejected:
        loaded = self._evidence.examples(self._corpus.firsts(around.signatures), window.length)
        judged = self._in_full(loaded, around) if len(loaded) > 1 else "the recorded values were erased"
        if isinstance(judged, Routine):
            return judged
        return self._in_part(loaded, around) or Rejected(
            window=window, signatures=around.signatures, detail=judged, in_full=True
        )

    def _on_most(self, window: Window, around: Around) -> Routine | None:
        starts = self._corpus.firsts(around.signatures)
        few = self._evidence.examples(starts[:: max(1, len(starts) // VOTERS)], window.length)
        if agreeing(tuple(few.values())) is None:
            return None
        return self._in_part(self._evidence.examples(starts, window.length), around)

    def _in_part(self, loaded: dict[int, Example], around: Around) -> Routine | None:
        """Try the examples that agree with each other, where not all do."""
        found = agreeing(tuple(loaded.values())) if loaded else None
        if found is None or len(found.members) == len(loaded):
            return None
        starts = list(loaded)
        part = {starts[i]: loaded[starts[i]] for i in found.members}
        judged = self._in_full(part, around)
        return None if isinstance(judged, str) else attrs.evolve(judged, partial=True, against=found.against)

    def _in_full(self, loaded: dict[int, Example], around: Around) -> Routine | str:
        examples = tuple(loaded.values())
        template = generalise(examples)
        ties = template_ties(template, examples, around)
        if isinstance(ties, int):
            return _loose(ties)
        reason = _incidental_head(around, ties) or _unrolled(around.signatures, examples)
        return reason or Routine(
            signatures=around.signatures, starts=tuple(loaded), examples=examples, template=template
        )


def _incidental_head(around: Around, ties: Ties) -> str | None:
    """Tell whether the first step only happened to come before: nothing rests on it, and the rest is more frequent."""
    if len(around.signatures) < 3 or ties.used(0) or around.follows(1) or not around.recurs_without_first():
        return None
    return "the first step is incidental: the rest recurs more often without it"


def _loose(at: int) -> str:
    return f"nothing ties step {at + 1} to the steps before it"


def _unrolled(signatures: Sequence[int], examples: Sequence[Example]) -> str | None:
    """Tell whether a window repeats calls over a list: a loop, or one round alone, is the routine, not one per length."""
    for size in range(1, MAX_BODY + 1):
        for at in range(1, len(signatures) - 2 * size + 1):
            if signatures[at : at + size] == signatures[at + size : at + 2 * size]:
                walking = sum(_walks_on(example, at, size) for example in examples)
                if 2 * walking >= len(examples):
                    return f"step {at + 1} is repeated over a list, as often as the list is long"
    return None


def _walks_on(example: Example, at: int, size: int) -> bool:
    rounds = (example[at : at + size], example[at + size : at + 2 * size])
    return any(True for _ in walks(example[:at], rounds))
