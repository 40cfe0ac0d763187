"""Small files beside the log, replaced as a whole and private to the user."""

import os
from contextlib import suppress
from pathlib import Path

PRIVATE = 0o600
CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
"""Make a file that must not exist; on Windows, without touching line ends."""


def replace_file(path: Path, content: bytes) -> None:
    """Put a file in place in one step: a reader sees the old or the new one, never half of it.

    Raises:
        OSError: it cannot be written; the old file stays.
    """
    beside = path.with_name(f".{path.name}.{os.urandom(6).hex()}")
    try:
        write_new(beside, content)
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink()
        raise


def write_new(path: Path, content: bytes) -> None:
    """Write a file that does not exist yet, readable by the user alone.

    Raises:
        FileExistsError: it does exist.
        OSError: it cannot be written.
    """
    descriptor = os.open(path, CREATE, PRIVATE)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
