"""Cutting the history into runs: successful calls of one turn without a break between them (design 6.1)."""

from collections.abc import Iterable, Iterator

import attrs

from .types import CallRow

PAUSE_S = 300.0
"""A longer pause ends a run."""


@attrs.frozen
class Run:
    """Calls that may belong together, in order."""

    conversation: str
    turn: str
    signatures: tuple[int, ...]
    refs: tuple[int, ...]
    groups: tuple[str, ...]
    at: tuple[float | None, ...] = ()


def segment(rows: Iterable[CallRow]) -> Iterator[Run]:
    """Cut rows into runs.

    A failed call, a gap or a conversational call ends a run and belongs to none; so does a turn's end and a pause over five
    minutes. Work from different requests is never stitched together (cases B001, B012).
    """
    run: list[CallRow] = []
    for row in rows:
        usable = row.ok and not row.breaks
        if run and not (usable and _continues(run[-1], row)):
            yield _made(run)
            run = []
        if usable:
            run.append(row)
    if run:
        yield _made(run)


def _continues(before: CallRow, row: CallRow) -> bool:
    if before.turn != row.turn or before.conversation != row.conversation:
        return False
    return before.at is None or row.at is None or abs(row.at - before.at) <= PAUSE_S


def _made(rows: list[CallRow]) -> Run:
    return Run(
        rows[0].conversation,
        rows[0].turn,
        tuple([row.signature for row in rows]),
        tuple([row.ref for row in rows]),
        tuple([row.group for row in rows]),
        tuple([row.at for row in rows]),
    )
