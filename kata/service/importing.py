"""Bring histories into the log: streamed, whole turns at a time, each event once (design 2, 6)."""

import gc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import attrs

from ..errors import KataError
from ..events import Surface
from ..events import catalogue as told
from ..importer import Found, ImportedCall, ImportedLink, LeftOut, Recorder
from ..importer.events import IMPORTER
from .intake import Intake
from .ports import World
from .sources import Opened, UnknownFormError, files_of, opened

FIRST_PROBLEMS = 5
PAUSE = 100_000
"""Calls after which an import that goes on says what it has so far; then each time that it has twice as many."""

COLLECTED = 200_000
"""Objects made between two looks for cycles."""


@attrs.frozen(kw_only=True)
class Wish:
    """What of a source is wanted.

    Attributes:
        since: Only calls that ended at this moment or later; those of unknown time are left out then.
        session: Only this session, by the source's own id.
        dry: Read everything and write nothing.
    """

    since: datetime | None = None
    session: str = ""
    dry: bool = False


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

    def __init__(self, world: World) -> None:
        self._world = world

    def run(self, path: Path, wish: Wish | None = None, watch: Watch | None = None) -> Imported:
        """Import a file, or a folder of files.

        A source that ends early keeps what came before; the next import completes it. In a folder, a file that cannot be
        read is a problem of its own, and the others are read.

        Raises:
            NotFoundError: nothing is there.
            UnknownFormError: it holds no call that can be read.
            KataError: a single file is damaged, in use, or of another schema.
        """
        files = files_of(path)
        tally = Tally()
        try:
            with rarely_collected():
                for file, span in _spans(files):
                    self._file(file, span, tally, wish or Wish(), watch or Watch())
        finally:
            if tally.new_events:
                self._finish(self._told(tally, path))
            with rarely_collected():
                self._world.refresh()
        if not tally.calls and not tally.wanted_nothing:
            raise UnknownFormError(path, tally.problems[0] if tally.problems else "it is empty")
        return self._told(tally, path)

    def _told(self, tally: "Tally", path: Path) -> Imported:
        """Return what is told of an import: a file's name and a line's trouble can hold a secret as well."""
        found, kept = tally.result(path), self._world.keeper.keep
        return attrs.evolve(
            found,
            source=kept(found.source).value,
            problems=tuple(str(kept(problem).value) for problem in found.problems),
        )

    def _file(self, file: Path, span: "_Span", tally: "Tally", wish: Wish, watch: Watch) -> None:
        try:
            with opened(file) as source:
                tally.opened(source)
                take = _Taking(self._world, tally, wish, watch, span)
                take.source(source)
        except KataError as error:
            if span.alone:
                raise
            tally.problem(str(error), error.code)

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


@contextmanager
def rarely_collected() -> Iterator[None]:
    """Look for cycles less often meanwhile: what is read here has none, and the looking is a seventh of the work."""
    before = gc.get_threshold()
    gc.set_threshold(COLLECTED, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@attrs.frozen
class _Span:
    """Where one file stands among those of a source, in bytes."""

    start: int
    size: int
    whole: int
    alone: bool


def _spans(files: Sequence[Path]) -> Iterator[tuple[Path, _Span]]:
    sizes = [file.stat().st_size for file in files]
    start, whole = 0, sum(sizes)
    for file, size in zip(files, sizes, strict=True):
        yield file, _Span(start, size, whole, len(files) == 1)
        start += size


class _Taking:
    """Takes one file in."""

    def __init__(self, world: World, tally: "Tally", wish: Wish, watch: Watch, span: _Span) -> None:
        self._world, self._tally, self._wish, self._watch = world, tally, wish, watch
        self._span = span
        self._live: tuple[str, datetime | None] = ("", None)
        self._own = False

    def source(self, source: Opened) -> None:
        """Take what is wanted of it, in batches of whole turns."""
        prefix = "" if source.form.own else f"{source.form.name}:"
        recorder = Recorder(self._world.keeper, prefix)
        intake = Intake(self._world, recorder)
        self._own = source.form.own
        try:
            for turn in self._turns(source, recorder):
                if self._tally.is_pause():
                    self._write(intake)
                    self._watch.pause()
                intake.add(turn)
                if intake.is_full:
                    self._write(intake)
                    self._say(source)
        finally:
            self._write(intake)
        self._say(source)

    def _say(self, source: Opened) -> None:
        tally, span = self._tally, self._span
        done = span.start + span.size * source.done() // max(source.whole, 1)
        self._watch.progress(done, span.whole, tally.calls, len(tally.sessions))

    def _turns(self, source: Opened, recorder: Recorder) -> Iterator[list[ImportedCall | ImportedLink]]:
        """Yield what is wanted: calls that follow each other in a turn together, each link by itself."""
        for part in source.parts:
            turn: list[ImportedCall | ImportedLink] = []
            for one in self._wanted(part, recorder):
                if turn and not _go_together(turn[-1], one):
                    yield turn
                    turn = []
                turn.append(one)
            if turn:
                yield turn

    def _wanted(self, part: Iterable[Found], recorder: Recorder) -> Iterator[ImportedCall | ImportedLink]:
        for one in part:
            if isinstance(one, ImportedCall):
                if why := self._unwanted(one, recorder):
                    self._tally.left_out[why] += 1
                else:
                    self._tally.call(one)
                    yield one
            elif isinstance(one, ImportedLink):
                if self._wish.session in ("", one.session):
                    yield one
            elif isinstance(one, LeftOut):
                self._tally.left_out[one.why] += one.count
            else:
                self._tally.problem(str(one), one.code)

    def _unwanted(self, call: ImportedCall, recorder: Recorder) -> str:
        wish = self._wish
        if wish.session and call.session != wish.session:
            return "other_session"
        if wish.since is not None and (call.at is None or call.at < wish.since):
            return "before" if call.at is not None else "unknown_time"
        live = self._first_live(call.session, recorder) if self._own else None
        return "live" if live is not None and (call.at is None or call.at >= live) else ""

    def _first_live(self, session: str, recorder: Recorder) -> datetime | None:
        """Return when a session's first event was recorded live, if any of its calls was."""
        if self._live[0] == session:
            return self._live[1]
        first, called = None, False
        for event in self._world.log.read_stream(f"session/{recorder.session(session)}"):
            if event.actor.surface is Surface.IMPORT:
                continue
            first = first or event.occurred_at
            called = called or event.type == "tool.returned"
            if called:
                break
        self._live = (session, first if called else None)
        return self._live[1]

    def _write(self, intake: Intake) -> None:
        if self._wish.dry:
            intake.drop()
            return
        written = intake.write()
        self._tally.new_events += written.new
        self._tally.left_out["repeated"] += written.repeated


class Tally:
    """Counts what an import found."""

    def __init__(self) -> None:
        self.calls = self.new_events = 0
        self._pause = PAUSE
        self.sessions: set[str] = set()
        self.left_out: Counter[str] = Counter()
        self.problems: list[str] = []
        self._forms: dict[str, None] = {}

    def opened(self, source: Opened) -> None:
        """Note a file's form, and what is to be said of it."""
        self._forms[source.form.name] = None
        self.problems.extend(source.notes)

    def call(self, call: ImportedCall) -> None:
        """Count a call that is wanted."""
        self.calls += 1
        self.sessions.add(call.session)

    def is_pause(self) -> bool:
        """Tell whether it is time to say what is there so far."""
        if self.calls <= self._pause:
            return False
        self._pause *= 2
        return True

    def problem(self, text: str, why: str) -> None:
        """Count what could not be read; the first few are told in full."""
        self.left_out[why] += 1
        if len(self.problems) < FIRST_PROBLEMS:
            self.problems.append(text)

    @property
    def wanted_nothing(self) -> bool:
        """Tell whether a source was read and held nothing that was wanted, or no calls at all."""
        return bool(self._forms) and not self.left_out["bad_line"]

    def result(self, path: Path) -> Imported:
        return Imported(
            source=path.name,
            form=", ".join(self._forms),
            sessions=len(self.sessions),
            calls=self.calls,
            new_events=self.new_events,
            left_out=tuple(sorted((+self.left_out).items())),
            problems=tuple(self.problems),
        )


def _go_together(one: ImportedCall | ImportedLink, other: ImportedCall | ImportedLink) -> bool:
    return (
        isinstance(one, ImportedCall)
        and isinstance(other, ImportedCall)
        and (one.turn, one.session) == (other.turn, other.session)
    )
