"""Reading everything back: do the stored bytes still say what was once appended? (design 3)."""

from collections import Counter
from collections.abc import Callable, Iterable

import attrs

from ..events.catalogue import HistoryExpired, HistoryForgotten
from ..events.codec import BadEventError, decode_payload
from ..json import JsonError
from .anchor import Anchor, NoAnchor, last_noted
from .chain import link, payload_digest
from .errors import ChainBrokenError
from .protocol import Head, Log
from .rows import Row, header_of
from .transaction import COVERING

Progress = Callable[[int, int], None]
_STEP = 1000


@attrs.frozen
class Verified:
    """A log whose every stored byte holds.

    Attributes:
        count: How many events it has.
        hash: The chain's last hash.
        erased: How many payloads were erased, each named by an event that says so.
        anchored: The log's end was noted somewhere else, and reaches at least that far.
        unproven: Behind so many events more may have stood: see `kata.store.anchor.Noted`; 0 for nothing in doubt.
    """

    count: int
    hash: str
    erased: int
    anchored: bool
    unproven: int = 0


def verify(log: Log, anchor: Anchor | None = None, progress: Progress | None = None) -> Verified:
    """Read every stored byte again and follow the chain.

    Args:
        log: Any store.
        anchor: Where the end was noted; finds a cut tail.
        progress: Told now and then how many positions of how many are done.

    Raises:
        ChainBrokenError: names the first position that does not hold, and why.
        StoreError: the log cannot be read.
    """
    total = log.head().position
    noted = last_noted(anchor or NoAnchor())
    check = _Check(noted.head if noted else None)
    for row in log.rows():
        check.follow(row)
        if progress and row.position % _STEP == 0:
            progress(row.position, total)
    check.finish()
    if progress:
        progress(check.head.position, check.head.position)
    unproven = noted.unproven if noted else 0
    return Verified(check.head.position, check.head.hash, check.erased, noted is not None, unproven)


class _Check:
    """Follows the chain row by row; erasures are settled at the end, when every event that names them is known."""

    def __init__(self, noted: Head | None) -> None:
        self.head = Head(0, "")
        self.erased = 0
        self._noted = noted
        self._versions: Counter[str] = Counter()
        self._missing: list[int] = []
        self._named: list[tuple[int, int]] = []

    def follow(self, row: Row) -> None:
        self._check_place(row)
        self._check_payload(row)
        try:
            expected = link(self.head.hash, header_of(row), row.payload_hash)
        except (JsonError, ValueError) as error:
            raise ChainBrokenError(row.position, "the header is not what it was") from error
        if row.hash != expected:
            raise ChainBrokenError(row.position, "header, payload hash or chain is not what it was")
        if row.type in COVERING:
            self._note_erasures(row)
        self.head = Head(row.position, row.hash)
        if self._noted is not None and self._noted.position == row.position and self._noted.hash != row.hash:
            raise ChainBrokenError(row.position, "the chain is not the one that was noted beside the log")

    def finish(self) -> None:
        unnamed = first_outside(self._missing, self._named)
        if unnamed is not None:
            raise ChainBrokenError(unnamed, "the payload is gone, and no event says why")
        if self._noted is not None and self._noted.position > self.head.position:
            raise ChainBrokenError(
                self.head.position + 1, f"the log once had {self._noted.position} events; its end is cut"
            )

    def _check_place(self, row: Row) -> None:
        if row.position != self.head.position + 1:
            raise ChainBrokenError(self.head.position + 1, f"nothing stands here; the next is {row.position}")
        self._versions[row.stream] += 1
        if row.version != self._versions[row.stream]:
            raise ChainBrokenError(row.position, f"{row.stream} jumps to version {row.version}")

    def _check_payload(self, row: Row) -> None:
        if row.payload is None:
            self.erased += 1
            self._missing.append(row.position)
        elif not isinstance(row.payload, bytes) or payload_digest(row.payload) != row.payload_hash:
            raise ChainBrokenError(row.position, "the payload is not what it was")

    def _note_erasures(self, row: Row) -> None:
        try:
            payload = decode_payload(row.type, row.schema, row.payload)
        except BadEventError as error:
            raise ChainBrokenError(row.position, str(error)) from error
        if isinstance(payload, HistoryExpired | HistoryForgotten):
            self._named.extend((first, min(last, row.position - 1)) for first, last in payload.positions)


def first_outside(positions: Iterable[int], ranges: Iterable[tuple[int, int]]) -> int | None:
    """Return the first of some ascending positions that lies in none of these inclusive ranges."""
    ordered = sorted(ranges)
    reached, index = 0, 0
    for position in positions:
        while index < len(ordered) and ordered[index][0] <= position:
            reached = max(reached, ordered[index][1])
            index += 1
        if position > reached:
            return position
    return None
