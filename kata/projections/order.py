"""The calls of one turn in the order in which the model asked for them; pure (design 6.1, cases B001, B002).

Everything here is a key of a text (`kata.projections.codec.text_key`), since a history is read by the hundred thousand.
"""

import struct
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

import attrs

OK, BREAKS, NESTED = 1, 2, 4
"""Flags of a call: it succeeded; it ends a run of calls; it ran inside another call, which stands for it."""

UNSEEN = 0
"""The signature of a call that was announced and never seen."""

NO_CALL_ID = 0

ROW = struct.Struct("<qqdHB")
"""One packed row: position, signature key, end (epoch seconds), number of its request in the turn, flags."""

PAIR = struct.Struct("<qq")
"""One announced call: the key of its id, the key of its tool."""


class Kind(IntEnum):
    """What a fact of a turn is."""

    STARTED = 0
    ANSWERED = 1
    RETURNED = 2
    ENDED = 3


class Fact(NamedTuple):
    """One observation of a turn, without its values: a row of the table; ``announced`` are packed pairs, in order."""

    position: int
    turn: int
    kind: int
    session: int
    request: str = ""
    announced: bytes = b""
    at: float = 0.0
    call: int = NO_CALL_ID
    tool: int = 0
    signature: int = UNSEEN
    flags: int = 0
    task: int = 0


@attrs.frozen
class Ordered:
    """A turn's rows, packed in order.

    ``calls`` counts those that were seen; ``hidden`` those that were announced and will not be seen any more.
    """

    rows: bytes
    calls: int
    hidden: int


@attrs.define
class _Request:
    position: int
    at: float
    announced: list[tuple[int, int]] = attrs.field(factory=list)
    returned: list[Fact] = attrs.field(factory=list)


def ordered(facts: Sequence[Fact]) -> Ordered:
    """Put one turn's facts, given by position, in announced order.

    Requests follow each other as they were first heard of; inside one, calls stand as announced, and those that were
    never announced come after them. A call announced and never seen is a row that breaks.
    """
    if not any(fact.kind == Kind.ANSWERED for fact in facts):
        return _as_returned(facts)
    requests = _requests(facts)
    over = any(fact.kind == Kind.ENDED for fact in facts)
    rows: list[bytes] = []
    calls = hidden = 0
    for group, request in enumerate(requests):
        placed = list(_placed(request))
        rows.extend(_row(request, fact, min(group, 0xFFFF)) for fact in placed)
        calls += len(request.returned)
        if over or group + 1 < len(requests):
            hidden += placed.count(None)
    return Ordered(b"".join(rows), calls, hidden)


def _as_returned(facts: Iterable[Fact]) -> Ordered:
    """Order a turn in which nothing was announced: those of one request together, in order of arrival."""
    groups: dict[str | int, list[Fact]] = {}
    for fact in facts:
        if fact.kind == Kind.RETURNED and not fact.flags & NESTED:
            groups.setdefault(fact.request or fact.position, []).append(fact)
    rows = [
        ROW.pack(fact.position, fact.signature, fact.at, min(group, 0xFFFF), fact.flags)
        for group, together in enumerate(groups.values())
        for fact in together
    ]
    return Ordered(b"".join(rows), len(rows), 0)


def _requests(facts: Iterable[Fact]) -> list[_Request]:
    found: dict[str | int, _Request] = {}
    for fact in facts:
        if fact.kind not in (Kind.ANSWERED, Kind.RETURNED) or fact.flags & NESTED:
            continue
        name = fact.request or fact.position
        request = found.get(name) or found.setdefault(name, _Request(fact.position, fact.at))
        if fact.kind == Kind.ANSWERED:
            request.announced.extend(PAIR.iter_unpack(fact.announced))
        else:
            request.returned.append(fact)
    return list(found.values())


def _placed(request: _Request) -> Iterator[Fact | None]:
    """Yield the calls as announced (None: never seen), then the rest in order of arrival.

    A call is found by its id; failing that by its tool, since the host makes up ids for the further calls of a batch.
    """
    left = list(request.returned)
    by_id = [_take_id(left, call) for call, _ in request.announced]
    for (_, tool), found in zip(request.announced, by_id, strict=True):
        yield found or _take_tool(left, tool)
    yield from left


def _take_id(left: list[Fact], call: int) -> Fact | None:
    for index, fact in enumerate(left):
        if fact.call == call != NO_CALL_ID:
            return left.pop(index)
    return None


def _take_tool(left: list[Fact], tool: int) -> Fact | None:
    for index, fact in enumerate(left):
        if fact.tool == tool:
            return left.pop(index)
    return None


def _row(request: _Request, fact: Fact | None, group: int) -> bytes:
    if fact is None:
        return ROW.pack(request.position, UNSEEN, request.at, group, BREAKS)
    return ROW.pack(fact.position, fact.signature, fact.at, group, fact.flags)
