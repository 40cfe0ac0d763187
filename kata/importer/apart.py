"""Read long sources in a process of its own, so that two processors share the work of an import.

What the two tell each other is made of plain values, by `marshal`: both run the same Python, but may know Kata's classes
by different names. The reader writes nothing; where it ends early, whatever the reason, the work can be done here.
"""

import marshal
import subprocess
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from queue import SimpleQueue
from threading import Semaphore, Thread
from typing import IO, Any, TypeAlias

from ..errors import KataError
from ..events.record import Record
from ..process import command, environment
from .reading import Batch, Seen, Wish

Plain: TypeAlias = tuple[Any, ...]
AHEAD = 1
"""Batches that wait here unread, so that the reader need not wait."""

PIPE = 1 << 20
"""Bytes that wait in the pipe, where the system lets it hold them."""

LENGTH = 8
"""Bytes of the number that stands before each message."""

END: Plain = ()
"""What a reader says last when it has read everything."""


class ReaderGoneError(KataError):
    """Say that the other process ended before it had read everything."""

    code = "reader_gone"


def read_apart(folder: Path, files: Sequence[Path], wish: Wish) -> Iterator[Batch]:
    """Yield what `Reading.batches` yields, read by another process.

    Args:
        folder: The data folder: its key masks, its log tells what was recorded live.
        files: The sources.
        wish: What is wanted of them.

    Raises:
        ReaderGoneError: it did not start, died, or met an error.
    """
    try:
        with _started(folder) as reader:
            yield from _told(reader, _order(files, wish))
    except OSError as error:
        raise ReaderGoneError(str(error)) from error


def _started(folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command("importer.child", str(folder)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
        pipesize=PIPE,
    )


def _told(reader: subprocess.Popen[bytes], order: Plain) -> Iterator[Batch]:
    assert reader.stdin is not None
    assert reader.stdout is not None
    messages = _followed(reader.stdout)
    try:
        send(reader.stdin, order)
        for told in messages:
            if told == END:
                return
            yield batch_of(told)
    finally:
        reader.kill()
        deque(messages, maxlen=0)  # what waits is let go, and with it the thread
    raise ReaderGoneError("it ended early")


def _followed(file: IO[bytes]) -> Iterator[Plain]:
    """Yield messages until they end; a thread takes them from the pipe meanwhile, unread."""
    waiting: SimpleQueue[bytes] = SimpleQueue()
    room = Semaphore(AHEAD)

    def follow() -> None:
        with suppress(OSError, ValueError):  # of a file that was closed
            while body := _body(file):
                room.acquire()
                waiting.put(body)
        waiting.put(b"")

    Thread(target=follow, daemon=True, name="kata-import").start()
    while body := waiting.get():
        yield marshal.loads(body)  # noqa: S302 - from our own child
        room.release()


def send(file: IO[bytes], told: Plain) -> None:
    """Write one message."""
    body = marshal.dumps(told)
    file.write(len(body).to_bytes(LENGTH, "big"))
    file.write(body)
    file.flush()


def received(file: IO[bytes]) -> Plain:
    """Read one message.

    Raises:
        EOFError: there is none, or not the whole of it.
    """
    told: Plain = marshal.loads(_body(file))  # noqa: S302 - from our own parent
    return told


def _body(file: IO[bytes]) -> bytes:
    """Return the next message's bytes; none where it does not come, or not whole."""
    size = int.from_bytes(file.read(LENGTH), "big")
    body = file.read(size)
    return body if len(body) == size else b""


def _order(files: Sequence[Path], wish: Wish) -> Plain:
    since = None if wish.since is None else wish.since.isoformat()
    return tuple(map(str, files)), since, wish.session, wish.dry


def order_of(told: Plain) -> tuple[list[Path], Wish]:
    """Return what is to be read, and what of it is wanted."""
    files, since, session, dry = told
    wish = Wish(since=None if since is None else datetime.fromisoformat(since), session=session, dry=dry)
    return list(map(Path, files)), wish


def plain(batch: Batch) -> Plain:
    """Write a batch as plain values."""
    seen = batch.seen
    return (
        list(map(tuple, batch.records)),
        (seen.calls, sorted(seen.sessions), dict(seen.left_out), list(seen.forms), seen.problems),
        batch.done,
        batch.whole,
    )


def batch_of(told: Plain) -> Batch:
    """Read a batch back; payloads are left to be read from the records."""
    records, (calls, sessions, left_out, forms, problems), done, whole = told
    seen = Seen(calls, set(sessions), Counter(left_out), dict.fromkeys(forms), problems)
    return Batch(records=list(map(Record._make, records)), payloads={}, seen=seen, done=done, whole=whole)
