"""What a scenario is: what the person says and does, what the model answers, what a plugin returns."""

from collections.abc import Mapping
from typing import Any

import attrs

from kata.standin import Reply


@attrs.frozen
class Say:
    """One turn. ``children``: a script per sub-agent; ``stop``: the person presses stop during the last request."""

    message: str
    script: tuple[Reply, ...]
    children: tuple[tuple[Reply, ...], ...] = ()
    stop: bool = False


@attrs.frozen
class New:
    """Type ``/new``."""


@attrs.frozen
class Finalize:
    """Leave the chat."""


Step = Say | New | Finalize


@attrs.frozen
class Scenario:
    """One conversation.

    Attributes:
        answers: What the observer plugin returns, by hook.
        choices: What the person answers to questions.
        files: What stands in the workspace before.
        together: The calls run side by side: only the order of each call's own hooks is promised.
        max_turns: How many requests a turn may take; 0 for the usual.
    """

    name: str
    steps: tuple[Step, ...]
    answers: Mapping[str, tuple[Mapping[str, Any], ...]] = {}
    choices: tuple[str, ...] = ()
    files: Mapping[str, str] = {}
    together: bool = False
    max_turns: int = 0


@attrs.frozen
class Fired:
    """One firing as the observer wrote it down."""

    hook: str
    types: Mapping[str, str]
    values: Mapping[str, Any]
    thread: str


@attrs.frozen
class Told:
    """What one host told during a scenario.

    Attributes:
        fired: The hooks, in the order in which they were written down.
        answers: What the person got, turn by turn.
        sent: Per model request: how many messages, the last one's role and text, and the tool results before it.
    """

    fired: tuple[Fired, ...]
    answers: tuple[str, ...]
    notices: tuple[str, ...]
    sent: tuple[tuple[Any, ...], ...]
