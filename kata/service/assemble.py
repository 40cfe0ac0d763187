"""Put one profile's service together from its data folder."""

import contextlib
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from ..clock import Clock, Ids, SystemClock, SystemIds
from ..errors import NewerKataError, StoreError
from ..events import Event
from ..importer.apart import read_apart
from ..redact import Keeper
from ..store import Store, StoreBusyError, open_store
from ..store.pool import Connect
from .adopting import Adopting
from .board import Board
from .comparing import Comparing
from .decide import Decisions
from .doctor import Doctor, Finding
from .exporting import Exporting
from .find import Finder
from .forgetting import Forgetting
from .hooking import Hooking
from .importing import Importing
from .keeping import Keeping
from .mine import Mining
from .planning import Planning
from .ports import NoTools, Tools, World
from .propose import Proposer
from .reads import Reads
from .running import Running
from .saved import Reckoning
from .screens import Screens
from .service import Service
from .settings import Settings
from .upkeep import Retention, Upkeep
from .validate import Checks

LOCK_NAME = "mining.lock"
DRAIN_S = 1.0
TAKE_ALL_S = 5.0
ReadSettings = Callable[[], tuple[Settings, tuple[str, ...]]]


def default_settings() -> tuple[Settings, tuple[str, ...]]:
    """Return the settings of the page."""
    return Settings(), ()


def assemble(
    folder: Path,
    *,
    connect: Connect | None = None,
    store: Store | None = None,
    profile: str = "default",
    settings: ReadSettings = default_settings,
    tools: Tools | None = None,
    search: Callable[[], bool] = lambda: False,
    host: Callable[[], tuple[Finding, ...]] = tuple,
    clock: Clock | None = None,
    ids: Ids | None = None,
) -> Service:
    """Build the service of one data folder.

    Args:
        folder: Where the log lies (``plugin-data/kata`` of the profile).
        connect: Opens the database; by default as outside Hermes.
        store: An open store to use instead.
        settings: Reads the settings as they are, with warnings.
        tools: The tools of this process.
        search: Tells whether new tools are visible at once, through tool search.
        host: What the host's side has to say when the installation is checked.

    Raises:
        StoreError: the log cannot be opened; the hint says what to look at.
    """
    clock, ids = clock or SystemClock(), ids or SystemIds()
    store = store or open_store(folder, connect, clock, ids)
    with usable(folder):
        store.log.head()
        keeper = Keeper(store.key.secret)
        reads = Reads(store.log, store.connect())
    world = World(
        log=store.log,
        refresh=lambda: refresh(store, reads),
        take_all=lambda: take_all(store, reads),
        show=lambda events: show(reads, events),
        changed=store.touch_generation,
        settings=settings,
        clock=clock,
        ids=ids,
        keeper=keeper,
        tools=tools or NoTools(),
        profile=profile,
        search=search,
    )
    checks = Checks(world, reads.described, reads.tool_names)
    find = Finder(lambda: reads.katas, checks.tool_names)
    screens = Screens(world, reads, find, checks)
    board = Board(world, store, reads, screens)
    hooking = Hooking(folder, board.standing)
    lock = threading.RLock()
    decisions = Decisions(world, find, checks, lock)
    proposer = Proposer(world, checks, reads.baseline, reads.katas.all, reads.history.without_lineage)
    return Service(
        world=world,
        store=store,
        reads=reads,
        lock=lock,
        screens=screens,
        board=board,
        hooking=hooking,
        decisions=decisions,
        mining=Mining(world, reads, proposer, folder / LOCK_NAME),
        running=Running(world, reads),
        upkeep=Upkeep(world, reads, checks),
        retention=Retention(world, store),
        forgetting=Forgetting(world, store, reads, decisions.refuse, folder / LOCK_NAME),
        keeping=Keeping(store, reads),
        importing=Importing(world, partial(read_apart, store.folder)),
        planning=Planning(profile, lambda named: find.kata(named)[0]),
        comparing=Comparing(profile, lambda named: find.kata(named)[0], screens.review),
        exporting=Exporting(world, find, checks),
        adopting=Adopting(world, checks, reads.katas.all),
        reckoning=Reckoning(world, reads, find),
        doctor=Doctor(store, board, hooking, profile, host),
    )


@contextlib.contextmanager
def usable(folder: Path) -> Iterator[None]:
    """Turn whatever a data folder that cannot be used leads to into an error that says what to do.

    Raises:
        StoreError: with a hint that names the folder, where it had none.
    """
    hint = f"Look whether {folder} is a folder that you may write in."
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"the data folder cannot be used: {error}", hint=hint) from error
    except StoreError as error:
        error.hint = error.hint or hint
        raise


def refresh(store: Store, reads: Reads) -> None:
    """Take in the spool and bring the views up to date; what waits for a newer Kata stays where it is (case B063)."""
    with contextlib.suppress(StoreBusyError, NewerKataError):
        store.drain(DRAIN_S)
    show(reads)


def take_all(store: Store, reads: Reads) -> None:
    """Take in what was spooled before now, or fail: a run whose end nobody knows may be among it (case B025).

    Raises:
        StoreError: the log is held by another process for longer, or cannot be written.
    """
    if store.drain(TAKE_ALL_S).left:
        raise StoreBusyError("more was recorded than could be taken into the log just now")
    reads.catch_up()


def show(reads: Reads, events: Sequence[Event] = ()) -> None:
    """Bring the views up to date; what another process holds for longer comes next time."""
    with contextlib.suppress(StoreBusyError):
        reads.catch_up(events)
