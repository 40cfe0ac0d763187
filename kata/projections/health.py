"""How recording is doing: what was stored and lost, pauses, and the last look at the history (ux 26, 27)."""

import sqlite3
from datetime import datetime

import attrs

from ..events import Event
from ..json import JsonObject, JsonValue, loads
from .codec import moment, moment_text, pack
from .history import History
from .projection import Batch, Projection, Table
from .store import ViewStore


class _Tally(Batch):
    """Counts events by type from their headers alone, so that erasing payloads changes nothing."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self._counts: dict[str, tuple[int, Event]] = {}

    def count(self, event: Event) -> None:
        before, _ = self._counts.get(event.type, (0, event))
        self._counts[event.type] = (before + 1, event)

    def flush(self) -> None:
        for event_type, (count, last) in sorted(self._counts.items()):
            self.write(
                "INSERT INTO view_tally VALUES (?, ?, ?, ?) ON CONFLICT (type) DO UPDATE"
                " SET count = count + excluded.count, position = excluded.position, at = excluded.at",
                (event_type, count, last.position, moment_text(last.occurred_at)),
            )


TALLY = Projection(
    name="tally",
    version=1,
    tables={
        "view_tally": Table(
            "type TEXT PRIMARY KEY, count INTEGER NOT NULL, position INTEGER NOT NULL, at TEXT NOT NULL",
            ("type",),
        )
    },
    batch=_Tally,
    header=_Tally.count,
)


class _Health(Batch):
    def incident(self, event: Event) -> None:
        """Keep what went wrong with recording or the log: losses, a new key, a restored log."""
        told = event.payload
        self.put(
            "view_incidents",
            position=event.position,
            type=event.type,
            count=getattr(told, "count", 0),
            reason=told.reason,
            set_aside=getattr(told, "set_aside", ""),
            at=moment_text(event.occurred_at),
        )

    def paused(self, event: Event) -> None:
        until = event.payload.until
        self.put(
            "view_pauses",
            position=event.position,
            until=None if until is None else moment_text(until),
            at=moment_text(event.occurred_at),
            note=event.payload.note,
        )

    def resumed(self, event: Event) -> None:
        self.write(
            "UPDATE view_pauses SET resumed_at = ? WHERE resumed_at IS NULL",
            (moment_text(event.occurred_at),),
        )

    def mined(self, event: Event) -> None:
        """Keep the last look at the history only: each says all that it saw."""
        self.write("DELETE FROM view_mining")
        self.put(
            "view_mining",
            position=event.position,
            at=moment_text(event.occurred_at),
            summary=pack(event.payload),
        )

    def imported(self, event: Event) -> None:
        self.put(
            "view_imports",
            position=event.position,
            at=moment_text(event.occurred_at),
            source=event.payload.source,
            summary=pack(event.payload),
        )


HEALTH = Projection(
    name="health",
    version=1,
    tables={
        "view_incidents": Table(
            "position INTEGER PRIMARY KEY, type TEXT NOT NULL, count INTEGER NOT NULL, reason TEXT NOT NULL,"
            " set_aside TEXT NOT NULL, at TEXT NOT NULL",
            ("position",),
        ),
        "view_pauses": Table(
            "position INTEGER PRIMARY KEY, until TEXT, at TEXT NOT NULL, note TEXT NOT NULL, resumed_at TEXT",
            ("position",),
        ),
        "view_mining": Table(
            "position INTEGER PRIMARY KEY, at TEXT NOT NULL, summary TEXT NOT NULL", ("position",)
        ),
        "view_imports": Table(
            "position INTEGER PRIMARY KEY, at TEXT NOT NULL, source TEXT NOT NULL, summary TEXT NOT NULL",
            ("position",),
        ),
    },
    batch=_Health,
    handlers={
        "observations.lost": _Health.incident,
        "fingerprint.rebased": _Health.incident,
        "log.restored": _Health.incident,
        "recording.paused": _Health.paused,
        "recording.resumed": _Health.resumed,
        "mining.completed": _Health.mined,
        "import.finished": _Health.imported,
    },
)


@attrs.frozen
class Incident:
    """Something that went wrong with recording or the log; ``count`` of observations lost."""

    position: int
    type: str
    count: int
    reason: str
    set_aside: str
    at: datetime = attrs.field(converter=moment)


@attrs.frozen
class Pause:
    """One pause of recording; ``until`` is None for one without an end, ``resumed_at`` for one that nobody ended."""

    position: int
    until: datetime | None = attrs.field(converter=attrs.converters.optional(moment))
    at: datetime = attrs.field(converter=moment)
    note: str
    resumed_at: datetime | None = attrs.field(converter=attrs.converters.optional(moment))

    def holds(self, now: datetime) -> bool:
        """Tell whether it still holds."""
        return self.resumed_at is None and (self.until is None or now < self.until)


@attrs.frozen
class LastMining:
    """The last look at the history; ``summary`` is its `MiningCompleted` as JSON."""

    position: int
    at: datetime = attrs.field(converter=moment)
    summary: JsonObject = attrs.field(converter=loads)


@attrs.frozen(kw_only=True)
class HealthLine:
    """The health line.

    Attributes:
        stored: Events in the log.
        lost: Observations that could not be stored; ``lost_reason`` is the last reason.
        pause: The pause that holds now, if any.
        calls: Calls that mining can use, in so many ``conversations``.
        hidden_calls: Calls that the model announced and no hook showed (case B001).
    """

    stored: int
    lost: int
    lost_reason: str
    last_event_at: datetime | None
    pause: Pause | None
    calls: int
    conversations: int
    hidden_calls: int


class Health:
    """Reads how recording is doing."""

    def __init__(self, store: ViewStore, history: History) -> None:
        self._store, self._history = store, history

    def line(self, now: datetime) -> HealthLine:
        """Return the health line as of now (UTC)."""
        ((stored, last),) = self._store.query("SELECT coalesce(sum(count), 0), max(at) FROM view_tally")
        lost = [one for one in self.incidents() if one.count]
        return HealthLine(
            stored=stored,
            lost=sum(one.count for one in lost),
            lost_reason=lost[-1].reason if lost else "",
            last_event_at=None if last is None else moment(last),
            pause=self.pause(now),
            calls=self._history.calls(),
            conversations=self._history.conversations(),
            hidden_calls=self._history.hidden_calls(),
        )

    def pause(self, now: datetime) -> Pause | None:
        """Return the pause that holds now, if any: the one that began last."""
        rows = self._store.query("SELECT * FROM view_pauses ORDER BY position DESC LIMIT 1")
        pauses = [Pause(*row) for row in rows]
        return next((one for one in pauses if one.holds(now)), None)

    def incidents(self) -> tuple[Incident, ...]:
        """Return everything that went wrong, oldest first."""
        return tuple(
            Incident(*row) for row in self._store.query("SELECT * FROM view_incidents ORDER BY position")
        )

    def last_mining(self) -> LastMining | None:
        """Return the last look at the history; None before the first."""
        rows = self._store.query("SELECT * FROM view_mining ORDER BY position DESC LIMIT 1")
        return LastMining(*rows[0]) if rows else None

    def last_at(self, event_type: str) -> datetime | None:
        """Return when the last event of a type came, whether or not what it said was forgotten; None before the first."""
        rows = self._store.query("SELECT at FROM view_tally WHERE type = ?", (event_type,))
        return moment(rows[0][0]) if rows else None

    def counts(self) -> dict[str, int]:
        """Return how many events of each type the log holds, by type."""
        return dict(self._store.query("SELECT type, count FROM view_tally ORDER BY type"))

    def imports(self) -> tuple[JsonValue, ...]:
        """Return every finished import as JSON, oldest first."""
        rows = self._store.query("SELECT summary FROM view_imports ORDER BY position")
        return tuple(loads(text) for (text,) in rows)
