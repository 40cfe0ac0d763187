"""The spool's files: their lines, and the drain's view of them.

A line is ``["v1","<length>","<crc32>",<header>,<payload>]``: a JSON array with eight hex digits each, counted over
``<header>,<payload>``, so that a torn or foreign line shows. The payload's bytes are passed on as they are.
"""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO
from zlib import crc32

import attrs

from ..errors import KataError, StoreError
from ..events.codec import BadEventError
from ..events.record import Record, check_payload, header_text, read_header
from .framing import SUFFIX, framed
from .locks import try_lock

_PREFIX = re.compile(rb'\["v1","([0-9a-f]{8})","([0-9a-f]{8})",')
_MARK = b'["v1","'
_END = b"]"
_DECODER = json.JSONDecoder()
_READ = 1 << 20
_LONGEST = 8 << 20
"""So many bytes without a newline are garbage."""


class BadRecordError(KataError):
    """Say why a line of the spool cannot be taken into the log."""

    code = "bad_record"


@attrs.frozen(order=True)
class BadLine:
    """A line that cannot be taken in: where it stands, and why."""

    offset: int
    reason: str
    raw: bytes


@attrs.define
class Part:
    """A part of one segment: its good records with their offsets, its bad lines, and the bytes they take up."""

    name: str
    start: int
    end: int
    records: list[tuple[int, Record]] = attrs.field(factory=list)
    bad: list[BadLine] = attrs.field(factory=list)

    def add(self, line: bytes, length: int) -> None:
        """Take one more line, good or bad."""
        for start, piece in _pieces(line):
            try:
                self.records.append((self.end + start, parse(piece)))
            except BadRecordError as error:
                self.bad.append(BadLine(self.end + start, str(error), piece))
        self.end += length


def frame(record: Record) -> bytes:
    """Write one record as a line."""
    return framed(header_text(record), record.payload)


def parse(line: bytes) -> Record:
    """Read a line (without its newline) back.

    Raises:
        BadRecordError: it is torn, changed, or holds no event that could ever be read.
    """
    body = _body(line)
    try:
        header, end = _DECODER.raw_decode(body.decode("ascii"))
        if body[end : end + 1] != b",":
            raise BadRecordError("no payload")
        record = read_header(header, body[end + 1 :])
        check_payload(record)
    except BadEventError as error:
        raise BadRecordError(f"bad event ({error.path})") from error
    except (ValueError, RecursionError) as error:
        raise BadRecordError("no JSON") from error
    return record


def list_segments(folder: Path) -> dict[str, int]:
    """Return the segments of a spool and their sizes, oldest first.

    Raises:
        StoreError: the folder cannot be read.
    """
    sizes = {}
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(SUFFIX):
                    with suppress(FileNotFoundError):
                        sizes[entry.name] = entry.stat().st_size
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise StoreError(f"the spool cannot be read: {error.strerror}") from error
    return dict(sorted(sizes.items()))


def read_part(path: Path, start: int, room: int) -> Part:
    """Read up to ``room`` lines from an offset on.

    What a living owner has not finished, or what cannot be read now, is left for later.
    """
    part = Part(path.name, start, start)
    with suppress(OSError), _opened(path) as (file, is_finished):
        file.seek(start)
        *lines, tail = _read(file).split(b"\n")
        is_torn = is_finished and not file.read(1)
        for line in lines[:room]:
            part.add(line, len(line) + 1)
        if len(lines) < room and tail and (is_torn or len(tail) >= _LONGEST):
            part.add(tail, len(tail))
    return part


def ends_a_line(path: Path, offset: int) -> bool:
    """Tell whether an offset is the segment's beginning, its end, or stands behind a newline."""
    with path.open("rb") as file:
        file.seek(max(offset - 1, 0))
        return offset == 0 or file.read(1) == b"\n" or file.seek(0, os.SEEK_END) == offset


def delete_finished(path: Path, size: int) -> None:
    """Delete a segment that has no owner and no byte more than these; otherwise leave it."""
    is_done = False
    with suppress(OSError), _opened(path) as (file, is_finished):
        is_done = is_finished and os.fstat(file.fileno()).st_size <= size
        if is_done:
            path.unlink()
    if is_done:
        with suppress(OSError):  # Windows deletes no open file, POSIX did so under the lock
            path.unlink(missing_ok=True)


@contextmanager
def _opened(path: Path) -> Iterator[tuple[BinaryIO, bool]]:
    """Open a segment, and hold its lock where nobody else does: then it is finished."""
    with path.open("rb") as file:
        yield file, try_lock(file.fileno())


def _read(file: BinaryIO) -> bytes:
    """Read some whole lines, or one long one."""
    data = file.read(_READ)
    if len(data) == _READ and b"\n" not in data:
        data += file.read(_LONGEST - _READ)
    return data


def _pieces(line: bytes) -> list[tuple[int, bytes]]:
    """Part a whole record from the torn one before it on the same line."""
    last = line.rfind(_MARK)
    if last <= 0 or _is_whole(line):
        return [(0, line)] if line else []
    return [(0, line[:last]), (last, line[last:])]


def _is_whole(line: bytes) -> bool:
    match = _PREFIX.match(line)
    return match is not None and len(line) == match.end() + int(match[1], 16) + len(_END)


def _body(line: bytes) -> bytes:
    match = _PREFIX.match(line)
    if match is None or not _is_whole(line) or not line.endswith(_END):
        raise BadRecordError("torn")
    body = line[match.end() : -len(_END)]
    if crc32(body) != int(match[2], 16):
        raise BadRecordError("checksum")
    return body
