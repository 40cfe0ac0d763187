"""A damaged log is moved aside, never deleted, and a new one begun that says so (case B047)."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import StoreError
from ..events import Actor, NewEvent
from ..events.catalogue import LogRestored
from .anchor import ANCHOR_NAME
from .files import PRIVATE
from .locks import try_lock
from .patience import Patience
from .store import DATABASE_NAME, Store

_PARTS = (
    DATABASE_NAME,
    f"{DATABASE_NAME}-journal",
    f"{DATABASE_NAME}-wal",
    f"{DATABASE_NAME}-shm",
    ANCHOR_NAME,
)


def start_anew(store: Store, actor: Actor, reason: str) -> Path | None:
    """Move a damaged database and what belongs to it into a folder beside it, and begin a new log.

    What the spool still holds goes into the new log. Other processes see that the file is another one and open it.

    Args:
        store: The store whose log raised `StoreDamagedError`.
        actor: Who asked for it.
        reason: Goes into the new log's first event, ``log.restored``.

    Returns:
        The folder with the damaged files; None where the log can be read (another process may have been faster).

    Raises:
        StoreError: the files cannot be moved, or the new log cannot be written.
    """
    store.log.close()
    with _alone(store.folder / "anew.lock"):
        if store.log.is_readable():
            return None
        aside = _move_aside(store)
    event_id = store.ids.new()
    payload = LogRestored(reason=reason, set_aside=aside.name)
    restored = NewEvent(
        stream="log",
        event_id=event_id,
        payload=payload,
        occurred_at=store.clock.now(),
        actor=actor,
        correlation_id=event_id,
    )
    with store.log.transaction() as transaction:
        transaction.add([restored])
    return aside


def _move_aside(store: Store) -> Path:
    aside = store.folder / f"damaged-{store.clock.now():%Y%m%dT%H%M%S%f}"
    try:
        aside.mkdir(mode=0o700)
        for name in _PARTS:
            with suppress(FileNotFoundError):
                (store.folder / name).rename(aside / name)
    except OSError as error:
        raise StoreError(f"the damaged log cannot be moved aside: {error.strerror}") from error
    return aside


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold a file lock, so that two processes do not move each other's new log aside."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE)
    try:
        Patience().retry(lambda: try_lock(descriptor))
        yield
    finally:
        os.close(descriptor)
