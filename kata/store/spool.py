"""The way in for observations and run events: one append to a file of this process's own (design 3).

A segment is locked by its owner for as long as it writes there: whoever can take the lock knows that it is finished,
by rotation or by death. What was written survives ``kill -9``; `sync` makes it survive a power cut as well.
"""

import os
import sys
import threading
import weakref
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from ..clock import Clock, Ids, SystemClock, SystemIds, uuid7
from ..errors import KataError
from ..events import Actor, ActorKind, NewEvent, Surface
from ..events.catalogue import ObservationsLost
from ..events.record import encode_new
from .framing import SUFFIX
from .owned import OwnedSegment, SpoolError, begin_segment
from .segment import frame

SEGMENT_LIMIT = 4 * 1024 * 1024
"""Bytes after which a segment is finished and the next one begun."""

SELF = Actor(kind=ActorKind.SYSTEM, id="kata", surface=Surface.HOOK)
_REASONS = 8
_LOOK_EACH = 16
"""Events after which the owner looks whether its segment was deleted; the end of each turn looks as well."""


class Spool:
    """This process's own way into the log; may be used from any thread, and after a fork.

    Args:
        folder: Where the segments lie; made when the first event comes.
        clock: Names the segments in order.
        ids: Makes the ids of the events that tell of losses.
    """

    def __init__(self, folder: Path, clock: Clock | None = None, ids: Ids | None = None) -> None:
        self.folder = folder
        self._clock = clock or SystemClock()
        self._ids = ids or SystemIds()
        self._newest = 0
        self._start()
        _spools.add(self)

    def _start(self) -> None:
        self._lock = threading.Lock()
        self._segment: OwnedSegment | None = None
        self._finished: Path | None = None
        self._look_at = _LOOK_EACH
        self._lost: Counter[str] = Counter()

    @property
    def lost(self) -> Mapping[str, int]:
        """How many events could not be written, by reason, that no ``observations.lost`` tells of yet."""
        return dict(self._lost)

    def append(self, event: NewEvent) -> bool:
        """Write an observation; never raises: False says that it is lost, and counted (case B048)."""
        try:
            self.write(event)
        except Exception as error:
            self.count_lost(_reason(error))
            return False
        if self._lost:
            self._tell_lost()
        return True

    def write(self, *events: NewEvent) -> None:
        """Write events in one append: all of them or none.

        Raises:
            BadEventError: one is not what its class declares.
            SpoolError: the spool cannot be written.
        """
        lines = b"".join([frame(encode_new(event)) for event in events])
        with self._lock:
            try:
                self._current().write(lines, len(events))
            except OSError as error:
                raise SpoolError(f"the spool cannot be written: {error.strerror}") from error

    def sync(self) -> None:
        """Put what was written last on the disk: before a step with an effect. Nobody who writes waits for it.

        Raises:
            SpoolError: the disk did not take it.
        """
        with self._lock:
            segment, finished = self._segment, self._finished
            descriptors = [segment.duplicate()] if segment else []
        try:
            if finished is not None:
                descriptors += _opened_again(finished)
            for descriptor in descriptors:
                _sync(descriptor)
            if finished is not None or (segment is not None and not segment.is_named_on_disk):
                _sync_folder(self.folder)
        except OSError as error:
            raise SpoolError(f"the spool cannot be synced: {error.strerror}") from error
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
        self._note_synced(segment, finished)

    def rotate(self) -> None:
        """Finish the segment, at a turn's end: whoever drains it wholly may delete it."""
        with self._lock:
            self._finish()

    def close(self) -> None:
        """Finish the segment; a later event begins another."""
        self.rotate()

    def count_lost(self, reason: str, count: int = 1) -> None:
        """Count events that could not even be offered; told of with the next one that can be written."""
        with self._lock:
            known = reason in self._lost or len(self._lost) < _REASONS
            self._lost[reason if known else "other"] += count

    def _note_synced(self, segment: OwnedSegment | None, finished: Path | None) -> None:
        with self._lock:
            if segment is not None:
                segment.is_named_on_disk = True
            if self._finished == finished:
                self._finished = None

    def _tell_lost(self) -> None:
        with self._lock:
            lost, self._lost = self._lost, Counter()
        for reason, count in lost.items():
            try:
                self.write(self._lost_event(reason, count))
            except Exception:
                self.count_lost(reason, count)

    def _lost_event(self, reason: str, count: int) -> NewEvent:
        event_id = self._ids.new()
        return NewEvent(
            stream="log",
            event_id=event_id,
            payload=ObservationsLost(count=count, reason=reason),
            occurred_at=self._clock.now(),
            actor=SELF,
            correlation_id=event_id,
        )

    def _current(self) -> OwnedSegment:
        segment = self._segment
        if segment is not None:
            is_looked_at = segment.count >= self._look_at
            if is_looked_at:
                self._look_at = segment.count + _LOOK_EACH
            if segment.size >= SEGMENT_LIMIT or (is_looked_at and segment.is_gone()):
                self._finish()
        if self._segment is None:
            self._segment = begin_segment(self.folder, self._next_name)
            self._look_at = _LOOK_EACH
        return self._segment

    def _next_name(self) -> str:
        """Return a name that sorts after every earlier one of this process, whatever the clock does."""
        self._newest = max(self._newest + 1, int(self._clock.now().timestamp() * 1000))
        return uuid7(self._newest, os.urandom(10)) + SUFFIX

    def _finish(self) -> None:
        segment, self._segment = self._segment, None
        if segment is None:
            return
        if segment.is_gone():
            self._lost["spool_removed"] += segment.count
        else:
            self._finished = segment.path
        segment.close()

    def let_go(self) -> None:
        """Leave to the parent what is the parent's, after a fork: its lock stays with its own opening of the file."""
        segment = self._segment
        self._start()
        if segment is not None:
            segment.close()


def _reason(error: Exception) -> str:
    return f"{error.code}: {error}" if isinstance(error, KataError) else type(error).__name__


def _sync(descriptor: int) -> None:
    """``fsync`` on macOS stops at the disk's own cache; there is a stronger call for that."""
    if sys.platform == "darwin":
        import fcntl

        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
    else:
        os.fsync(descriptor)


def _opened_again(path: Path) -> list[int]:
    """Open a finished segment; one that is gone was drained, and the log is on the disk."""
    try:
        return [os.open(path, os.O_RDONLY)]
    except FileNotFoundError:
        return []


def _sync_folder(folder: Path) -> None:
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


_spools: weakref.WeakSet[Spool] = weakref.WeakSet()


def _after_fork() -> None:
    for spool in list(_spools):
        spool.let_go()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
