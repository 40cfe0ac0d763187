"""A damaged log is moved aside, never deleted, and a new one begun that says so (case B047)."""

from contextlib import suppress
from pathlib import Path

from ..errors import StoreError
from ..events import Actor, NewEvent
from ..events.catalogue import LogRestored
from .anchor import ANCHOR_NAME
from .locks import held
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
        The folder with the damaged files; None where the log can be read, or another process is at it.

    Raises:
        StoreError: the files cannot be moved, or the new log cannot be written.
    """
    with held(store.folder / "anew.lock") as is_mine:
        if not is_mine or store.log.is_readable():
            return None
        store.log.close()
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
