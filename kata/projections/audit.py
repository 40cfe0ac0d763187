"""Who did what, when, and from where: one row an event, searchable and counted by facet (design 5, 9)."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import attrs

from ..events import Actor, ActorKind, Event, Surface, Unreadable
from ..events.catalogue import NoticeShown
from ..json import JsonObject, dumps, loads
from ..machines.aggregate import NAMED
from .codec import moment, moment_text
from .projection import Batch, Projection, Table
from .store import ViewStore
from .summary import plane_of, searched, summary

_KATA = "kata/"


class _Audit(Batch):
    """Writes the header of every event, and of those that can be read a summary."""

    def written(self, event: Event) -> None:
        gone = isinstance(event.payload, Unreadable)
        fields = {} if gone else summary(event.payload)
        self.write(
            "INSERT OR REPLACE INTO view_audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                event.position,
                event.event_id,
                str(plane_of(event.type)),
                event.type,
                event.stream,
                moment_text(event.occurred_at),
                moment_text(event.recorded_at),
                str(event.actor.kind),
                event.actor.id,
                str(event.actor.surface),
                event.correlation_id,
                _subject(event, fields),
                dumps(fields),
                searched(fields),
            ),
        )

    def shown(self, event: Event) -> None:
        told: NoticeShown = event.payload
        for event_id in told.about:
            self.write(
                "INSERT OR IGNORE INTO view_told VALUES (?, ?, ?)", (event_id, event.position, told.surface)
            )

    def erase(self, event: Event) -> None:
        for span in event.payload.positions:
            self.write(
                "UPDATE view_audit SET fields = '{}', text = '', subject = CASE WHEN stream LIKE 'kata/%'"
                " THEN stream ELSE '' END WHERE position BETWEEN ? AND ?",
                span,
            )
            self.write("DELETE FROM view_told WHERE position BETWEEN ? AND ?", span)


AUDIT = Projection(
    name="audit",
    version=1,
    tables={
        "view_audit": Table(
            "position INTEGER PRIMARY KEY, event_id TEXT NOT NULL, plane TEXT NOT NULL, type TEXT NOT NULL,"
            " stream TEXT NOT NULL, at TEXT NOT NULL, recorded_at TEXT NOT NULL, kind TEXT NOT NULL,"
            " actor TEXT NOT NULL, surface TEXT NOT NULL, correlation_id TEXT NOT NULL, subject TEXT NOT NULL,"
            " fields TEXT NOT NULL, text TEXT NOT NULL",
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
    audit.position, audit.event_id, audit.type, audit.plane, audit.stream, audit.at, audit.recorded_at, audit.kind,
    audit.actor, audit.surface, audit.correlation_id, audit.fields, {_ABOUT}, kata.number, coalesce(kata.name, '')
"""


class Audit:
    """Reads the trail."""

    def __init__(self, store: ViewStore) -> None:
        self._store = store

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
        return AuditResult(entries=tuple(map(_entry, rows[:limit])), total=total, next_before=more)

    def after(self, position: int, wanted: AuditFilter, *, limit: int = 500) -> tuple[AuditEntry, ...]:
        """Return what fits a filter and came after a position, oldest first: a live tail (case B053)."""
        where, values = self._where(wanted)
        rows = self._store.query(
            f"SELECT {_COLUMNS} {_FROM} WHERE {where} AND audit.position > :after"
            " ORDER BY audit.position LIMIT :limit",
            {**values, "after": position, "limit": limit},
        )
        return tuple(map(_entry, rows))

    def facets(self, wanted: AuditFilter) -> dict[str, tuple[tuple[str, int], ...]]:
        """Count what fits a filter by each of `FACETS`: the most frequent values first."""
        where, values = self._where(wanted)
        return {name: tuple(self._counted(value, where, values)) for name, value in FACETS.items()}

    def untold(self, types: Sequence[str]) -> tuple[AuditEntry, ...]:
        """Return the events of these types that no `notice.shown` speaks of yet, oldest first (design 9.4)."""
        rows = self._store.query(
            f"SELECT {_COLUMNS} {_FROM} WHERE audit.plane <> 'observation'"
            " AND audit.type IN (SELECT value FROM json_each(:types))"
            " AND audit.event_id NOT IN (SELECT event_id FROM view_told) ORDER BY audit.position",
            {"asked": self._asked(), "types": dumps(list(types))},
        )
        return tuple(map(_entry, rows))

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


def _entry(row: Sequence[Any]) -> AuditEntry:
    position, event_id, event_type, plane, stream, at, recorded_at, kind, actor, surface, *rest = row
    correlation_id, fields, kata, number, name = rest
    return AuditEntry(
        position=position,
        event_id=event_id,
        type=event_type,
        plane=plane,
        stream=stream,
        at=moment(at),
        recorded_at=moment(recorded_at),
        actor=Actor(kind=_open(ActorKind, kind), id=actor, surface=_open(Surface, surface)),
        correlation_id=correlation_id,
        kata=kata,
        number=number,
        name=name,
        fields=loads(fields),
    )


def _open(kind: type[ActorKind] | type[Surface], word: str) -> Any:
    """Read an enum's word; one of a newer Kata stays as it is."""
    return kind(word) if word in kind.__members__.values() else word


def _subject(event: Event, fields: JsonObject) -> str:
    if event.stream.startswith(_KATA):
        return event.stream
    return str(fields.get("kata") or fields.get("number") or "")
