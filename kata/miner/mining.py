"""One pass over a whole history: what is proposed, and why the rest is not (design 6)."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache

from .corpus import Corpus
from .counting import closed_windows
from .describe import Describer
from .evidence import Evidence
from .folding import Repeats
from .habits import Habits
from .judge import Judge, Rejected
from .loops import loop_choices
from .nearly import nearly_there
from .ranking import Loose, assemble
from .segments import segment
from .selection import Choice
from .types import CallRow, History, Mined, Settings

Progress = Callable[[int, int], None]


def mine(history: History, settings: Settings, *, progress: Progress | None = None) -> Mined:
    """Find the routines of a history: the same for the same history, in any process and under any hash seed.

    Args:
        history: The recorded calls; values are loaded for frequent windows alone.
        settings: The thresholds.
        progress: Told how many windows of how many are judged.
    """
    tools: dict[int, str] = {}
    corpus = Corpus(segment(noting(history.rows(), tools)))
    evidence = Evidence(history, corpus, tools)
    judge = Judge(corpus, evidence, Habits(corpus, evidence, tools, cache(corpus.turns_with)))
    describe = Describer(corpus, history.signatures(), tools, settings)
    repeats = Repeats(corpus, evidence)
    for conversation in corpus.conversations:
        repeats.note(conversation)
    bodies = repeats.bodies()
    choices: list[Choice] = loop_choices(corpus, bodies, evidence, describe, settings)
    loose = Loose()
    windows = closed_windows(corpus, settings.min_support, settings.max_steps)
    for done, window in enumerate(windows):
        if progress is not None:
            progress(done, len(windows))
        judged = judge.judge(window).judged
        if isinstance(judged, Rejected):
            loose.put(judged)
        else:
            choices.append(describe.straight(judged))
    nearly = nearly_there(corpus, bodies, evidence, judge, describe, settings)
    return assemble(choices, nearly, loose, describe, settings, corpus)


def noting(rows: Iterable[CallRow], tools: dict[int, str]) -> Iterator[CallRow]:
    """Pass rows on and note the tool of each signature."""
    for row in rows:
        tools[row.signature] = row.tool
        yield row
