"""Which examples a kata rests on, and where their calls are kept; a forgotten one is no longer here."""

from collections.abc import Iterable

import attrs

from ..events import Event
from ..events.catalogue import EvidenceKept
from .codec import moment_text
from .projection import Batch, Projection, Table
from .store import ViewStore


class _Evidence(Batch):
    def kept(self, event: Event) -> None:
        told: EvidenceKept = event.payload
        self.write(
            "INSERT OR REPLACE INTO view_evidence VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                told.evidence_id,
                event.position,
                event.stream,
                told.conversation,
                told.session_id,
                told.turn_id,
                told.occurred_on,
                told.job,
                len(told.calls),
                moment_text(event.occurred_at),
            ),
        )

    def erase(self, event: Event) -> None:
        self.drop(event, "view_evidence")


EVIDENCE = Projection(
    name="evidence",
    version=1,
    tables={
        "view_evidence": Table(
            "evidence_id TEXT NOT NULL, position INTEGER PRIMARY KEY, stream TEXT NOT NULL,"
            " conversation TEXT NOT NULL, session_id TEXT NOT NULL, turn_id TEXT NOT NULL,"
            " occurred_on TEXT NOT NULL, job TEXT, calls INTEGER NOT NULL, at TEXT NOT NULL",
            ("position",),
            (
                "CREATE INDEX IF NOT EXISTS view_evidence_id ON view_evidence (evidence_id)",
                "CREATE INDEX IF NOT EXISTS view_evidence_stream ON view_evidence (stream)",
            ),
        )
    },
    batch=_Evidence,
    handlers={"evidence.kept": _Evidence.kept},
    erase=_Evidence.erase,
)


@attrs.frozen
class Example:
    """One kept example without its calls; ``position`` is where `Log.get` finds them."""

    evidence_id: str
    position: int
    stream: str
    conversation: str
    session_id: str
    turn_id: str
    occurred_on: str
    job: str | None
    calls: int
    at: str


class Evidence:
    """Reads which examples there still are."""

    def __init__(self, store: ViewStore) -> None:
        self._store = store

    def of(self, evidence_ids: Iterable[str]) -> tuple[Example, ...]:
        """Return those of these examples that were not forgotten, in the order asked for."""
        found = (self._one("evidence_id = ?", one) for one in dict.fromkeys(evidence_ids))
        return tuple(example for examples in found for example in examples)

    def of_stream(self, stream: str) -> tuple[Example, ...]:
        """Return all examples of a kata, by position."""
        return self._one("stream = ?", stream)

    def of_session(self, session_id: str) -> tuple[Example, ...]:
        """Return the examples that forgetting a session would take away, by position."""
        return self._one("session_id = ?", session_id)

    def _one(self, where: str, value: str) -> tuple[Example, ...]:
        sql = f"SELECT * FROM view_evidence WHERE {where} ORDER BY position"
        return tuple(Example(*row) for row in self._store.query(sql, (value,)))
