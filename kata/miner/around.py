"""What is asked of the whole history about one window, and remembered, so that a changed answer is noticed."""

from typing import TypeAlias

import attrs

from ..json import JsonValue, Path, canonical
from .coherence import Beginning
from .habits import Habits, Window


@attrs.frozen
class Follows:
    """A step comes right after another in three quarters of all its occurrences."""

    before: int
    signature: int

    def ask(self, habits: Habits) -> bool:
        return habits.follows(self.before, self.signature)

    @property
    def about(self) -> Window:
        return (self.signature,)


@attrs.frozen
class MoreOften:
    """A window recurs in more turns than the longer one that it is part of."""

    rest: Window
    whole: Window

    def ask(self, habits: Habits) -> bool:
        return habits.turns(self.rest) > habits.turns(self.whole)

    @property
    def about(self) -> Window:
        return self.rest


@attrs.frozen
class Usual:
    """An argument has this value, or begins like this, nearly wherever its tool is called."""

    signature: int
    path: Path
    value: JsonValue = attrs.field(
        eq=lambda value: canonical(value.text if isinstance(value, Beginning) else [value])
    )

    def ask(self, habits: Habits) -> bool:
        return habits.is_usual(self.signature, self.path, self.value)

    @property
    def about(self) -> Window:
        return (self.signature,)


Question: TypeAlias = Follows | MoreOften | Usual


class Around:
    """The rest of the history, asked about one window."""

    def __init__(self, signatures: Window, habits: Habits) -> None:
        self.signatures = signatures
        self._habits = habits
        self.answers: dict[Question, bool] = {}

    def is_usual(self, at: int, path: Path, value: JsonValue) -> bool:
        """Tell whether an argument has its usual value."""
        return self._ask(Usual(self.signatures[at], path, value))

    def follows(self, at: int) -> bool:
        """Tell whether a step follows the one before it in three quarters of all its occurrences."""
        return self._ask(Follows(self.signatures[at - 1], self.signatures[at]))

    def recurs_without_first(self) -> bool:
        """Tell whether the window recurs more often without its first step."""
        return self._ask(MoreOften(self.signatures[1:], self.signatures))

    def _ask(self, question: Question) -> bool:
        if question not in self.answers:
            self.answers[question] = question.ask(self._habits)
        return self.answers[question]
