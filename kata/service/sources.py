"""Where histories lie: files packed or not, folders of them, Hermes' own database."""

from collections.abc import Mapping
from pathlib import Path

import attrs

from ..errors import NotFoundError
from ..importer import STATE_DB

DATABASE = "state.db"
PATTERNS = ("*.jsonl", "*.jsonl.gz")


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
