"""One pass over a history: what is proposed, and why the rest is not (design 6)."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache

from .corpus import Corpus
from .counting import closed_windows
from .describe import Describer
from .evidence import Evidence
from .folding import fold, loop_bodies
from .habits import Habits
from .judge import Judge, Rejected
from .looped import LoopJudge
from .segments import segment
from .selection import Choice, choose
from .types import CallRow, Found, History, Mined, Settings

Progress = Callable[[int, int], None]

SEEN_KEPT = 200
"""Loose windows that a pass names; the rest are counts."""


def mine(history: History, settings: Settings, *, progress: Progress | None = None) -> Mined:
    """Find the routines of a history: the same for the same history, in any process and under any hash seed.

    Args:
        history: The recorded calls; values are loaded for frequent windows alone.
        settings: The thresholds.
        progress: Told how many windows of how many are judged.
    """
    tools: dict[int, str] = {}
    corpus = Corpus(segment(_noting(history.rows(), tools)))
    return Pass(history, settings, corpus, tools).run(progress)


def _noting(rows: Iterable[CallRow], tools: dict[int, str]) -> Iterator[CallRow]:
    for row in rows:
        tools[row.signature] = row.tool
        yield row


class Pass:
    """The work of one pass, and what it keeps while it runs."""

    def __init__(self, history: History, settings: Settings, corpus: Corpus, tools: Mapping[int, str]) -> None:
        self._settings = settings
        self._corpus = corpus
        self._evidence = Evidence(history, corpus, tools)
        self._judge = Judge(corpus, self._evidence, Habits(corpus, self._evidence, tools, cache(corpus.turns_with)))
        self._describe = Describer(corpus, history.signatures(), tools, settings)

    def run(self, progress: Progress | None) -> Mined:
        windows = closed_windows(self._corpus, self._settings.min_support, self._settings.max_steps)
        choices: list[Choice] = list(self._loops())
        rejected: list[Rejected] = []
        for done, window in enumerate(windows):
            if progress is not None:
                progress(done, len(windows))
            judged = self._judge.judge(window).judged
            if isinstance(judged, Rejected):
                rejected.append(judged)
            else:
                choices.append(self._describe.straight(judged))
        return self._mined(choose(choices, self._settings.min_support), rejected)

    def _loops(self) -> Iterator[Choice]:
        bodies = loop_bodies(self._corpus, self._evidence)
        if not bodies:
            return
        support, steps = self._settings.min_support, self._settings.max_steps
        folded = fold(self._corpus, bodies)
        judge = LoopJudge(self._corpus, folded, self._evidence, support, steps)
        for window in closed_windows(folded.corpus, support, steps):
            routine = judge.judge(window)
            if routine is not None:
                yield self._describe.looped(routine)

    def _mined(self, found: Sequence[Found], rejected: Sequence[Rejected]) -> Mined:
        candidates = sorted((one for one in found if not one.blocked_by), key=_best_first)
        held = sorted((one for one in found if one.blocked_by), key=_best_first)
        loose = sorted(rejected, key=lambda one: (-one.window.conversations, -one.window.length, one.signatures))
        counts = Counter(one.blocked_by[0] for one in held) + Counter({"coherence": len(rejected)})
        return Mined(
            candidates=tuple(candidates),
            seen=(*held, *map(self._describe.loose, loose[:SEEN_KEPT])),
            calls=self._corpus.calls,
            conversations=self._corpus.live_conversations,
            counts=dict(sorted(counts.items())),
        )


def _best_first(found: Found) -> tuple[float, int, int, tuple[str, ...]]:
    return (-found.confidence, -len(found.signatures), -found.support, found.signatures)
