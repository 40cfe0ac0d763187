"""From the spool into the log: complete records of any segment, each once (design 3)."""

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import attrs

from ..clock import Clock, SystemClock, derived_id
from ..events import NewEvent
from ..events.catalogue import ObservationsLost
from ..json import dumps
from .admitted import refusal
from .files import replace_file
from .leftovers import SET_ASIDE
from .protocol import Log, Transaction
from .segment import BadLine, Part, delete_finished, list_segments, read_part
from .spool import SELF

BATCH = 500
"""Records a transaction takes in."""


@attrs.frozen
class Drained:
    """What a drain did.

    Attributes:
        count: Events that are new in the log.
        set_aside: Records that could not be taken in; each is counted in an ``observations.lost``.
        left: Time was up before everything was done.
    """

    count: int = 0
    set_aside: int = 0
    left: bool = False


@attrs.frozen
class _Batch:
    count: int = 0
    set_aside: int = 0
    moved: bool = False


def drain(
    log: Log,
    folder: Path,
    clock: Clock | None = None,
    *,
    seconds: float = 1.0,
    now: Callable[[], float] = time.monotonic,
) -> Drained:
    """Take in everything that the spool holds, in batches, for about so many seconds.

    Anyone may do this at any time, in any process: the log's lock and its note of each segment's offset see to it that
    a record is taken once, and the event id is the second net. Wholly drained segments without an owner are deleted.

    Raises:
        StoreError: the log cannot be written; nothing in the spool is lost by that.
    """
    deadline = now() + seconds
    count = set_aside = 0
    while True:
        offsets = log.spool_offsets()  # before the listing: whatever is noted and not listed is gone for good
        sizes = list_segments(folder)
        waiting = [name for name, size in sizes.items() if size > offsets.get(name, 0)]
        if not waiting:
            break
        if now() >= deadline:
            return Drained(count, set_aside, left=True)
        with log.transaction(wait=deadline - now()) as transaction:
            transaction.forget_spool_offsets(sorted(offsets.keys() - sizes.keys()))
            batch = _take_batch(transaction, folder, waiting, clock or SystemClock())
        count, set_aside = count + batch.count, set_aside + batch.set_aside
        if not batch.moved:
            break
    for name in sizes:
        delete_finished(folder / name, offsets.get(name, 0))
    return Drained(count, set_aside)


def _take_batch(transaction: Transaction, folder: Path, names: Iterable[str], clock: Clock) -> _Batch:
    batch = _Batch()
    room = BATCH
    for name in names:
        if room <= 0:
            break
        part = read_part(folder / name, transaction.spool_offset(name), room)
        taken = _take_part(transaction, folder, part, clock)
        room -= len(part.records) + len(part.bad)
        batch = _Batch(
            batch.count + taken.count, batch.set_aside + taken.set_aside, batch.moved or taken.moved
        )
    return batch


def _take_part(transaction: Transaction, folder: Path, part: Part, clock: Clock) -> _Batch:
    refused = [BadLine(at, why, record.payload) for at, record in part.records if (why := refusal(record))]
    offsets = {one.offset for one in refused}
    admitted = [(at, record) for at, record in part.records if at not in offsets]
    taken = transaction.take([record for _, record in admitted])
    conflicts = [
        BadLine(offset, "id_conflict", record.payload)
        for offset, record in admitted
        if record in taken.conflicts
    ]
    bad = sorted([*part.bad, *refused, *conflicts])
    if bad:
        _set_aside(transaction, folder, part, bad, clock)
    if part.end > part.start:
        transaction.move_spool_offset(part.name, part.end)
    return _Batch(taken.added, len(bad), part.end > part.start)


def _set_aside(
    transaction: Transaction, folder: Path, part: Part, bad: Sequence[BadLine], clock: Clock
) -> None:
    """Keep what cannot be taken in, with its reason, and count it; the same again if the transaction is."""
    event_id = derived_id("observations.lost", part.name, str(part.start))
    reason = ", ".join(sorted({one.reason for one in bad}))
    payload = ObservationsLost(count=len(bad), reason=reason, set_aside=_keep(folder, part, bad))
    lost = NewEvent(
        stream="log",
        event_id=event_id,
        payload=payload,
        occurred_at=clock.now(),
        actor=SELF,
        correlation_id=event_id,
    )
    transaction.add([lost])


def _keep(folder: Path, part: Part, bad: Sequence[BadLine]) -> str:
    """Write bad lines to a file of their own and return its name; empty where that cannot be done."""
    path = folder / SET_ASIDE / f"{part.name}.{part.start}"
    lines = [
        dumps({"offset": one.offset, "reason": one.reason, "raw": one.raw.decode("latin-1")}) for one in bad
    ]
    try:
        path.parent.mkdir(exist_ok=True, mode=0o700)
        replace_file(path, "".join(line + "\n" for line in lines).encode("ascii"))
    except OSError:
        return ""
    return path.name
