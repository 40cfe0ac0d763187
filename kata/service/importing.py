"""Bring a history into the log: streamed, in batches, each event once (issue "old history")."""

import gzip
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path

import attrs

from ..errors import UsageError
from ..events import NewEvent
from ..events import catalogue as told
from ..events.record import encode_new
from ..importer import ImportedCall, LineError, read_plain, turn_records
from ..importer.events import IMPORTER
from .ports import World

Progress = Callable[[int, int], None]
BATCH = 500
FIRST_PROBLEMS = 5


class UnknownFormError(UsageError):
    """Say that a file holds no history that Kata can read."""

    code = "unknown_form"

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"{path} holds no history that can be read: {why}", hint="See docs/import.md for the forms."
        )
        self.path, self.why = str(path), why


@attrs.frozen(kw_only=True)
class Imported:
    """What an import brought in, and what it left out, by reason."""

    source: str
    form: str
    sessions: int
    calls: int
    new_events: int
    left_out: tuple[tuple[str, int], ...]
    problems: tuple[str, ...]


class Importing:
    """Reads files into the log."""

    def __init__(self, world: World) -> None:
        self._world = world

    def run(self, path: Path, *, dry: bool = False, progress: Progress | None = None) -> Imported:
        """Import one file; ``dry`` reads it all and writes nothing.

        Raises:
            UnknownFormError: it holds no call that can be read.
        """
        tally = _Tally()
        added = 0
        for batch in _batches(self._events(path, tally, progress)):
            if not dry:
                with self._world.log.transaction() as transaction:
                    added += transaction.take([encode_new(event) for event in batch]).added
        if not tally.calls:
            raise UnknownFormError(path, tally.problems[0] if tally.problems else "it is empty")
        found = tally.result(path, added)
        if added:
            self._finish(found)
        self._world.refresh()
        return found

    def _events(self, path: Path, tally: "_Tally", progress: Progress | None) -> Iterator[NewEvent]:
        size = path.stat().st_size
        with _opened(path) as (lines, done):
            calls = tally.counted(read_plain(lines))
            for _, turn in groupby(calls, key=lambda call: (call.session, call.turn)):
                yield from turn_records("plain", list(turn), self._world.keeper)
                if progress is not None:
                    progress(done(), size)

    def _finish(self, found: Imported) -> None:
        payload = told.ImportFinished(
            source=found.source,
            form=found.form,
            sessions=found.sessions,
            calls=found.calls,
            left_out=dict(found.left_out),
        )
        with self._world.log.transaction() as transaction:
            transaction.add([self._world.event("log", payload, IMPORTER)])


class _Tally:
    def __init__(self) -> None:
        self.calls = 0
        self.sessions: set[str] = set()
        self.left_out: Counter[str] = Counter()
        self.problems: list[str] = []

    def counted(self, found: Iterable[ImportedCall | LineError]) -> Iterator[ImportedCall]:
        for one in found:
            if isinstance(one, LineError):
                self.left_out["bad_line"] += 1
                if len(self.problems) < FIRST_PROBLEMS:
                    self.problems.append(str(one))
                continue
            self.calls += 1
            self.sessions.add(one.session)
            yield one

    def result(self, path: Path, added: int) -> Imported:
        return Imported(
            source=path.name,
            form="plain",
            sessions=len(self.sessions),
            calls=self.calls,
            new_events=added,
            left_out=tuple(sorted(self.left_out.items())),
            problems=tuple(self.problems),
        )


@contextmanager
def _opened(path: Path) -> Iterator[tuple[Iterable[bytes], Callable[[], int]]]:
    """Open a file, unpacked where it is gzip; the second value tells how many of its bytes are read."""
    with path.open("rb") as raw:
        if raw.peek(2)[:2] != b"\x1f\x8b":
            yield raw, raw.tell
            return
        with gzip.open(raw) as unpacked:
            yield unpacked, raw.tell


def _batches(events: Iterable[NewEvent]) -> Iterator[list[NewEvent]]:
    batch: list[NewEvent] = []
    for event in events:
        batch.append(event)
        if len(batch) >= BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
