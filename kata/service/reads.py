"""What the service reads: the log's views, opened once, and the few questions that several use cases share."""

import sqlite3
from collections.abc import Collection, Iterable, Sequence

from ..events import Event
from ..events import catalogue as told
from ..json import JsonObject
from ..machines import Kata
from ..miner.types import Occurrence
from ..projections import PROJECTIONS, Projector, ViewStore, open_views, worked_between
from ..store.protocol import Log
from .validate import Described

RECENT = 200
"""Runs among which an unsettled one is looked for."""


class Reads:
    """The views of one log. One thread at a time: the service sees to that."""

    def __init__(self, log: Log, connection: sqlite3.Connection) -> None:
        self.log = log
        self.store = ViewStore(connection)
        self.projector = Projector(log, self.store, PROJECTIONS)
        self.store.prepare(PROJECTIONS)
        views = open_views(self.store, log)
        self.katas, self.evidence, self.tools, self.runs = (
            views.katas,
            views.evidence,
            views.tools,
            views.runs,
        )
        self.audit, self.history, self.usage, self.health = (
            views.audit,
            views.history,
            views.usage,
            views.health,
        )

    def catch_up(self, at_hand: Sequence[Event] = ()) -> None:
        """Bring every view up to date; ``at_hand`` were just appended."""
        self.projector.catch_up(at_hand=at_hand)

    def worked(self, start: float, end: float) -> bool:
        """Tell whether an agent's turn overlaps a span, in seconds since 1970."""
        return worked_between(self.store, self.log, start, end)

    def described(self, tool: str) -> Described | None:
        """Return a tool's newest schema as the log has it."""
        found = self.tools.newest_of(tool)
        return None if found is None else Described(schema=found.schema, digest=found.digest)

    def schema_with(self, tool: str, digest: str) -> JsonObject | None:
        """Return the schema that a tool had with that digest, if the log has it."""
        found = self.tools.described(tool, digest)
        return None if found is None else found.schema

    def tool_names(self) -> tuple[str, ...]:
        """Return every tool that the log has a schema of."""
        return tuple(self.tools.newest())

    def failed_in_a_row(self, kata: Kata) -> tuple[str, ...]:
        """Return the ids of the active version's runs that failed one after another, up to the newest."""
        if kata.active_version is None:
            return ()
        return self.runs.failed_in_a_row(kata.stream, kata.active_version, kata.activated)

    def unknown_run(self, stream: str, fingerprint: str, besides: Collection[str] = ()) -> str | None:
        """Return the newest run with these arguments whose end nobody knows or acknowledged, if any, ``besides`` some."""
        found = (run.run_id for run in self.runs.unsettled(stream, fingerprint))
        return next((run_id for run_id in found if run_id not in besides), None)

    def unsettled_inputs(self, stream: str) -> frozenset[str]:
        """Return the fingerprints of the arguments with which a run ended unknown."""
        runs = self.runs.latest(stream, limit=RECENT)
        return frozenset(
            run.fingerprint for run in runs if run.state == "unknown" and run.acknowledged_at is None
        )

    def last_mining(self) -> told.MiningCompleted | None:
        """Return what the last pass wrote down; None before the first, or once it is gone."""
        last = self.health.last_mining()
        event = self.log.get([last.position]).get(last.position) if last is not None else None
        return (
            event.payload if event is not None and isinstance(event.payload, told.MiningCompleted) else None
        )

    def baseline(self, occurrences: Iterable[Occurrence]) -> told.Baseline:
        """Measure what the routine cost by hand."""
        return self.usage.baseline(tuple(occurrences))

    def close(self) -> None:
        """Give the connection back."""
        self.store.close()
