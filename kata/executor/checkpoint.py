"""Where a run stopped, with its live values, and where it may go on (design 8). Nothing of it is ever stored.

What the log holds of these values is masked, and masked text is never replayed: a run goes on from memory or not at all.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

import attrs

from ..errors import RefusedError
from ..events.catalogue import RunOutcome
from ..json import JsonObject, JsonValue
from ..spec import Expression, Loop, Precondition, Ref, Spec, Step, StepOrLoop, flat_steps
from ..templating.arguments import walk_expression
from .checks import has_effect, numbered
from .journal import Place
from .protocols import RunRequest


class NotResumableError(RefusedError):
    """Say why a run does not go on at a step; nothing was done."""

    code = "not_resumable"
    hint = "Do what remains by hand, or ask the user."


class Done(NamedTuple):
    """One call that was made (or was about to be), with its live values."""

    place: Place
    args: JsonObject | None = None
    result: JsonValue = None


@attrs.frozen
class Cursor:
    """The call that a run begins with; ``element`` says at which element of a loop."""

    step: int
    element: int | None = None


BEGINNING = Cursor(1)


@attrs.frozen(kw_only=True)
class Checkpoint:
    """A run that ended early.

    Attributes:
        runs: The ids of the run and of those that it went on from, its own first.
        stopped: The call at which it ended.
        results: What the steps answered, by number.
        elements: What the loop that it stopped in goes over.
        collected: What the steps of that loop answered, one value an element.
        done: The calls that were made, in order.
    """

    runs: tuple[str, ...]
    request: RunRequest
    outcome: RunOutcome
    stopped: Place
    results: Mapping[int, JsonValue]
    elements: tuple[JsonValue, ...]
    collected: Mapping[int, tuple[JsonValue, ...]]
    done: tuple[Done, ...]

    def cursor(self, step: int | None = None) -> Cursor:
        """Return where the run goes on: at the step that stopped it, or at the one given.

        Args:
            step: The next one says that the stopped step was done by hand; an earlier one looks again with reads.

        Raises:
            NotResumableError: a step would be left out, or one that did its work, or may have, would be done again.
        """
        number = self.stopped.step if step is None else step
        if not 1 <= number <= self._last():
            raise NotResumableError(
                f"the run stopped at step {self.stopped.step}; it cannot go on at step {number}"
            )
        cursor = self._at(number)
        self._check_repeats(cursor)
        if number > self.stopped.step:
            self._check_rest(cursor)
        return cursor

    def offered(self) -> int | None:
        """Return the step to go on at by default, or after it by hand; None when it cannot go on."""
        for step in (self.stopped.step, self.stopped.step + 1):
            with suppress(NotResumableError):
                self.cursor(step)
                return step
        return None

    def remaining(self, cursor: Cursor) -> Iterator[tuple[int, Step]]:
        """Yield the steps that a run would still do, with their numbers; the body of the loop that it goes on in whole."""
        first, _ = loop_around(self.request.spec, cursor.step)
        for number, step in numbered(self.request.spec):
            if number >= first:
                yield number, step

    def is_before(self, place: Place, cursor: Cursor) -> bool:
        """Tell whether a call stands before the place where the run goes on."""
        return self._order(place.step, place.element) < self._order(cursor.step, cursor.element)

    def _at(self, number: int) -> Cursor:
        first, _ = loop_around(self.request.spec, number)
        own, width = loop_around(self.request.spec, self.stopped.step)
        element = self.stopped.element
        if element is None or number < own:
            return Cursor(first)
        return Cursor(number, element) if number < own + width else Cursor(own, element + 1)

    def _order(self, step: int, element: int | None) -> tuple[int, int, int]:
        return loop_around(self.request.spec, step)[0], element or 0, step

    def _last(self) -> int:
        """Return the last step at which the run may go on."""
        _, width = loop_around(self.request.spec, self.stopped.step)
        return self.stopped.step + (0 if width and self.stopped.element is None else 1)

    def _check_repeats(self, cursor: Cursor) -> None:
        if self.outcome is RunOutcome.UNKNOWN and not self.is_before(self.stopped, cursor):
            raise NotResumableError(
                f"nobody knows whether step {self.stopped.step} did its work, so it is never issued again",
                hint=f"Look whether it did; do it by hand if it did not; then go on at step {self.stopped.step + 1}.",
            )
        for one in self.done:
            if has_effect(one.place.effect) and not self.is_before(one.place, cursor):
                raise NotResumableError(f"step {one.place.step} has done its work and is not repeated")

    def _check_rest(self, cursor: Cursor) -> None:
        """Check that what follows a step that was done by hand needs nothing of its answer."""
        number = self.stopped.step
        none_left = cursor.element is None or cursor.element >= len(self.elements)
        if none_left and number == sum(1 for _ in flat_steps(self.request.spec)):
            raise NotResumableError("nothing remains after this step", hint="The routine is done.")
        for reader in readers(self.request.spec, number):
            reason = f"step {reader} needs what step {number} answers, which was done by hand"
            raise NotResumableError(reason)


def loop_around(spec: Spec, number: int) -> tuple[int, int]:
    """Return the first step and the width of the loop that a step is in; outside of loops the step itself, and 0."""
    for first, one in top_level(spec):
        width = len(one.body) if isinstance(one, Loop) else 0
        if first <= number < first + width:
            return first, width
    return number, 0


def top_level(spec: Spec) -> Iterator[tuple[int, StepOrLoop]]:
    """Yield the steps and loops of a version, each with the number of its first step."""
    number = 1
    for one in spec.steps:
        yield number, one
        number += len(one.body) if isinstance(one, Loop) else 1


def readers(spec: Spec, number: int) -> Iterator[int]:
    """Yield the steps that use what a step answered."""
    for first, one in top_level(spec):
        if isinstance(one, Loop) and one.over.step == number:
            yield first
    for at, step in numbered(spec):
        if number in (_steps_read(step.args) | _steps_needed(step.requires)):
            yield at


def _steps_read(expression: Expression) -> set[int]:
    return {part.step for part in walk_expression(expression) if isinstance(part, Ref)}


def _steps_needed(requires: tuple[Precondition, ...]) -> set[int]:
    return {one.step for one in requires}
