"""What one short process leaves for the next: the firings that were told lately, and a session's turn.

Both are only notes: where they are lost or another process holds them, the log's unique ids are the net behind.
"""

import hashlib
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from ..store.files import replace_file
from ..store.locks import try_lock

FOLDER = "hooks"
KEPT = 256
_ATTEMPTS, _PAUSE = 20, 0.001


def claim(data: Path, event_id: str) -> bool:
    """Tell whether a firing is new, and note it: False says that it was told already."""
    if not event_id:
        return True
    return _updated(data / FOLDER / "told", lambda known: _with(known, event_id))


def _with(known: Sequence[str], event_id: str) -> list[str] | None:
    return None if event_id in known else [*known, event_id][-KEPT:]


def turn_of(data: Path, session: str) -> str:
    """Return the turn that was noted for a session, empty for none."""
    try:
        return _turn_file(data, session).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""


def note_turn(data: Path, session: str, turn: str) -> None:
    """Note a session's turn for the calls that follow.

    Raises:
        OSError: it cannot be written.
    """
    path = _turn_file(data, session)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    replace_file(path, turn.encode("ascii"))


def forget_turn(data: Path, session: str) -> None:
    """Drop the note of a session that has ended."""
    with suppress(OSError):
        _turn_file(data, session).unlink()


def _turn_file(data: Path, session: str) -> Path:
    return data / FOLDER / f"turn-{hashlib.sha256(session.encode()).hexdigest()[:32]}"


def _updated(path: Path, change: Callable[[Sequence[str]], list[str] | None]) -> bool:
    """Change a file of lines under its lock; False when there was nothing to change."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "r+", encoding="ascii", errors="replace") as file:
        if not any(_tried(file.fileno()) for _ in range(_ATTEMPTS)):
            return True
        after = change(file.read().split())
        if after is None:
            return False
        file.seek(0)
        file.truncate()
        file.write("\n".join(after))
    return True


def _tried(descriptor: int) -> bool:
    taken = try_lock(descriptor)
    if not taken:
        time.sleep(_PAUSE)
    return taken
