"""The head anchor: count and hash, noted beside the log after each commit, so that a cut tail is found (design 3)."""

from contextlib import suppress
from pathlib import Path
from typing import Protocol

import attrs

from ..json import JsonError, dumps, loads
from .files import replace_file
from .protocol import Head

ANCHOR_NAME = "anchor.json"


@attrs.frozen
class Noted:
    """The end of the log as it was noted last.

    Attributes:
        unproven: The log had so many events when its note was found missing or unreadable and was begun anew: whether
            more had stood behind them cannot be told. Stays until a ``log.restored`` settles it; 0 for nothing in doubt.
    """

    head: Head
    unproven: int = 0


class Anchor(Protocol):
    """Where the log's end is noted."""

    def write(self, noted: Noted) -> None:
        """Note the end; a failure weakens `verify` and harms nothing else, so it is never raised."""
        ...

    def read(self) -> Noted | None:
        """Return what was noted last; None where there is nothing, or nothing that says anything.

        Raises:
            OSError: it cannot be read now, which says nothing about what it holds.
        """
        ...


class NoAnchor:
    """Notes nothing."""

    def write(self, noted: Noted) -> None:
        """Do nothing."""

    def read(self) -> Noted | None:
        return None


class FileAnchor:
    """Notes the end in a small file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, noted: Noted) -> None:
        told = {"count": noted.head.position, "hash": noted.head.hash}
        if noted.unproven:
            told["unproven"] = noted.unproven
        with suppress(OSError):
            replace_file(self.path, dumps(told).encode("ascii"))

    def read(self) -> Noted | None:
        try:
            value = loads(self.path.read_bytes())
            return Noted(Head(int(value["count"]), str(value["hash"])), int(value.get("unproven", 0)))
        except (FileNotFoundError, JsonError, LookupError, TypeError, ValueError, AttributeError):
            return None


def last_noted(anchor: Anchor) -> Noted | None:
    """Return what was noted last; None too where it cannot be read."""
    try:
        return anchor.read()
    except OSError:
        return None
