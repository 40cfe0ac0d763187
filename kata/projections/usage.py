"""What model requests cost, turn by turn, so that a routine's cost by hand can be told (design 6, issue 2)."""

import sqlite3
from collections.abc import Iterable, Sequence
from functools import lru_cache
from statistics import median
from typing import Any

import attrs

from ..events import Event
from ..events.catalogue import Baseline, ModelAnswered
from ..miner.types import Occurrence
from .codec import text_key
from .projection import Batch, Projection, Table
from .store import ViewStore

_key = lru_cache(maxsize=8192)(text_key)


class _Usage(Batch):
    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self._rows: list[tuple[Any, ...]] = []

    def answered(self, event: Event) -> None:
        told: ModelAnswered = event.payload
        if not told.turn_id:
            return
        tokens = told.usage.total_tokens if told.usage else None
        at = event.occurred_at.timestamp()
        self._rows.append((event.position, _key(told.turn_id), at, told.seconds, tokens))

    def erase(self, event: Event) -> None:
        self.flush()
        self.drop(event, "view_requests")

    def flush(self) -> None:
        self.write_all("INSERT OR REPLACE INTO view_requests VALUES (?, ?, ?, ?, ?)", self._rows)
        self._rows.clear()


USAGE = Projection(
    name="usage",
    version=1,
    tables={
        "view_requests": Table(
            "position INTEGER PRIMARY KEY, turn INTEGER NOT NULL, at REAL NOT NULL, seconds REAL, tokens INTEGER",
            ("position",),
            ("CREATE INDEX IF NOT EXISTS view_requests_turn ON view_requests (turn)",),
        )
    },
    batch=_Usage,
    handlers={"model.answered": _Usage.answered},
    erase=_Usage.erase,
)


@attrs.frozen
class _Request:
    position: int
    at: float
    seconds: float | None
    tokens: int | None

    @property
    def began(self) -> float:
        return self.at - (self.seconds or 0.0)


@attrs.frozen
class Cost:
    """What one occurrence cost; None where it is not known."""

    model_requests: int
    tokens: int | None
    seconds: float | None


class Usage:
    """Reads what model requests cost."""

    def __init__(self, store: ViewStore) -> None:
        self._store = store

    def baseline(self, occurrences: Iterable[Occurrence]) -> Baseline:
        """Return what a routine costs by hand: medians over the occurrences of which anything is known."""
        costs = [cost for cost in map(self.cost, occurrences) if cost is not None]
        return Baseline(
            recordings=len(costs),
            model_requests=_median(cost.model_requests for cost in costs),
            tokens=_median(cost.tokens for cost in costs),
            seconds=_median(cost.seconds for cost in costs),
        )

    def cost(self, occurrence: Occurrence) -> Cost | None:
        """Return what one occurrence cost; None where its model requests were not recorded.

        Counted are the requests that asked for its calls, from the first to the last, with their tokens. Seconds run from
        the beginning of the first of them to the beginning of the next request after its last call.
        """
        requests = self._requests(occurrence.turn)
        first, last = min(occurrence.refs), max(occurrence.refs)
        asking = [one for one in requests if one.position < last]
        begin = max((index for index, one in enumerate(asking) if one.position < first), default=None)
        if begin is None:
            return None
        counted = asking[begin:]
        return Cost(len(counted), _tokens(counted), _seconds(counted[0], requests, last))

    def _requests(self, turn: str) -> list[_Request]:
        rows = self._store.query(
            "SELECT position, at, seconds, tokens FROM view_requests WHERE turn = ? ORDER BY position",
            (_key(turn),),
        )
        return [_Request(*row) for row in rows]


def _tokens(requests: Sequence[_Request]) -> int | None:
    known = [one.tokens for one in requests if one.tokens is not None]
    return sum(known) if len(known) == len(requests) else None


def _seconds(first: _Request, requests: Sequence[_Request], last: int) -> float | None:
    after = next((one for one in requests if one.position > last), None)
    return None if after is None else max(0.0, after.began - first.began)


def _median(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(median(known)) if known else None
