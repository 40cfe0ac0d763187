"""What is told of a routine: its spec, scores, name, reasons and warnings, as one `Found`."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from math import isnan

import attrs

from ..spec import Loop, Spec, Step
from ..templating import Call
from ..templating.generalise import Drafted
from ..templating.loops import DraftedLoop, Rounds
from .corpus import Corpus
from .draft import draft_loops, draft_spec, obstacles
from .judge import Rejected, Routine
from .keys import pattern_key
from .looped import LoopedRoutine, Place
from .naming import suggest_name
from .notes import argument_notes, loop_notes, otherwise_warnings, setting_warnings, step_warnings, warnings
from .scoring import confidence, shortfalls
from .selection import Choice
from .types import Found, Occurrence, Settings


class Describer:
    """Turns what was judged into what is told."""

    def __init__(
        self, corpus: Corpus, texts: Sequence[str], tools: Mapping[int, str], settings: Settings
    ) -> None:
        self._corpus = corpus
        self._texts = texts
        self._tools = tools
        self._settings = settings

    def straight(self, routine: Routine) -> Choice:
        """Describe a routine without loops."""
        corpus, size = self._corpus, len(routine.signatures)
        spec = draft_spec(routine.template, routine.examples)
        held_out, support = routine.template.fit_rate, len(routine.starts)
        reasons = {
            **obstacles(spec, routine.examples),
            **shortfalls(routine.fit_rate, held_out, support, self._settings),
        }
        starts = routine.starts if routine.partial else tuple(corpus.starts(routine.signatures))
        found = self._found(
            routine.signatures,
            spec,
            [corpus.occurrence(start, size) for start in routine.starts],
            routine.fit_rate,
            reasons,
            arguments=argument_notes(routine.template.steps, support),
            warnings=(
                *warnings(routine.template, spec, routine.examples),
                *self._setting(routine.starts),
                *otherwise_warnings(routine.against, support),
            ),
        )
        places = (corpus.occurrence(start, size) for start in starts)
        return Choice(found, [(one.conversation, frozenset(one.refs)) for one in places])

    def extend(self, choice: Choice, size: int, support: int, new: Sequence[Sequence[int]]) -> None:
        """Take further places into a described routine whose template bears them.

        Args:
            choice: The routine.
            size: Its number of calls.
            support: Its conversations, with the new ones.
            new: The positions in each new conversation.
        """
        found = choice.found
        first = [self._corpus.occurrence(starts[0], size) for starts in new if starts]
        reasons = shortfalls(found.fit_rate, found.fit_rate, support, self._settings)
        told = attrs.evolve(
            found,
            occurrences=(*found.occurrences, *first),
            support=support,
            confidence=confidence(found.fit_rate, support),
            blocked_by=tuple(reasons),
            detail="; ".join(reasons.values()),
        )
        places = (self._corpus.occurrence(start, size) for starts in new for start in starts)
        choice.extended(told, [(one.conversation, frozenset(one.refs)) for one in places])

    def looped(self, routine: LoopedRoutine) -> Choice:
        """Describe a routine with loops."""
        spec = draft_loops(routine.template, [place.parts for place in routine.evidence])
        fit, support = routine.template.fit_rate, len(routine.evidence)
        examples = [_flat(place) for place in routine.evidence]
        drafted = list(routine.template.drafted())
        found = self._found(
            routine.signatures,
            spec,
            [self._occurrence(place) for place in routine.evidence],
            fit,
            {**obstacles(spec, examples), **shortfalls(fit, fit, support, self._settings)},
            arguments=(*argument_notes(drafted, support), *loop_notes(routine)),
            warnings=(
                *(text for one, step in _steps(routine, spec) for text in step_warnings(one, step, {})),
                *self._setting([place.refs[0] for place in routine.evidence]),
                *_part_walks(routine),
            ),
        )
        occurrences = (self._occurrence(place) for place in routine.places)
        return Choice(found, [(one.conversation, frozenset(one.refs)) for one in occurrences])

    def loose(self, one: Rejected) -> Found:
        """Describe a window that is no routine."""
        size = len(one.signatures)
        occurrences = [self._corpus.occurrence(start, size) for start in one.window.starts]
        return Found(
            key=pattern_key(self._names(one.signatures), None),
            signatures=self._names(one.signatures),
            tools=tuple(self._tools[name] for name in one.signatures),
            spec=None,
            occurrences=tuple(occurrences),
            support=one.window.conversations,
            fit_rate=0.0,
            confidence=0.0,
            blocked_by=("coherence",),
            detail=one.detail,
            name="",
        )

    def _found(
        self,
        signatures: Sequence[int],
        spec: Spec,
        occurrences: Sequence[Occurrence],
        fit: float,
        reasons: Mapping[str, str],
        **told: tuple[object, ...],
    ) -> Found:
        support = len(occurrences)
        return Found(
            key=pattern_key(self._names(signatures), spec),
            signatures=self._names(signatures),
            tools=tuple(self._tools[name] for name in signatures),
            spec=spec,
            occurrences=tuple(occurrences),
            support=support,
            fit_rate=fit,
            confidence=confidence(fit, support),
            blocked_by=tuple(reasons),
            detail="; ".join(reasons.values()),
            name=suggest_name(spec),
            **told,  # type: ignore[arg-type]
        )

    def _names(self, signatures: Sequence[int]) -> tuple[str, ...]:
        return tuple(self._texts[name] for name in signatures)

    def _occurrence(self, place: Place) -> Occurrence:
        first = self._corpus.occurrence(place.refs[0], 1)
        return Occurrence(first.conversation, first.turn, tuple(self._corpus.refs[at] for at in place.refs))

    def _setting(self, starts: Sequence[int]) -> tuple[str, ...]:
        moments = [self._corpus.at[start] for start in starts]
        days = [datetime.fromtimestamp(at, UTC).date().isoformat() for at in moments if not isnan(at)]
        conversations = [self._corpus.occurrence(start, 1).conversation for start in starts]
        return setting_warnings(days if len(days) == len(moments) else (), conversations)


def _flat(place: Place) -> tuple[Call, ...]:
    calls: list[Call] = []
    for part in place.parts:
        calls += [call for one in part.calls for call in one] if isinstance(part, Rounds) else [part]
    return tuple(calls)


def _steps(routine: LoopedRoutine, spec: Spec) -> Iterator[tuple[Drafted, Step]]:
    for part, step in zip(routine.template.parts, spec.steps, strict=True):
        if isinstance(part, DraftedLoop) and isinstance(step, Loop):
            yield from zip(part.body, step.body, strict=True)
        elif isinstance(part, Drafted) and isinstance(step, Step):
            yield part, step


def _part_walks(routine: LoopedRoutine) -> tuple[str, ...]:
    if not routine.elsewhere:
        return ()
    return (f"in {routine.elsewhere} further conversations the list was walked in part only",)
