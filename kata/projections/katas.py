"""Every kata with its versions, and which of them should be registered now."""

import sqlite3

import attrs

from ..events import Event
from ..json import JsonValue, dumps, loads
from ..machines import EVENT_TRIGGERS, Kata, Version, apply
from .codec import pack, unpack
from .projection import Batch, Projection, Table
from .store import ViewStore

_STREAMS = "kata/"


class _Katas(Batch):
    """Folds kata streams; writes each kata once a page."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self._loaded: dict[str, Kata | None] = {}

    def moved(self, event: Event) -> None:
        """Apply any event of a kata's stream: all of them count in its version, even those not known here."""
        if not event.stream.startswith(_STREAMS):
            return
        if event.stream not in self._loaded:
            self._loaded[event.stream] = self._load(event.stream)
        self._loaded[event.stream] = apply(self._loaded[event.stream], event)

    def flush(self) -> None:
        for kata in self._loaded.values():
            if kata is not None:
                self._save(kata)

    def _load(self, stream: str) -> Kata | None:
        row = self.connection.execute("SELECT kata FROM view_katas WHERE stream = ?", (stream,)).fetchone()
        return None if row is None else unpack(row[0], Kata)

    def _save(self, kata: Kata) -> None:
        self.write(
            "INSERT OR REPLACE INTO view_katas VALUES (?, ?, ?, ?, ?, ?)",
            (kata.stream, kata.number, str(kata.state), kata.name, kata.key, pack(kata)),
        )
        self.write("DELETE FROM view_registered WHERE stream = ?", (kata.stream,))
        version = kata.registered
        if version is not None:
            self._register(kata, version)

    def _register(self, kata: Kata, version: Version) -> None:
        self.write(
            "INSERT INTO view_registered VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                kata.stream,
                kata.number,
                kata.name,
                version.version,
                version.digest,
                dumps(version.spec),
                dumps([list(pair) for pair in version.renamed]),
            ),
        )


KATAS = Projection(
    name="katas",
    version=1,
    tables={
        "view_katas": Table(
            "stream TEXT PRIMARY KEY, number INTEGER NOT NULL, state TEXT NOT NULL, name TEXT NOT NULL,"
            " key TEXT NOT NULL, kata TEXT NOT NULL",
            ("stream",),
            ("CREATE INDEX IF NOT EXISTS view_katas_number ON view_katas (number)",),
        ),
        "view_registered": Table(
            "stream TEXT PRIMARY KEY, number INTEGER NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL,"
            " digest TEXT NOT NULL, spec TEXT NOT NULL, renamed TEXT NOT NULL",
            ("stream",),
        ),
    },
    batch=_Katas,
    header=_Katas.moved,
    rests_on=frozenset(EVENT_TRIGGERS),
)


@attrs.frozen(kw_only=True)
class Registered:
    """A tool that should exist now: an active kata's version as it was approved.

    ``spec`` is as stored; ``renamed`` maps its input names to those that the approval gave them.
    """

    stream: str
    number: int
    name: str
    version: int
    digest: str
    spec: JsonValue
    renamed: tuple[tuple[str, str], ...]


class Katas:
    """Reads the katas."""

    def __init__(self, store: ViewStore) -> None:
        self._store = store

    def all(self) -> tuple[Kata, ...]:
        """Return every kata, by number."""
        return self._found("1")

    def numbered(self, number: int) -> Kata | None:
        """Return the kata with that number."""
        return next(iter(self._found("number = ?", number)), None)

    def streamed(self, stream: str) -> Kata | None:
        """Return the kata of that stream."""
        return next(iter(self._found("stream = ?", stream)), None)

    def named(self, name: str) -> tuple[Kata, ...]:
        """Return the katas of that name (without ``kata_``): those that hold it first, then suggestions, by number."""
        return tuple(
            sorted(self._found("name = ?", name), key=lambda kata: (not kata.holds_name, kata.number))
        )

    def in_state(self, state: str) -> tuple[Kata, ...]:
        """Return the katas in that state, by number."""
        return self._found("state = ?", state)

    def registered(self) -> tuple[Registered, ...]:
        """Return the tools that should exist now, by number; none where the tables are of another Kata's version."""
        if not self._store.is_current(KATAS):
            return ()
        rows = self._store.query("SELECT * FROM view_registered ORDER BY number, stream")
        return tuple(_registered(*row) for row in rows)

    def _found(self, where: str, *parameters: str | int) -> tuple[Kata, ...]:
        sql = f"SELECT kata FROM view_katas WHERE {where} ORDER BY number, stream"
        return tuple(unpack(text, Kata) for (text,) in self._store.query(sql, parameters))


def _registered(
    stream: str, number: int, name: str, version: int, digest: str, spec: str, renamed: str
) -> Registered:
    return Registered(
        stream=stream,
        number=number,
        name=name,
        version=version,
        digest=digest,
        spec=loads(spec),
        renamed=tuple((old, new) for old, new in loads(renamed)),
    )
