"""A miner that stands by: it keeps its counts and verdicts, so that a pass after one more conversation is short (design 6.8)."""

from collections.abc import Iterable, Sequence

import attrs

from .around import Question, Usual
from .corpus import Corpus
from .counting import SAMPLE, Window
from .counts import Counts
from .describe import Describer
from .evidence import Evidence
from .extension import Settled, is_due
from .folding import Body, Repeats
from .habits import Habits
from .judge import ENOUGH, Judge, Rejected, Routine
from .loops import loop_choices
from .mining import noting
from .nearly import nearly_there
from .ranking import Loose, assemble
from .segments import Run, segment
from .selection import Choice
from .types import CallRow, History, Mined, Settings

Signatures = tuple[int, ...]


@attrs.define
class _Verdict:
    """What became of a window.

    Attributes:
        sample: The conversations of the first examples.
        judged_at: In how many conversations it was then.
        choice: The routine, described; None where it is none.
        settled: What is needed to take in one more occurrence; None where all is looked at again.
        again: It was judged by all of its occurrences, so each further one may change it.
    """

    sample: tuple[int, ...]
    judged_at: int
    choice: Choice | None = None
    settled: Settled | None = None
    again: bool = False


@attrs.define
class _Asked:
    """A question's last answer, and the windows that it was asked for."""

    answer: bool
    windows: set[Signatures] = attrs.field(factory=set)


class Miner:
    """Finds the routines of a history that grows.

    Conversations are put in, grown and taken out by `replace`; `mine` then touches what they touched.
    The same routines, scores and reasons as `kata.miner.mine` finds in the whole history; only what has many examples is
    judged anew no sooner than they have grown by a quarter, as long as new ones fit the template.
    """

    def __init__(self, history: History, settings: Settings) -> None:
        self._history = history
        self._settings = settings
        self._tools: dict[int, str] = {}
        self._corpus = Corpus()
        self._counts = Counts(settings.min_support, settings.max_steps)
        self._evidence = Evidence(history, self._corpus, self._tools)
        self._habits = Habits(self._corpus, self._evidence, self._tools, self._counts.turns)
        self._judge = Judge(self._corpus, self._evidence, self._habits)
        self._repeats = Repeats(self._corpus, self._evidence)
        self._verdicts: dict[Signatures, _Verdict] = {}
        self._chosen: dict[Signatures, Choice] = {}
        self._questions: dict[Signatures, dict[Question, _Asked]] = {}
        self._unsettled: set[int] = set()
        self._shaken: set[Signatures] = set()
        self._loose = Loose()
        self._loops: list[Choice] = []
        self._bodies: list[Body] = []
        self._touched: dict[Signatures, set[int]] = {}
        self._moved: set[int] = set()

    def load(self, rows: Iterable[CallRow]) -> None:
        """Put in a whole history, its rows in order."""
        by_conversation: dict[str, list[CallRow]] = {}
        for row in rows:
            by_conversation.setdefault(row.conversation, []).append(row)
        for conversation, own in by_conversation.items():
            self.replace(conversation, own)

    def replace(self, conversation: str, rows: Iterable[CallRow]) -> None:
        """Put the rows of a conversation in the place of those it had (none: forget it)."""
        runs: list[Run] = list(segment(noting(rows, self._tools)))
        number = self._corpus.number(conversation)
        if self._corpus.runs_of(conversation):
            self._moved.add(number)
        self._corpus.remove(conversation)
        for run in runs:
            self._corpus.add(run)
        self._repeats.note(conversation)
        for window in self._counts.replace(conversation, runs):
            self._touched.setdefault(window, set()).add(number)

    def mine(self) -> Mined:
        """Make a pass over what changed since the last one."""
        describe = Describer(self._corpus, self._history.signatures(), self._tools, self._settings)
        names = {window[0] for window in self._touched if len(window) == 1}
        self._unsettled = self._habits.refresh(names, self._moved)
        for window in sorted(self._stale()):
            self._look_at(window, describe)
        self._look_at_loops(describe)
        self._touched.clear()
        self._moved.clear()
        self._evidence.trim()
        nearly = nearly_there(
            self._corpus, self._bodies, self._evidence, self._judge, describe, self._settings
        )
        return assemble(
            [*self._loops, *self._chosen.values()],
            nearly,
            self._loose,
            describe,
            self._settings,
            self._corpus,
        )

    def _stale(self) -> set[Signatures]:
        """Collect the windows whose verdict may no longer hold: the touched ones, and those whose questions are answered anew."""
        about = {window for window in self._touched if window in self._questions}
        about |= {(name,) for name in self._unsettled if (name,) in self._questions}
        self._shaken = set().union(*map(self._shaken_by, about))
        return {window for window in self._touched if len(window) > 1} | self._shaken

    def _shaken_by(self, about: Signatures) -> set[Signatures]:
        """Ask again what was asked about some signatures; return the windows to which the answer is news."""
        shaken: set[Signatures] = set()
        for question, asked in self._questions[about].items():
            if not isinstance(question, Usual) or question.signature in self._unsettled:
                answer = question.ask(self._habits)
                if answer != asked.answer:
                    asked.answer = answer
                    shaken |= asked.windows
        return shaken & self._verdicts.keys()

    def _look_at(self, window: Signatures, describe: Describer) -> None:
        if window not in self._counts.closed:
            self._verdicts.pop(window, None)
            self._chosen.pop(window, None)
            self._loose.drop(window)
            return
        verdict = self._verdicts.get(window)
        if verdict is None or self._is_outdated(window, verdict):
            self._judge_anew(window, describe)
        elif verdict.choice is not None:
            self._extend(window, verdict, describe)
        elif verdict.again and is_due(self._counts.conversations(window), verdict.judged_at):
            self._judge_anew(window, describe)
        else:
            self._loose.recount(window, self._counts.conversations(window))

    def _is_outdated(self, window: Signatures, verdict: _Verdict) -> bool:
        """Tell whether the first examples, or what else the verdict rests on, are other ones now."""
        count = self._counts.conversations(window)
        return (
            len(verdict.sample) < min(SAMPLE, count)
            or verdict.judged_at < ENOUGH <= count
            or bool(self._moved.intersection(verdict.sample))
            or window in self._shaken
        )

    def _judge_anew(self, window: Signatures, describe: Describer) -> None:
        starts = self._corpus.firsts(window)
        counted = Window(
            tuple(starts[:SAMPLE]),
            len(window),
            self._counts.turns(window),
            self._counts.conversations(window),
        )
        found = self._judge.judge(counted)
        sample = tuple(map(self._corpus.number_at, starts[:SAMPLE]))
        verdict = _Verdict(sample, counted.conversations)
        self._loose.drop(window)
        self._chosen.pop(window, None)
        if isinstance(found.judged, Rejected):
            verdict.again = found.judged.in_full
            self._loose.put(found.judged)
        else:
            verdict.choice = self._chosen[window] = describe.straight(found.judged)
            verdict.settled = _settled(found.judged, verdict.choice)
        self._verdicts[window] = verdict
        for question, answer in found.answers.items():
            asked = self._questions.setdefault(question.about, {}).setdefault(question, _Asked(answer))
            asked.windows.add(window)

    def _extend(self, window: Signatures, verdict: _Verdict, describe: Describer) -> None:
        """Take in the new occurrences where the template bears them, else judge anew."""
        numbers = sorted(self._touched.get(window, ()))
        choice, settled, support = verdict.choice, verdict.settled, self._counts.conversations(window)
        if (
            choice is None
            or settled is None
            or self._moved.intersection(numbers)
            or is_due(support, settled.made_from)
        ):
            self._judge_anew(window, describe)
            return
        new = [self._corpus.starts_in(number, window) for number in numbers]
        first = [starts[0] for starts in new if starts]
        loaded = self._evidence.examples(first, len(window))
        if len(loaded) < len(first) or not all(map(settled.takes, loaded.values())):
            self._judge_anew(window, describe)
            return
        describe.extend(choice, len(window), support, new)

    def _look_at_loops(self, describe: Describer) -> None:
        bodies = self._repeats.bodies()
        if bodies != self._bodies or any(body in self._touched for body in bodies):
            self._loops = loop_choices(self._corpus, bodies, self._evidence, describe, self._settings)
        self._bodies = bodies


def _settled(routine: Routine, choice: Choice) -> Settled | None:
    """Return what is needed to extend a routine; None for those that are always made anew."""
    spec = choice.found.spec
    if routine.partial or routine.template.misses or spec is None or _repeats(routine.signatures):
        return None
    return Settled(spec, routine.template.steps, len(routine.starts))


def _repeats(signatures: Sequence[int]) -> bool:
    return len(set(signatures)) < len(signatures)
