"""Every schema that a live process ever saw of a tool, and tools that Hermes would not take (design 4, case B084)."""

from datetime import datetime

import attrs

from ..events import Event
from ..events.catalogue import ToolDescribed, ToolRegistrationFailed
from ..json import JsonObject, dumps, loads
from .codec import moment, moment_text
from .projection import Batch, Projection, Table
from .store import ViewStore


class _Tools(Batch):
    def described(self, event: Event) -> None:
        told: ToolDescribed = event.payload
        self.put(
            "view_schemas",
            tool=told.tool,
            digest=told.digest,
            schema=dumps(told.schema),
            toolset=told.toolset,
            surface=told.surface,
            position=event.position,
            at=moment_text(event.occurred_at),
        )

    def registration_failed(self, event: Event) -> None:
        told: ToolRegistrationFailed = event.payload
        self.put(
            "view_refused_tools",
            number=told.number,
            name=told.name,
            why=told.why,
            position=event.position,
            at=moment_text(event.occurred_at),
        )


TOOLS = Projection(
    name="tools",
    version=1,
    tables={
        "view_schemas": Table(
            "tool TEXT NOT NULL, digest TEXT NOT NULL, schema TEXT NOT NULL, toolset TEXT NOT NULL,"
            " surface TEXT NOT NULL, position INTEGER NOT NULL, at TEXT NOT NULL, PRIMARY KEY (tool, digest)",
            ("tool", "digest"),
        ),
        "view_refused_tools": Table(
            "number INTEGER PRIMARY KEY, name TEXT NOT NULL, why TEXT NOT NULL, position INTEGER NOT NULL,"
            " at TEXT NOT NULL",
            ("number",),
        ),
    },
    batch=_Tools,
    handlers={
        "tool.described": _Tools.described,
        "tool.registration_failed": _Tools.registration_failed,
    },
)


@attrs.frozen
class ToolSchema:
    """A schema as some process saw it; its fields in the order of the table. ``at``: when it was last written down."""

    tool: str
    digest: str
    schema: JsonObject = attrs.field(converter=loads)
    toolset: str
    surface: str
    position: int
    at: datetime = attrs.field(converter=moment)


@attrs.frozen
class RefusedTool:
    """The last time that a process could not register a kata's tool; its fields in the order of the table."""

    number: int
    name: str
    why: str
    position: int
    at: datetime = attrs.field(converter=moment)


class Tools:
    """Reads what is known of the tools that katas are made of."""

    def __init__(self, store: ViewStore) -> None:
        self._store = store

    def newest(self) -> dict[str, ToolSchema]:
        """Return the newest schema of every tool, by name in alphabetical order."""
        rows = self._store.query("SELECT * FROM view_schemas ORDER BY tool, position")
        return {row[0]: ToolSchema(*row) for row in rows}

    def newest_of(self, tool: str) -> ToolSchema | None:
        """Return the newest schema of a tool; None where none was ever seen."""
        return self._first("tool = ?", tool)

    def described(self, tool: str, digest: str) -> ToolSchema | None:
        """Return the schema of a tool that has this digest, however old."""
        return self._first("tool = ? AND digest = ?", tool, digest)

    def refused(self) -> dict[int, RefusedTool]:
        """Return the last failed registration of each kata, by number."""
        rows = self._store.query("SELECT * FROM view_refused_tools ORDER BY number")
        return {row[0]: RefusedTool(*row) for row in rows}

    def _first(self, where: str, *values: str) -> ToolSchema | None:
        rows = self._store.query(
            f"SELECT * FROM view_schemas WHERE {where} ORDER BY position DESC LIMIT 1", values
        )
        return ToolSchema(*rows[0]) if rows else None
