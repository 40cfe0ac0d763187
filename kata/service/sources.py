"""Where histories lie, and how one is opened: files packed or not, folders of them, Hermes' own database."""

import gzip
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from io import BufferedReader
from itertools import chain, islice
from pathlib import Path
from typing import IO

import attrs

from ..errors import NotFoundError, UsageError
from ..importer import (
    FORMS,
    KNOWN_SCHEMA,
    LOOKED_AT,
    MAGIC,
    STATE_DB,
    Form,
    Found,
    SourceDamagedError,
    StateDb,
    bounded,
    recognise,
)

GZIP = b"\x1f\x8b"
DATABASE = "state.db"
PATTERNS = ("*.jsonl", "*.jsonl.gz")


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


@attrs.frozen(kw_only=True)
class Place:
    """A history that this machine has: the form's word, where it lies, how many bytes."""

    form: str
    path: Path
    size: int


def here(home: Path, person: Path, environment: Mapping[str, str]) -> tuple[Place, ...]:
    """Return the histories of this machine: this Hermes' own, and those of other agents where they keep them.

    Args:
        home: The folder of this Hermes' profile.
        person: The person's home folder.
        environment: Where ``CLAUDE_CONFIG_DIR`` and ``CODEX_HOME`` may say otherwise.
    """
    claude = Path(environment.get("CLAUDE_CONFIG_DIR") or person / ".claude")
    codex = Path(environment.get("CODEX_HOME") or person / ".codex")
    places = ((STATE_DB, home / DATABASE), ("claude", claude / "projects"), ("codex", codex / "sessions"))
    found = ((form, path, files_of(path)) for form, path in places if path.exists())
    return tuple(
        Place(form=form, path=path, size=sum(file.stat().st_size for file in files))
        for form, path, files in found
        if files
    )


def home_of(folder: Path, environment: Mapping[str, str]) -> Path:
    """Return the Hermes home that a data folder belongs to (``<home>/plugin-data/kata``), or failing that Hermes' default."""
    if folder.parent.name == "plugin-data":
        return folder.parent.parent
    return Path(environment.get("HERMES_HOME") or Path.home() / ".hermes")


def files_of(path: Path) -> tuple[Path, ...]:
    """Return the files of a path: itself, or what a folder has (the database of a Hermes home, else all JSON Lines).

    Raises:
        NotFoundError: nothing is there.
    """
    try:
        if path.is_file():
            return (path,)
        if not path.is_dir():
            raise NotFoundError(f"There is no file {path}.", hint="")
    except OSError as error:
        raise NotFoundError(f"{path} cannot be read: {error.strerror}") from error
    if (path / DATABASE).is_file():
        return (path / DATABASE,)
    return tuple(sorted({file for pattern in PATTERNS for file in path.rglob(pattern) if file.is_file()}))


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
