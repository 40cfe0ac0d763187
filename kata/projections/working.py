"""When agents were at work: whether a live turn overlaps a span of time (design 9.3)."""

from ..events import Surface
from ..store.protocol import Log
from .store import ViewStore

UNDER_WAY_S = 600.0
"""So long a turn that did not end is taken to go on after what was last seen of it: a call is seen when it is over."""

_OVERLAPPING = """
    SELECT turn.first FROM view_history_turns AS turn JOIN view_history_facts AS began ON began.position = turn.first
    WHERE turn.ended_at + iif(turn.ended, 0, ?) >= ? AND began.at <= ?
"""


def worked_between(store: ViewStore, log: Log, start: float, end: float) -> bool:
    """Tell whether an agent's turn overlaps a span, in seconds since 1970.

    Turns that were imported are some other machine's or time's.
    """
    found = log.get(sorted(first for (first,) in store.query(_OVERLAPPING, (UNDER_WAY_S, start, end))))
    return any(event.actor.surface is not Surface.IMPORT for event in found.values())
