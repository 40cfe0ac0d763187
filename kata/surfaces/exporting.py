"""``export``, ``audit --ndjson`` and ``import-kata``: what goes out of Kata as a file, and how it comes in again."""

import argparse
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..errors import NotFoundError, StoreError, UsageError
from ..json import JsonObject, dumps
from ..service import Service
from ..service.adopting import LARGEST, Adopted
from .deciding import person
from .desk import Answer, Desk
from .envelope import plain
from .paths import path_of
from .text import say

Asked = argparse.Namespace
PAGE = 500


def export(desk: Desk, asked: Asked) -> Answer:
    """Write one kata as a readable file, or the whole history as JSON lines; to standard output without ``-o``.

    Raises:
        UsageError: neither or both were asked for.
        StoreError: the file cannot be written, or is there already.
    """
    if bool(asked.kata) == asked.history:
        raise UsageError(say("export.which"), hint=say("export.which.hint", command=desk.command))
    if asked.history:
        lines = history_lines(desk.service)
        return _written(asked.output, lines) if asked.output else Answer(lines=(), data=None, stream=lines)
    document = desk.service.export_kata(asked.kata, version=asked.version)
    lines = iter((readable(document),))
    if asked.output:
        return _written(asked.output, lines)
    return Answer(lines=tuple(lines), data=document)


def readable(document: JsonObject) -> str:
    """Write a document for people: indented, wide characters as they are where every reader can take them."""
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(document, indent=2, allow_nan=False)
    return text


def history_lines(service: Service) -> Iterator[str]:
    """Yield every event of the log as one line of JSON, oldest first."""
    service.refresh()
    after = 0
    while page := service.export_history(after, limit=PAGE):
        yield from map(dumps, page)
        after = page[-1]["position"]


def _written(name: str, lines: Iterable[str]) -> Answer:
    """Write lines to a new file that only its owner can read."""
    path = path_of(name)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        _fill(path, descriptor, lines)
    except FileExistsError:
        raise UsageError(say("export.exists", path=path), hint=say("export.exists.hint")) from None
    except OSError as error:
        raise StoreError(say("export.not_written", path=path, why=error.strerror)) from error
    size = path.stat().st_size
    return Answer(
        lines=(say("export.written", path=path, size=size),), data={"path": str(path), "bytes": size}
    )


def _fill(path: Path, descriptor: int, lines: Iterable[str]) -> None:
    """Write lines to a file that was just made; it goes again unless all of them are there."""
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def import_kata(desk: Desk, asked: Asked) -> Answer:
    """Make a proposal of an exported kata; it is never active by that.

    Raises:
        NotFoundError: there is no such file.
    """
    path = path_of(asked.file)
    text = _text(path)
    actor, _ = desk.bystander() if asked.dry_run else person(desk, "import-kata", asked.file)
    found = desk.service.adopt(text, path.name, actor, dry=asked.dry_run)
    following = () if found.number is None else (f"{desk.command} review {found.number}",)
    return Answer(lines=tuple(_adopted(found, following)), data=plain(found), following=following)


def _text(path: Path) -> str:
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise UsageError(say("adopt.no_file", path=path))
        with path.open("rb") as file:
            return file.read(LARGEST + 1).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(say("adopt.no_text", path=path)) from error
    except OSError as error:
        raise NotFoundError(say("adopt.unreadable", path=path, why=error.strerror)) from error


def _adopted(found: Adopted, following: tuple[str, ...]) -> Iterator[str]:
    if found.number is None:
        yield say("adopt.dry", name=found.name)
    else:
        yield say("adopt.done", number=found.number, name=found.name)
    yield say("adopt.origin", origin=found.origin)
    yield from (f"  {line}" for line in found.plan)
    yield from (say("adopt.review", command=one) for one in following)
