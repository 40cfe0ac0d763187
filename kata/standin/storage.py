"""Where a plugin keeps its data, and how it opens a database: the rule of ``plugins.plugin_storage``."""

import re
import sqlite3
from pathlib import Path
from typing import Final

_NAME: Final = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}")
_FIXED: Final = (3, 51, 3)
_BACKPORTS: Final = {(3, 50): 7, (3, 44): 6}


def data_dir(home: Path, name: str) -> Path:
    """Return (and make) ``<home>/plugin-data/<name>``.

    Raises:
        ValueError: the name could leave that folder.
    """
    if not _NAME.fullmatch(name) or ".." in name:
        raise ValueError(f"invalid plugin name for storage: {name!r}")
    folder = home / "plugin-data" / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def open_db(folder: Path, filename: str) -> sqlite3.Connection:
    """Open a database file as Hermes does: 5 s busy time-out, foreign keys, WAL only where it is safe.

    Raises:
        ValueError: the file name is a path.
    """
    if not filename or Path(filename).name != filename:
        raise ValueError(f"invalid plugin db filename: {filename!r}")
    connection = sqlite3.connect(folder / filename, check_same_thread=False)
    connection.execute("PRAGMA busy_timeout=5000")
    connection.execute(f"PRAGMA journal_mode={journal_mode(sqlite3.sqlite_version_info)}")
    connection.execute("PRAGMA foreign_keys=ON")
    return connection


def journal_mode(version: tuple[int, ...]) -> str:
    """Choose the journal mode for an SQLite version: WAL where the WAL-reset fault is mended, else DELETE."""
    backport = _BACKPORTS.get((version[0], version[1]))
    mended = version >= _FIXED or (backport is not None and version[2] >= backport)
    return "WAL" if mended else "DELETE"
