"""What the worker looks up for the log: where sessions come from, and what tools look like now (design 2, 6.3)."""

import logging
from collections.abc import Iterable, Mapping

from ..events import catalogue as told
from ..schemas import schema_digest
from .decode import linked
from .host import Host, Lineage, ToolInfo
from .observer import SYSTEM, Observer

log = logging.getLogger(__name__)

RELATIONS = frozenset({"compression", "delegate", "scheduled"})


class Lookups:
    """Adds ``session.linked`` and ``tool.described`` to what the hooks told."""

    def __init__(self, host: Host, observer: Observer) -> None:
        self._host, self._observer = host, observer
        self._linked: set[str] = set()
        self._unknown: set[str] = set()

    def run(self, known: Mapping[str, str], watched: Iterable[str]) -> bool:
        """Look up what was noticed since; tell whether anything was written.

        Args:
            known: The digest of the newest schema that the log has of each tool.
            watched: Tools that katas use: looked at whether or not they were called.
        """
        noticed = self._noticed()
        wrote = [self._link(name) for kind, name in noticed if kind == "session"]
        wrote += [self._give_up(name) for kind, name in noticed if kind == "ended"]
        tools = {name for kind, name in noticed if kind == "tool"}
        if noticed:
            wrote += list(self._describe(sorted(tools.union(watched)), known))
        return any(wrote)

    def _noticed(self) -> list[tuple[str, str]]:
        found: dict[tuple[str, str], None] = {}
        while self._observer.noticed:
            found[self._observer.noticed.popleft()] = None
        return list(found)

    def _link(self, session_id: str) -> bool:
        if not session_id or session_id in self._linked:
            return False
        lineage = self._lineage(session_id)
        if lineage is None:
            self._unknown.add(session_id)
            return False
        self._unknown.discard(session_id)
        self._linked.add(session_id)
        if lineage.relation not in RELATIONS:
            return False
        return self._record(session_id, lineage)

    def _give_up(self, session_id: str) -> bool:
        """Write down of a session that ended that the host never said where it comes from (case B005)."""
        if session_id not in self._unknown:
            return False
        self._unknown.discard(session_id)
        return self._record(session_id, Lineage(None, "unknown", None))

    def _lineage(self, session_id: str) -> Lineage | None:
        try:
            return self._host.lineage(session_id)
        except Exception:
            log.debug("kata: the session store could not be read", exc_info=True)
            return None

    def _record(self, session_id: str, lineage: Lineage) -> bool:
        payload = linked(session_id, lineage.parent, lineage.relation, lineage.job)
        self._observer.record(payload, SYSTEM, f"session/{session_id}", session_id)
        return True

    def _describe(self, names: Iterable[str], known: Mapping[str, str]) -> Iterable[bool]:
        here = self._tools()
        for name in names:
            info = here.get(name)
            if info is None or name.startswith("kata_"):
                continue
            found = schema_digest(dict(info.schema))
            if known.get(name) == found:
                continue
            payload = told.ToolDescribed(
                tool=name,
                schema=dict(info.schema),
                digest=found,
                toolset=info.toolset,
                surface=self._host.profile,
            )
            self._observer.record(payload, SYSTEM, "log", found)
            yield True

    def _tools(self) -> dict[str, ToolInfo]:
        try:
            return self._host.tools()
        except Exception:
            log.debug("kata: the tool registry could not be read", exc_info=True)
            return {}
