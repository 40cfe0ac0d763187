"""What a command has on hand, and what it answers: the same for chat and shell."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

import attrs

from ..events import Actor
from ..json import JsonValue
from ..service import Service
from .exits import DONE
from .paint import Page

Progress = Callable[[str, int, int], None]


@attrs.frozen(kw_only=True)
class Desk:
    """One surface, as a command sees it.

    Attributes:
        command: What a person types before a verb: ``/kata`` or ``hermes kata``.
        chat: No columns, no colour, the decision line last.
        reader: Under which key the last review shown here is remembered.
        actor: Returns the person here and where they are, or refuses (`kata.surfaces.actors`).
        bystander: Who is written down when that is refused.
        confirm: Asks for a word to be typed; raises where nobody can be asked. A chat has none: one repeats the command.
        show: Puts lines before the person ahead of a question.
        progress: Told of long work: what, how much of how much.
    """

    service: Service
    command: str
    chat: bool
    page: Page
    now: Callable[[], datetime]
    reader: str
    actor: Callable[[], tuple[Actor, str]]
    bystander: Callable[[], tuple[Actor, str]]
    confirm: Callable[[str, str], None] | None
    show: Callable[[Sequence[str]], None]
    progress: Progress


@attrs.frozen(kw_only=True)
class Answer:
    """What a command answers: lines for people, data for machines, an exit code, and what to type next.

    Where ``stream`` is given, its lines are the whole answer, written as they come.
    """

    lines: tuple[str, ...]
    data: JsonValue
    exit: int = DONE
    following: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    stream: Iterable[str] | None = None
