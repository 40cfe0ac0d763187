"""The head anchor: count and hash, noted beside the log after each commit, so that a cut tail is found (design 3)."""

from contextlib import suppress
from pathlib import Path
from typing import Protocol

from ..json import JsonError, dumps, loads
from .files import replace_file
from .protocol import Head

ANCHOR_NAME = "anchor.json"


class Anchor(Protocol):
    """Where the log's end is noted."""

    def write(self, head: Head) -> None:
        """Note the end; a failure weakens `verify` and harms nothing else, so it is never raised."""
        ...

    def read(self) -> Head | None:
        """Return the end that was noted last; None where there is none."""
        ...


class NoAnchor:
    """Notes nothing."""

    def write(self, head: Head) -> None:
        """Do nothing."""

    def read(self) -> Head | None:
        return None


class FileAnchor:
    """Notes the end in a small file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, head: Head) -> None:
        text = dumps({"count": head.position, "hash": head.hash})
        with suppress(OSError):
            replace_file(self.path, text.encode("ascii"))

    def read(self) -> Head | None:
        try:
            value = loads(self.path.read_bytes())
            return Head(int(value["count"]), str(value["hash"]))
        except (OSError, JsonError, LookupError, TypeError, ValueError):
            return None
