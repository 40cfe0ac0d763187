"""Read sources into batches of events: streamed, whole turns at a time, with what was seen on the way (design 2, 6)."""

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import attrs

from ..errors import KataError
from ..events import Surface
from ..events.record import Record
from ..redact import Keeper
from ..store.protocol import Log
from .calls import Found, ImportedCall, ImportedLink, LeftOut
from .events import Recorder
from .intake import Intake
from .opening import Opened, opened

FIRST_PROBLEMS = 5

COLLECTED = 200_000
"""Objects made between two looks for cycles."""


@attrs.frozen(kw_only=True)
class Wish:
    """What of a source is wanted.

    Attributes:
        since: Only calls that ended at this moment or later; those of unknown time are left out then.
        session: Only this session, by the source's own id.
        dry: Read everything and hand on no events.
    """

    since: datetime | None = None
    session: str = ""
    dry: bool = False


@attrs.define
class Seen:
    """What was read: calls that are wanted, in which sessions, of which forms, what was left out and why."""

    calls: int = 0
    sessions: set[str] = attrs.field(factory=set)
    left_out: Counter[str] = attrs.field(factory=Counter)
    forms: dict[str, None] = attrs.field(factory=dict)
    problems: list[str] = attrs.field(factory=list)

    def problem(self, text: str, why: str) -> None:
        """Count what could not be read; the first few are told in full."""
        self.left_out[why] += 1
        if len(self.problems) < FIRST_PROBLEMS:
            self.problems.append(text)


@attrs.frozen(kw_only=True)
class Batch:
    """A stretch of the sources.

    Attributes:
        records: Its events; none where only progress is told.
        payloads: The same events' payloads by id, or nothing where they have to be read from the records.
        seen: What was seen since the batch before.
        done: How many bytes of ``whole`` are read.
    """

    records: Sequence[Record]
    payloads: Mapping[str, Any]
    seen: Seen
    done: int
    whole: int


class Reading:
    """Reads sources one after the other.

    Args:
        keeper: Masks and cuts values as it does for live calls.
        log: Tells what of this Hermes' sessions was recorded live.
        wish: What is wanted.
    """

    def __init__(self, keeper: Keeper, log: Log, wish: Wish) -> None:
        self._keeper, self._log, self._wish = keeper, log, wish
        self._intake = Intake()
        self._seen = Seen()
        self._live: tuple[str, datetime | None] = ("", None)

    def batches(self, files: Sequence[Path]) -> Iterator[Batch]:
        """Yield what the files hold; of several, one that cannot be read is a problem of its own.

        Raises:
            KataError: the only file is damaged, in use, of another schema or of no form; what came before it was yielded.
        """
        sizes = [file.stat().st_size for file in files]
        start, whole = 0, sum(sizes)
        for file, size in zip(files, sizes, strict=True):
            try:
                with opened(file) as source:
                    for _ in self._file(source):
                        done = start + size * source.done() // max(source.whole, 1)
                        yield self._batch(done, whole)
            except KataError as error:
                if len(files) > 1:
                    self._seen.problem(str(error), error.code)
                yield self._batch(start + size, whole)
                if len(files) == 1:
                    raise
            start += size

    def _batch(self, done: int, whole: int) -> Batch:
        seen, self._seen = self._seen, Seen()
        records, payloads = self._intake.taken()
        if self._wish.dry:
            records, payloads = [], {}
        return Batch(records=records, payloads=payloads, seen=seen, done=done, whole=whole)

    def _file(self, source: Opened) -> Iterator[None]:
        """Take in what is wanted of a source, and yield whenever it is time for a batch."""
        self._seen.forms[source.form.name] = None
        self._seen.problems.extend(source.notes)
        recorder = Recorder(self._keeper, "" if source.form.own else f"{source.form.name}:")
        self._intake.begin(recorder)
        for turn in self._turns(source, recorder):
            self._intake.add(turn)
            if self._intake.is_full:
                yield
        yield

    def _turns(self, source: Opened, recorder: Recorder) -> Iterator[list[ImportedCall | ImportedLink]]:
        """Yield what is wanted: calls that follow each other in a turn together, each link by itself."""
        own = recorder if source.form.own else None
        for part in source.parts:
            turn: list[ImportedCall | ImportedLink] = []
            for one in self._wanted(part, own):
                if turn and not _go_together(turn[-1], one):
                    yield turn
                    turn = []
                self._count(one)
                turn.append(one)
            if turn:
                yield turn

    def _count(self, one: ImportedCall | ImportedLink) -> None:
        if isinstance(one, ImportedCall):
            self._seen.calls += 1
            self._seen.sessions.add(one.session)

    def _wanted(self, part: Iterable[Found], own: Recorder | None) -> Iterator[ImportedCall | ImportedLink]:
        for one in part:
            if isinstance(one, ImportedCall):
                if why := self._unwanted(one, own):
                    self._seen.left_out[why] += 1
                else:
                    yield one
            elif isinstance(one, ImportedLink):
                if self._wish.session in ("", one.session):
                    yield one
            elif isinstance(one, LeftOut):
                self._seen.left_out[one.why] += one.count
            else:
                self._seen.problem(str(one), one.code)

    def _unwanted(self, call: ImportedCall, own: Recorder | None) -> str:
        wish = self._wish
        if wish.session and call.session != wish.session:
            return "other_session"
        if wish.since is not None and (call.at is None or call.at < wish.since):
            return "before" if call.at is not None else "unknown_time"
        live = self._first_live(call.session, own) if own is not None else None
        return "live" if live is not None and (call.at is None or call.at >= live) else ""

    def _first_live(self, session: str, recorder: Recorder) -> datetime | None:
        """Return when a session's first event was recorded live, if any of its calls was."""
        if self._live[0] == session:
            return self._live[1]
        first, called = None, False
        for event in self._log.read_stream(f"session/{recorder.session(session)}"):
            if event.actor.surface is Surface.IMPORT:
                continue
            first = first or event.occurred_at
            called = called or event.type == "tool.returned"
            if called:
                break
        self._live = (session, first if called else None)
        return self._live[1]


@contextmanager
def rarely_collected() -> Iterator[None]:
    """Look for cycles less often meanwhile: what is read here has none, and the looking is a seventh of the work."""
    before = gc.get_threshold()
    gc.set_threshold(COLLECTED, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _go_together(one: ImportedCall | ImportedLink, other: ImportedCall | ImportedLink) -> bool:
    return (
        isinstance(one, ImportedCall)
        and isinstance(other, ImportedCall)
        and (one.turn, one.session) == (other.turn, other.session)
    )
