"""All routines with loops of a history."""

from collections.abc import Sequence

from .corpus import Corpus
from .counting import closed_windows
from .describe import Describer
from .evidence import Evidence
from .folding import Body, fold
from .looped import LoopJudge
from .selection import Choice
from .types import Settings


def loop_choices(
    corpus: Corpus, bodies: Sequence[Body], evidence: Evidence, describe: Describer, settings: Settings
) -> list[Choice]:
    """Fold the bodies that walk lists, count the folded windows, and describe those that are routines."""
    if not bodies:
        return []
    folded = fold(corpus, bodies)
    judge = LoopJudge(corpus, folded, evidence, settings.min_support, settings.max_steps)
    windows = closed_windows(folded.corpus, settings.min_support, settings.max_steps)
    found = (judge.judge(window) for window in windows)
    return [describe.looped(routine) for routine in found if routine is not None]
