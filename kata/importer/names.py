"""Mask the names that a source gives to tools, sessions, turns and calls: they go into streams, ids and views as they are."""

import re
from collections.abc import Sequence

from .calls import ImportedCall
from .masks import Masks

MOST = 4096
"""Names that are remembered."""

_PLAIN = re.compile(r"\w{0,11}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""One short word, or an id of the common make: no secret is known by itself in these, and most names are such."""

Turns = Sequence[Sequence[ImportedCall]]


class Names:
    """Gives each name as the log may have it: the same one for the same name, whatever else is read."""

    def __init__(self, masks: Masks) -> None:
        self._masks = masks
        self._known: dict[str, str] = {}

    def one(self, name: str) -> str:
        """Return a name; nearly all are as they were."""
        if name not in self._known:
            self._make_room(1)
            self._learn([name])
        return self._known[name]

    def in_calls(self, turns: Turns) -> Turns:
        """Return turns with the names that the log may have; all names are looked over together."""
        calls = [call for turn in turns for call in turn]
        names = {call.session for call in calls} | {call.turn for call in calls}
        names |= {call.tool for call in calls} | {call.group for call in calls}
        names |= {call.call_id for call in calls}
        self._make_room(len(names))
        known = self._known
        self._learn([name for name in names if name not in known and not _PLAIN.fullmatch(name)])
        if all(known.get(name, name) == name for name in names):
            return turns
        return [[self._kept(call) for call in turn] for turn in turns]

    def _kept(self, call: ImportedCall) -> ImportedCall:
        return call._replace(
            session=self.one(call.session),
            turn=self.one(call.turn),
            tool=self.one(call.tool),
            group=self.one(call.group),
            call_id=self.one(call.call_id),
        )

    def _make_room(self, more: int) -> None:
        if len(self._known) + more > MOST:
            self._known.clear()

    def _learn(self, names: Sequence[str]) -> None:
        for name, kept in zip(names, self._masks.keep_all(names), strict=True):
            self._known[name] = str(kept.value)
