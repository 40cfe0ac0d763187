"""Bring histories into the log, each event once, and into the views without reading them back (design 2, 6)."""

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import attrs

from ..errors import KataError
from ..events import catalogue as told
from ..importer import Batch, Reading, Seen, UnknownFormError, Wish, rarely_collected
from ..importer.apart import ReaderGoneError
from ..importer.events import IMPORTER
from ..importer.reading import FIRST_PROBLEMS
from ..store.rows import event_of, event_with
from .ports import World
from .sources import files_of

log_ = logging.getLogger(__name__)

PAUSE = 100_000
"""Calls after which an import that goes on says what it has so far; then each time that it has twice as many."""

LONG = 16 * 1024 * 1024
"""Bytes of sources from which on another process reads: it takes half a second to start."""

Apart: TypeAlias = Callable[[Sequence[Path], Wish], Iterator[Batch]]
"""Reads sources in a process of its own (`kata.importer.apart.read_apart`)."""


@attrs.frozen(kw_only=True)
class Imported:
    """What an import brought in, and what it left out, by reason; ``form`` names all forms that the source has."""

    source: str
    form: str
    sessions: int
    calls: int
    new_events: int
    left_out: tuple[tuple[str, int], ...]
    problems: tuple[str, ...]


@attrs.frozen(kw_only=True)
class Watch:
    """Who is told of a long import.

    Attributes:
        progress: Is told how many bytes of how many are read, and the calls and sessions so far.
        pause: Is called after 100,000 calls and at each doubling, with what was read before in the log.
    """

    progress: Callable[[int, int, int, int], None] = lambda *_: None
    pause: Callable[[], None] = lambda: None


class Importing:
    """Reads files into the log."""

    def __init__(self, world: World, apart: Apart) -> None:
        self._world, self._apart = world, apart

    def run(self, path: Path, wish: Wish | None = None, watch: Watch | None = None) -> Imported:
        """Import a file, or a folder of files.

        A source that ends early keeps what came before; the next import completes it. In a folder, a file that cannot be
        read is a problem of its own, and the others are read.

        Raises:
            NotFoundError: nothing is there.
            UnknownFormError: it holds no call that can be read.
            KataError: a single file is damaged, in use, or of another schema.
        """
        files, tally = files_of(path), Tally()
        try:
            with rarely_collected():
                for batch in self._batches(files, wish or Wish(), tally):
                    self._take(batch, tally, watch or Watch())
        except KataError:
            self._end(path, tally)
            raise
        self._end(path, tally)
        if not tally.seen.calls and not tally.wanted_nothing:
            problems = tally.seen.problems
            raise UnknownFormError(path, problems[0] if problems else "it is empty")
        return self._told(tally, path)

    def _batches(self, files: Sequence[Path], wish: Wish, tally: "Tally") -> Iterator[Batch]:
        """Yield what the files hold; long ones are read by another process, and where that ends early once more here."""
        if sum(file.stat().st_size for file in files) >= LONG and (os.cpu_count() or 1) > 1:
            try:
                yield from self._apart(files, wish)
            except ReaderGoneError as gone:
                log_.info("kata: reading goes on in this process (%s)", gone)
                tally.forget()
            else:
                return
        yield from Reading(self._world.keeper, self._world.log, wish).batches(files)

    def _take(self, batch: Batch, tally: "Tally", watch: Watch) -> None:
        tally.saw(batch.seen)
        if batch.records:
            self._write(batch, tally)
        watch.progress(batch.done, batch.whole, tally.seen.calls, len(tally.seen.sessions))
        if tally.is_pause() and batch.done < batch.whole:
            watch.pause()

    def _write(self, batch: Batch, tally: "Tally") -> None:
        """Write a batch; an id that the log has with other content is a repeat of what it knows already."""
        with self._world.log.transaction() as transaction:
            taken = transaction.take(batch.records)
        known = batch.payloads
        self._world.show(
            [event_with(row, known[row.event_id]) if known else event_of(row) for row in taken.rows]
        )
        tally.new_events += taken.added
        tally.seen.left_out["repeated"] += sum(one.type == "tool.returned" for one in taken.conflicts)

    def _told(self, tally: "Tally", path: Path) -> Imported:
        """Return what is told of an import: a file's name and a line's trouble can hold a secret as well."""
        found, kept = tally.result(path), self._world.keeper.keep
        return attrs.evolve(
            found,
            source=kept(found.source).value,
            problems=tuple(str(kept(problem).value) for problem in found.problems),
        )

    def _end(self, path: Path, tally: "Tally") -> None:
        """Note what came in. A person's interrupt comes here not: in the midst of a write nothing more can be written."""
        if tally.new_events:
            self._finish(self._told(tally, path))
        with rarely_collected():
            self._world.refresh()

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


class Tally:
    """Counts what an import found."""

    def __init__(self) -> None:
        self.new_events = 0
        self._pause = PAUSE
        self.forget()

    def forget(self) -> None:
        """Begin to count anew what is seen: it is read once more. What came into the log stays counted."""
        self.seen = Seen()

    def saw(self, more: Seen) -> None:
        """Add what one batch saw."""
        seen = self.seen
        seen.calls += more.calls
        seen.sessions |= more.sessions
        seen.left_out += more.left_out
        seen.forms |= more.forms
        seen.problems += more.problems[: max(0, FIRST_PROBLEMS - len(seen.problems))]

    def is_pause(self) -> bool:
        """Tell whether it is time to say what is there so far."""
        if self.seen.calls <= self._pause:
            return False
        while self._pause < self.seen.calls:
            self._pause *= 2
        return True

    @property
    def wanted_nothing(self) -> bool:
        """Tell whether a source was read and held nothing that was wanted, or no calls at all."""
        return bool(self.seen.forms) and not self.seen.left_out["bad_line"]

    def result(self, path: Path) -> Imported:
        """Return what is told in the end."""
        seen = self.seen
        return Imported(
            source=path.name,
            form=", ".join(seen.forms),
            sessions=len(seen.sessions),
            calls=seen.calls,
            new_events=self.new_events,
            left_out=tuple(sorted((+seen.left_out).items())),
            problems=tuple(seen.problems),
        )
