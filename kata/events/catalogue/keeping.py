"""What the log did with itself: mining, retention, forgetting, repair."""

from datetime import datetime

import attrs

from ...json import JsonValue
from ..registry import event_type


@attrs.frozen(kw_only=True)
class Unproposed:
    """A sequence that was seen and not proposed, and every reason why (``support``, ``coherence``, ``fit``, …)."""

    key: str
    steps: JsonValue
    support: int
    confidence: float
    blocked_by: tuple[str, ...]
    detail: str


@event_type("mining.completed")
@attrs.frozen(kw_only=True)
class MiningCompleted:
    """One pass over the history up to ``position``: the most telling of what was seen, the rest as counts by reason."""

    position: int
    conversations: int
    calls: int
    proposed: tuple[str, ...]
    seen: tuple[Unproposed, ...]
    counts: JsonValue
    duration_ms: int


@event_type("history.expired")
@attrs.frozen(kw_only=True)
class HistoryExpired:
    """Retention erased the payloads at these positions (inclusive ranges)."""

    positions: tuple[tuple[int, int], ...]
    count: int
    before: datetime


@event_type("history.forgotten")
@attrs.frozen(kw_only=True)
class HistoryForgotten:
    """A person had the payloads at these positions erased (inclusive ranges)."""

    positions: tuple[tuple[int, int], ...]
    count: int
    what: str
    note: str = ""


@event_type("fingerprint.rebased")
@attrs.frozen(kw_only=True)
class FingerprintRebased:
    """The fingerprint key is new: fingerprints before and after do not compare."""

    reason: str


@event_type("log.restored")
@attrs.frozen(kw_only=True)
class LogRestored:
    """The log was put back from a copy, started anew beside a damaged one, or a person took its end as it is."""

    reason: str
    set_aside: str = ""
