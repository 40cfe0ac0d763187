"""What of the log belongs to a conversation, or holds a text: what `forget` takes away (design 3, case B074)."""

from base64 import b64encode
from collections.abc import Iterator
from typing import Protocol
from urllib.parse import quote, quote_plus

import attrs

from ..events.codec import CODEC
from ..json import dumps
from ..store.protocol import Log
from ..store.rows import Row, event_of
from ..store.transaction import COVERING

RUN, KATA, SESSION = "run/", "kata/", "session/"
EXAMPLE, PASS = "evidence.kept", "mining.completed"
_SHORTEST_ENCODED = 8
"""Letters of base64 from which on they stand for one text alone."""


class Wish(Protocol):
    """Says which stored events it is about."""

    def takes(self, row: Row) -> bool:
        """Tell whether an event goes; asked for each one in order of position."""
        ...

    def names(self, row: Row) -> bool:
        """Tell whether an event's header, which stays, says what should be forgotten."""
        ...


class OfSessions:
    """Everything of some sessions, their examples and runs; and what a pass noted down after they began."""

    def __init__(self, sessions: tuple[str, ...]) -> None:
        self._sessions = frozenset(sessions)
        self._streams = {SESSION + one for one in sessions}
        self._forms = tuple(dumps(one).encode() for one in sessions)
        self._began = False

    def takes(self, row: Row) -> bool:
        found = row.stream in self._streams or self._is_theirs(row)
        self._began = self._began or found
        return found or (self._began and row.type == PASS)

    def names(self, row: Row) -> bool:
        del row
        return False

    def _is_theirs(self, row: Row) -> bool:
        payload = row.payload or b""
        if not any(form in payload for form in self._forms):
            return False
        told = event_of(row, CODEC).payload
        return getattr(told, "session_id", None) in self._sessions


class OfText:
    """Everything whose stored bytes hold a text, also behind an encoding."""

    def __init__(self, text: str) -> None:
        self._forms = tuple(forms(text))
        self._text = text

    def takes(self, row: Row) -> bool:
        payload = row.payload or b""
        return any(form in payload for form in self._forms)

    def names(self, row: Row) -> bool:
        return any(self._text in name for name in (row.stream, row.actor_id, row.correlation_id))


def forms(text: str) -> Iterator[bytes]:
    """Yield how a text can stand in stored JSON: plain, as text of JSON, behind percent signs, in base64."""
    spelt = (
        text,
        dumps(text)[1:-1],
        quote(text, safe="", errors="replace"),
        quote_plus(text, errors="replace"),
    )
    yield from dict.fromkeys(dumps(one)[1:-1].encode() for one in (*spelt, *_base64(text)))


def _base64(text: str) -> Iterator[str]:
    """Yield the letters that every base64 of a longer text has for this one, for each place it can begin at."""
    raw = text.encode("utf-8", "surrogatepass")
    for before, first in enumerate((0, 2, 3)):
        letters = b64encode(bytes(before) + raw).decode()[first : (before + len(raw)) * 8 // 6]
        if len(letters) >= _SHORTEST_ENCODED:
            yield letters
            yield letters.translate(str.maketrans("+/", "-_"))


@attrs.frozen(kw_only=True)
class Hits:
    """What a wish is about, up to a position.

    Attributes:
        rows: Single events: position, stream and type.
        runs: Streams of runs that go whole: half a run would be taken for one that still goes on.
        katas: Streams of katas that say it themselves, beside their examples.
        named: How many headers, which stay, hold the text.
    """

    rows: tuple[tuple[int, str, str], ...]
    runs: frozenset[str]
    katas: frozenset[str]
    named: int


def gather(log: Log, wish: Wish, until: int) -> Hits:
    """Look through the whole log for what a wish is about."""
    rows: list[tuple[int, str, str]] = []
    runs: set[str] = set()
    katas: set[str] = set()
    named = 0
    for row in log.rows():
        if row.position > until:
            break
        named += wish.names(row)
        if row.payload is None or row.type in COVERING or not wish.takes(row):
            continue
        if row.stream.startswith(RUN):
            runs.add(row.stream)
        elif row.stream.startswith(KATA) and row.type != EXAMPLE:
            katas.add(row.stream)
        else:
            rows.append((row.position, row.stream, row.type))
    return Hits(rows=tuple(rows), runs=frozenset(runs), katas=frozenset(katas), named=named)
