"""How one source is opened, its form told by looking: lines, packed lines, Hermes' own database."""

import gzip
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from io import BufferedReader
from itertools import chain, islice
from pathlib import Path
from typing import IO

import attrs

from ..errors import NotFoundError, UsageError
from .calls import Found
from .forms import FORMS, LOOKED_AT, STATE_DB, Form, recognise
from .lines import bounded
from .statedb import KNOWN_SCHEMA, MAGIC, SourceDamagedError, StateDb

GZIP = b"\x1f\x8b"


class UnknownFormError(UsageError):
    """Say that a file holds no history that Kata can read."""

    code = "unknown_form"

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"{path} holds no history that can be read: {why}", hint="See docs/import.md for the forms."
        )
        self.path, self.why = str(path), why


@attrs.frozen(kw_only=True)
class Opened:
    """A source that is being read.

    Attributes:
        form: What it is.
        parts: Its calls, in parts that no turn reaches beyond (a session of a database, a whole file).
        done: Tells how much of ``whole`` is read.
        notes: What a person should know of it.
    """

    form: Form
    parts: Iterable[Iterable[Found]]
    done: Callable[[], int]
    whole: int
    notes: tuple[str, ...] = ()


class SourceUnreadableError(NotFoundError):
    """Say that a source may not be read, or not at all."""

    code = "source_unreadable"


@contextmanager
def opened(path: Path) -> Iterator[Opened]:
    """Open one file, its form told by looking.

    Raises:
        SourceUnreadableError: it cannot be read at all.
        UnknownFormError: it is of no form, or empty.
        SourceDamagedError: it cannot be read to its end.
        SourceBusyError: another program holds it.
        SchemaError: it is a database of another make.
    """
    try:
        with _raw(path) as raw:
            magic = raw.peek(len(MAGIC))[: len(MAGIC)]
            if magic == MAGIC:
                with _database(path) as found:
                    yield found
            elif magic[:2] == GZIP:
                with gzip.open(raw) as unpacked:
                    yield _lines(path, unpacked, raw.tell)  # type: ignore[arg-type]
            else:
                yield _lines(path, raw, raw.tell)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise SourceDamagedError(path, str(error)) from error


def _raw(path: Path) -> BufferedReader:
    """Open a file, and see that its beginning can be read."""
    try:
        raw = path.open("rb")
        raw.peek(len(MAGIC))
    except OSError as error:
        raise SourceUnreadableError(f"{path} cannot be read: {error.strerror}") from error
    return raw


@contextmanager
def _database(path: Path) -> Iterator[Opened]:
    with closing(StateDb(path)) as database:
        done = 0

        def sessions() -> Iterator[Iterable[Found]]:
            nonlocal done
            for session in database.sessions():
                yield session
                done += 1

        newer = database.version is not None and database.version > KNOWN_SCHEMA
        note = f"{path} has schema {database.version}, newer than Kata knows ({KNOWN_SCHEMA}): what it knows was read."
        yield Opened(
            form=next(one for one in FORMS if one.name == STATE_DB),
            parts=sessions(),
            done=lambda: done,
            whole=database.count(),
            notes=(note,) if newer else (),
        )


def _lines(path: Path, file: IO[bytes], done: Callable[[], int]) -> Opened:
    lines = bounded(file)
    first = list(islice(lines, LOOKED_AT))
    form = recognise(first)
    if form is None:
        why = "none of its first lines is of a known form" if first else "it is empty"
        raise UnknownFormError(path, why)
    parts = (form.read(chain(first, lines)),)
    return Opened(form=form, parts=parts, done=done, whole=path.stat().st_size)
