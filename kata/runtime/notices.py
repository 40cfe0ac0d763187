"""Which proposals nobody was told of yet, kept in memory between rounds; each is told once (design 6.8)."""

import threading
from collections.abc import Iterable

import attrs

from ..service.board import Proposal


@attrs.frozen(kw_only=True)
class Untold:
    """A proposal that nobody was told of: its event, and what its one line says."""

    event_id: str
    number: int
    name: str
    steps: str


def untold(proposal: Proposal) -> Untold:
    """Make the one line's parts of a proposal."""
    row = proposal.row
    steps = " → ".join(str(step["tool"]) for step in row.steps)
    return Untold(event_id=proposal.event_id, number=row.number or 0, name=row.name, steps=steps)


class Notices:
    """Holds what the worker found until the end of a session takes it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: tuple[Untold, ...] = ()
        self._told: set[str] = set()

    def found(self, untold: Iterable[Untold]) -> None:
        """Replace what waits by what the views say."""
        with self._lock:
            self._waiting = tuple(one for one in untold if one.event_id not in self._told)

    def take(self) -> tuple[Untold, ...]:
        """Take what waits; it does not wait any more."""
        with self._lock:
            taken, self._waiting = self._waiting, ()
            self._told.update(one.event_id for one in taken)
            return taken
