"""Whether a process may carry a person's decision (design 9.3): an agent's mark, and what its terminal hangs from.

How a process came to be is read from the kernel's table, which only Linux has (`kata.origin`). Elsewhere the shell goes by
the terminal alone.
"""

import os
from collections.abc import Callable

import attrs

from ..origin import MARKS, Doubt, Doubts, Record, agent_mark

__all__ = ["MARKS", "UNWATCHED", "WATCH", "Watch", "agent_mark"]


@attrs.frozen(kw_only=True)
class Watch:
    """How to look at this process's terminal; each returns why nobody can say that a person is there.

    Attributes:
        terminal: Looks at what the terminal hangs from.
        typed: Looks at who typed an answer, which was asked for at a moment (seconds since 1970).
    """

    terminal: Callable[[Record], Doubt | None]
    typed: Callable[[Record, float], Doubt | None]


WATCH = Watch(
    terminal=lambda record: Doubts(record).at_terminal(os.getpid()),
    typed=lambda record, since: Doubts(record).typed(os.getpid(), since),
)
UNWATCHED = Watch(terminal=lambda record: None, typed=lambda record, since: None)
"""For people who are made up."""
