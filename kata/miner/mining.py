"""One pass over a history: what is proposed, and why the rest is not (design 6)."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from math import isnan

from ..spec import Spec

from .corpus import Corpus
from .counting import closed_windows
from .draft import draft_spec, obstacles
from .evidence import Evidence
from .habits import Habits
from .judge import Judge, Rejected, Routine
from .keys import pattern_key
from .naming import suggest_name
from .notes import argument_notes, otherwise_warnings, setting_warnings, warnings
from .scoring import confidence, shortfalls
from .segments import segment
from .selection import Choice, choose
from .types import CallRow, Found, History, Mined, Occurrence, Settings

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

    def __init__(self, history: History, settings: Settings, corpus: Corpus, tools: dict[int, str]) -> None:
        self._settings = settings
        self._corpus = corpus
        self._texts = history.signatures()
        self._tools = tools
        evidence = Evidence(history, corpus, tools)
        self._judge = Judge(corpus, evidence, Habits(corpus, evidence, tools))

    def run(self, progress: Progress | None) -> Mined:
        windows = closed_windows(self._corpus, self._settings.min_support, self._settings.max_steps)
        routines: list[Routine] = []
        rejected: list[Rejected] = []
        for done, window in enumerate(windows):
            if progress is not None:
                progress(done, len(windows))
            judged = self._judge.judge(window)
            (rejected if isinstance(judged, Rejected) else routines).append(judged)  # type: ignore[arg-type]
        found = choose(map(self._choice, routines), self._settings.min_support)
        return self._mined(found, rejected)

    def _mined(self, found: Sequence[Found], rejected: Sequence[Rejected]) -> Mined:
        candidates = sorted((one for one in found if not one.blocked_by), key=_best_first)
        held = sorted((one for one in found if one.blocked_by), key=_best_first)
        loose = sorted(rejected, key=lambda one: (-one.window.conversations, -one.window.length, one.signatures))
        counts = Counter(one.blocked_by[0] for one in held) + Counter({"coherence": len(rejected)})
        return Mined(
            candidates=tuple(candidates),
            seen=(*held, *map(self._loose, loose[:SEEN_KEPT])),
            calls=self._corpus.calls,
            conversations=len(self._corpus.conversations),
            counts=dict(sorted(counts.items())),
        )

    def _choice(self, routine: Routine) -> Choice:
        size = len(routine.signatures)
        starts = routine.starts if routine.partial else self._corpus.starts(routine.signatures)
        places = [self._corpus.occurrence(start, size) for start in starts]
        return Choice(self._found(routine), tuple((one.conversation, frozenset(one.refs)) for one in places))

    def _found(self, routine: Routine) -> Found:
        spec = draft_spec(routine.template, routine.examples)
        signatures = tuple(self._texts[one] for one in routine.signatures)
        support = len(routine.starts)
        fit = routine.fit_rate
        held_out = routine.template.fit_rate
        reasons = {**obstacles(spec, routine.examples), **shortfalls(fit, held_out, support, self._settings)}
        return Found(
            key=pattern_key(signatures, spec),
            signatures=signatures,
            tools=tuple(self._tools[one] for one in routine.signatures),
            spec=spec,
            occurrences=self._occurrences(routine.starts, len(signatures)),
            support=support,
            fit_rate=fit,
            confidence=confidence(fit, support),
            blocked_by=tuple(reasons),
            detail="; ".join(reasons.values()),
            name=suggest_name(spec),
            arguments=argument_notes(routine.template.steps, support),
            warnings=self._warnings(routine, spec),
        )

    def _loose(self, one: Rejected) -> Found:
        signatures = tuple(self._texts[name] for name in one.signatures)
        return Found(
            key=pattern_key(signatures, None),
            signatures=signatures,
            tools=tuple(self._tools[name] for name in one.signatures),
            spec=None,
            occurrences=self._occurrences(one.window.starts, len(signatures)),
            support=one.window.conversations,
            fit_rate=0.0,
            confidence=0.0,
            blocked_by=("coherence",),
            detail=one.detail,
            name="",
        )

    def _occurrences(self, starts: Sequence[int], length: int) -> tuple[Occurrence, ...]:
        return tuple(self._corpus.occurrence(start, length) for start in starts)

    def _warnings(self, routine: Routine, spec: Spec) -> tuple[str, ...]:
        moments = [self._corpus.at[start] for start in routine.starts]
        days = [datetime.fromtimestamp(at, UTC).date().isoformat() for at in moments if not isnan(at)]
        conversations = [self._corpus.occurrence(start, 1).conversation for start in routine.starts]
        return (
            *warnings(routine.template, spec, routine.examples),
            *setting_warnings(days if len(days) == len(moments) else (), conversations),
            *otherwise_warnings(routine.against, len(conversations)),
        )


def _best_first(found: Found) -> tuple[float, int, int, tuple[str, ...]]:
    return (-found.confidence, -len(found.signatures), -found.support, found.signatures)
