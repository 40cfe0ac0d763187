"""What is one conversation short of a proposal: told while the history is small, so that a newcomer sees Kata at work."""

from collections.abc import Iterator, Sequence

import attrs

from .corpus import Corpus
from .counting import Window, closed_windows
from .describe import Describer
from .evidence import Evidence
from .folding import Body
from .judge import Judge, Routine
from .loops import loop_choices
from .types import Found, Settings

SMALL = 2_000
"""Calls of history from which on chance alone makes too many of these."""

LOOKED_AT = 100
"""Windows that are judged, the longest first: whatever the history, telling of these takes no time."""

KEPT = 10


def nearly_there(
    corpus: Corpus,
    bodies: Sequence[Body],
    evidence: Evidence,
    judge: Judge,
    describe: Describer,
    settings: Settings,
) -> list[Found]:
    """List the longest routines that were done in all but one of the conversations that it takes."""
    fewer = attrs.evolve(settings, min_support=settings.min_support - 1)
    if fewer.min_support < 2 or corpus.calls > SMALL:
        return []
    judged = (judge.judge(window).judged for window in _short_of_one(corpus, fewer))
    found = [describe.straight(one).found for one in judged if isinstance(one, Routine)]
    loops = (one.found for one in loop_choices(corpus, bodies, evidence, describe, fewer))
    found += [one for one in loops if one.support == fewer.min_support]
    return sorted(found, key=lambda one: (-len(one.signatures), one.signatures))[:KEPT]


def _short_of_one(corpus: Corpus, fewer: Settings) -> Iterator[Window]:
    closed = closed_windows(corpus, fewer.min_support, fewer.max_steps)
    windows = [one for one in closed if one.conversations == fewer.min_support]
    windows.sort(key=lambda one: (-one.length, corpus.window(one.starts[0], one.length)))
    for one in windows[:LOOKED_AT]:
        starts = corpus.firsts(corpus.window(one.starts[0], one.length))
        yield attrs.evolve(one, starts=tuple(starts))
