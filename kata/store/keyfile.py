"""The key of Kata's fingerprints, in a private file beside the log (design 7). Standard library alone."""

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ..errors import StoreError
from .files import PRIVATE, write_new

KEY_NAME = "fingerprint.key"
_SIZE = 32


class Key(NamedTuple):
    """Thirty-two secret bytes; ``is_new`` says that fingerprints made earlier do not compare any more."""

    secret: bytes
    is_new: bool

    def __repr__(self) -> str:
        return f"Key(is_new={self.is_new})"


def load_key(folder: Path) -> Key:
    """Read the key; make it, once for all processes, where there is none or a damaged one.

    Raises:
        StoreError: it can neither be read nor made.
    """
    path = folder / KEY_NAME
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        secret = _read(path)
        if secret is not None:
            return Key(secret, is_new=False)
        return _make(path)
    except OSError as error:
        raise StoreError(f"the fingerprint key cannot be read or made: {error.strerror}") from error


def _read(path: Path) -> bytes | None:
    try:
        secret = path.read_bytes()
    except FileNotFoundError:
        return None
    if len(secret) != _SIZE:
        path.replace(path.with_name(f"{path.name}.damaged"))
        return None
    if os.name == "posix" and path.stat().st_mode & 0o077:
        path.chmod(PRIVATE)
    return secret


def _make(path: Path) -> Key:
    """Write the key elsewhere and link it into place: nobody sees half a key, and only one of two makers wins."""
    secret = os.urandom(_SIZE)
    beside = path.with_name(f".{path.name}.{os.urandom(6).hex()}")
    write_new(beside, secret)
    try:
        os.link(beside, path)
    except FileExistsError:
        return Key(path.read_bytes(), is_new=False)
    except OSError:  # a file system without links
        beside.replace(path)
    finally:
        with suppress(OSError):
            beside.unlink()
    return Key(secret, is_new=True)
