"""Who did what, when, and from where: one row an event, searchable and counted by facet (design 5, 9)."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import attrs

from ..events import Actor, Event, Unreadable
from ..events.catalogue import NoticeShown
from ..json import JsonObject, dumps
from ..machines.aggregate import NAMED
from ..store.protocol import Log
from .codec import moment_text
from .projection import Batch, Projection, Table, erased_positions
from .store import ViewStore
from .summary import Plane, brief, plane_of, searched, summary

_KATA = "kata/"
_NOTHING: JsonObject = {}


class _Audit(Batch):
    """Writes the header of every event; of those that are no observations also what they say."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self._rows: list[tuple[Any, ...]] = []

    def written(self, event: Event) -> None:
        plane = plane_of(event.type)
        observed = plane is Plane.OBSERVATION
        subject, text = _observed(event) if observed else _said(event)
        self._rows.append(
            (
                event.position,
                "" if observed else event.event_id,
                plane._value_,
                event.type,
                "" if event.stream.startswith("session/") else event.stream,
                moment_text(event.occurred_at),
                *_told_of(event.actor),
                subject,
                text,
            )
        )

    def flush(self) -> None:
        self.write_all(
            "INSERT OR REPLACE INTO view_audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", self._rows
        )
        self._rows.clear()

    def shown(self, event: Event) -> None:
        told: NoticeShown = event.payload
        for event_id in told.about:
            self.write(
                "INSERT OR IGNORE INTO view_told VALUES (?, ?, ?)", (event_id, event.position, told.surface)
            )

    def erase(self, event: Event) -> None:
        self.flush()
        self.write(
            "UPDATE view_audit SET text = '', subject = CASE WHEN stream LIKE 'kata/%' THEN stream ELSE '' END"
            " WHERE position IN (SELECT value FROM json_each(?))",
            (dumps(erased_positions(event)),),
        )
        self.drop(event, "view_told")


AUDIT = Projection(
    name="audit",
    version=2,
    tables={
        "view_audit": Table(
            "position INTEGER PRIMARY KEY, event_id TEXT NOT NULL, plane TEXT NOT NULL, type TEXT NOT NULL,"
            " stream TEXT NOT NULL, at TEXT NOT NULL, kind TEXT NOT NULL, actor TEXT NOT NULL, surface TEXT NOT NULL,"
            " subject TEXT NOT NULL, text TEXT NOT NULL",
            ("position",),
            (
                "CREATE INDEX IF NOT EXISTS view_audit_shown ON view_audit (position) WHERE plane <> 'observation'",
            ),
        ),
        "view_told": Table(
            "event_id TEXT NOT NULL, position INTEGER NOT NULL, surface TEXT NOT NULL,"
            " PRIMARY KEY (event_id, position)",
            ("event_id", "position"),
        ),
    },
    batch=_Audit,
    header=_Audit.written,
    handlers={"notice.shown": _Audit.shown},
    erase=_Audit.erase,
)


@attrs.frozen(kw_only=True)
class AuditFilter:
    """What to look for; everything but observations by default.

    Attributes:
        actor: An actor's kind or id.
        action: An event type, its family (``kata``) or its last word (``approved``).
        channel: A surface.
        kata: A kata's stream.
        since: From this moment on, by the time of occurrence.
        until: Before this moment.
        text: Words that must all occur, in whatever case.
        day: A day (UTC, ISO date).
        observations: Observations as well.
    """

    actor: str = ""
    action: str = ""
    channel: str = ""
    kata: str = ""
    since: datetime | None = None
    until: datetime | None = None
    text: str = ""
    day: str = ""
    observations: bool = False


@attrs.frozen(kw_only=True)
class AuditEntry:
    """One event of the trail.

    Attributes:
        kata: The stream of the kata that it is about; empty for none.
        number: The kata's number, where it is known.
        fields: What the event says, without the values of calls; empty once it is forgotten.
    """

    position: int
    event_id: str
    type: str
    plane: str
    stream: str
    at: datetime
    recorded_at: datetime
    actor: Actor
    correlation_id: str
    kata: str
    number: int | None
    name: str
    fields: JsonObject


@attrs.frozen(kw_only=True)
class AuditResult:
    """One page, newest first; ``next_before`` is where the next one begins, None at the end."""

    entries: tuple[AuditEntry, ...]
    total: int
    next_before: int | None


FACETS: Mapping[str, str] = {
    "actor": "audit.kind || ':' || audit.actor",
    "channel": "audit.surface",
    "action": "audit.type",
    "kata": "CAST(kata.number AS TEXT)",
    "day": "substr(audit.at, 1, 10)",
}
"""What the trail is counted by; a kata by its number."""

_ABOUT = "coalesce(asked.value, run.kata, audit.subject)"
_FROM = f"""
    FROM view_audit AS audit
    LEFT JOIN json_each(:asked) AS asked ON asked.key = audit.subject
    LEFT JOIN view_runs AS run
        ON run.run_id = CASE WHEN audit.stream LIKE 'run/%' THEN substr(audit.stream, 5) END
    LEFT JOIN view_katas AS kata ON kata.stream = {_ABOUT}
"""
_COLUMNS = f"""
    audit.position, audit.plane, {_ABOUT}, kata.number, coalesce(kata.name, '')
"""


class Audit:
    """Reads the trail; what an event says comes from the log, for the rows of a page alone."""

    def __init__(self, store: ViewStore, log: Log) -> None:
        self._store, self._log = store, log

    def page(self, wanted: AuditFilter, *, before: int | None = None, limit: int = 50) -> AuditResult:
        """Return a page of what fits a filter, newest first, and how much fits in all."""
        where, values = self._where(wanted)
        ((total,),) = self._store.query(f"SELECT count(*) {_FROM} WHERE {where}", values)
        rows = self._store.query(
            f"SELECT {_COLUMNS} {_FROM} WHERE {where} AND audit.position < :before"
            " ORDER BY audit.position DESC LIMIT :limit",
            {**values, "before": LAST if before is None else before, "limit": limit + 1},
        )
        more = rows[limit - 1][0] if len(rows) > limit else None
        return AuditResult(entries=self._entries(rows[:limit]), total=total, next_before=more)

    def after(self, position: int, wanted: AuditFilter, *, limit: int = 500) -> tuple[AuditEntry, ...]:
        """Return what fits a filter and came after a position, oldest first: a live tail (case B053)."""
        where, values = self._where(wanted)
        rows = self._store.query(
            f"SELECT {_COLUMNS} {_FROM} WHERE {where} AND audit.position > :after"
            " ORDER BY audit.position LIMIT :limit",
            {**values, "after": position, "limit": limit},
        )
        return self._entries(rows)

    def facets(self, wanted: AuditFilter) -> dict[str, tuple[tuple[str, int], ...]]:
        """Count what fits a filter by each of `FACETS`: the most frequent values first."""
        where, values = self._where(wanted)
        return {name: tuple(self._counted(value, where, values)) for name, value in FACETS.items()}

    def untold(self, types: Sequence[str]) -> tuple[AuditEntry, ...]:
        """Return the events of these types that no `notice.shown` speaks of yet, oldest first (design 9.4).

        What a session's end tells of are proposals: its notice, which comes by the spool, counts for no decision.
        """
        rows = self._store.query(
            f"SELECT {_COLUMNS} {_FROM} WHERE audit.plane <> 'observation'"
            " AND audit.type IN (SELECT value FROM json_each(:types))"
            " AND audit.event_id NOT IN (SELECT event_id FROM view_told WHERE surface <> 'hook' OR audit.type IN"
            " ('kata.proposed', 'kata.revised')) ORDER BY audit.position",
            {"asked": self._asked(), "types": dumps(list(types))},
        )
        return self._entries(rows)

    def _entries(self, rows: Sequence[tuple[Any, ...]]) -> tuple[AuditEntry, ...]:
        events = self._log.get([row[0] for row in rows])
        return tuple(_entry(events[position], *more) for position, *more in rows if position in events)

    def _counted(self, value: str, where: str, values: Mapping[str, Any]) -> Iterable[tuple[str, int]]:
        return self._store.query(
            f"SELECT {value} AS facet, count(*) AS times {_FROM} WHERE {where} AND {value} IS NOT NULL"
            " GROUP BY facet ORDER BY times DESC, facet",
            values,
        )

    def _where(self, wanted: AuditFilter) -> tuple[str, dict[str, Any]]:
        words = wanted.text.casefold().split()
        values = {
            "asked": self._asked(),
            "actor": wanted.actor,
            "action": wanted.action,
            "channel": wanted.channel,
            "kata": wanted.kata,
            "since": moment_text(wanted.since) if wanted.since else "",
            "until": moment_text(wanted.until) if wanted.until else "",
            "day": wanted.day,
            **{f"word{index}": word for index, word in enumerate(words)},
        }
        terms = [sql for name, sql in _TERMS.items() if values[name]]
        terms += [_WORD.format(word=f":word{index}") for index in range(len(words))]
        return " AND ".join(["1" if wanted.observations else "audit.plane <> 'observation'", *terms]), values

    def _asked(self) -> str:
        """Map what people typed for a kata, where a refusal kept it, to the kata's stream."""
        katas = self._store.query("SELECT number, name, state, stream FROM view_katas ORDER BY number")
        names = {name: stream for _, name, _, stream in reversed(katas)}
        names |= {name: stream for _, name, state, stream in katas if state in NAMED}
        names |= {str(number): stream for number, _, _, stream in katas}
        typed = self._store.query(
            "SELECT DISTINCT subject FROM view_audit WHERE plane <> 'observation' AND subject <> ''"
            " AND subject NOT LIKE 'kata/%'"
        )
        found = ((text, names.get(text.partition("@")[0].removeprefix("kata_"))) for (text,) in typed)
        return dumps({text: stream for text, stream in found if stream})


LAST = 2**63 - 1

_TERMS: Mapping[str, str] = {
    "actor": ":actor IN (audit.kind, audit.actor, audit.kind || ':' || audit.actor)",
    "action": "(audit.type = :action OR audit.type LIKE :action || '.%' OR audit.type LIKE '%.' || :action)",
    "channel": "audit.surface = :channel",
    "kata": f"{_ABOUT} = :kata",
    "since": "audit.at >= :since",
    "until": "audit.at < :until",
    "day": "substr(audit.at, 1, 10) = :day",
}
_WORD = "instr(audit.text || ' ' || lower(audit.type || ' ' || audit.actor || ' ' || coalesce(kata.name, '')), {word})"


def _entry(event: Event, plane: str, kata: str, number: int | None, name: str) -> AuditEntry:
    return AuditEntry(
        position=event.position,
        event_id=event.event_id,
        type=event.type,
        plane=plane,
        stream=event.stream,
        at=event.occurred_at,
        recorded_at=event.recorded_at,
        actor=event.actor,
        correlation_id=event.correlation_id,
        kata=kata,
        number=number,
        name=name,
        fields={} if isinstance(event.payload, Unreadable) else summary(event.payload),
    )


@lru_cache(maxsize=64)
def _told_of(actor: Actor) -> tuple[str, str, str]:
    return str(actor.kind), actor.id, str(actor.surface)


def _observed(event: Event) -> tuple[str, str]:
    """Return what an observation is about, and by which words it is found."""
    subject = event.stream if event.stream.startswith(_KATA) else ""
    return subject, "" if isinstance(event.payload, Unreadable) else brief(event.payload)


def _said(event: Event) -> tuple[str, str]:
    """Return what any other event is about, and the text in which words are looked for."""
    fields = _NOTHING if isinstance(event.payload, Unreadable) else summary(event.payload)
    about = event.stream if event.stream.startswith(_KATA) else fields.get("kata") or fields.get("number")
    return str(about or ""), searched(fields)
