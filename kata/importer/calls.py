"""What every form of history is read into: calls, with unknown where the source does not know, and what was left out."""

import hashlib
from datetime import datetime
from typing import NamedTuple, TypeAlias

import attrs

from ..errors import KataError
from ..json import JsonValue, dumps


class LineError(KataError):
    """Say which line of a source cannot be read, and why; the rest is."""

    code = "bad_line"

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line, self.why = line, why


class ImportedCall(NamedTuple):
    """One call of a source (a tuple, since a history has a hundred thousand of them).

    Attributes:
        session: The source's own id of the conversation.
        turn: A name of the turn in it that stays the same when the source grows.
        seq: The call's place in the turn, in announced order.
        at: When it ended; None where unknown.
        group: The model request that announced it, where the source tells; calls of one group cannot feed each other.
        key: What tells this call from every other of its form, wherever the source repeats it; empty where only its place does.
        ok: Whether the source says it succeeded; None where it does not say.
        truncated: The source itself kept a part of the result only.
        answered: The source has a result; a call without one was announced and never seen.
    """

    session: str
    turn: str
    seq: int
    tool: str
    args: JsonValue
    result: JsonValue
    at: datetime | None = None
    group: str = ""
    call_id: str = ""
    key: str = ""
    ok: bool | None = None
    duration_ms: int | None = None
    truncated: bool = False
    answered: bool = True


@attrs.frozen(kw_only=True)
class ImportedLink:
    """A conversation that belongs to another one, or to a scheduled job (`kata.events.catalogue.SessionLinked`)."""

    session: str
    parent: str | None
    relation: str
    job: str | None = None


@attrs.frozen
class LeftOut:
    """So many calls or lines that a reader passed over, and the stable word for why."""

    why: str
    count: int = 1


Found: TypeAlias = ImportedCall | ImportedLink | LeftOut | LineError
"""What a reader yields; the calls of one turn follow each other."""


def identity(call_id: str, *parts: JsonValue) -> str:
    """Return a key for a call that a source may repeat: its id, and what was done, since some providers use an id twice."""
    if not call_id:
        return ""
    raw = dumps([call_id, *parts]).encode()
    return hashlib.blake2b(raw, digest_size=16).hexdigest()
