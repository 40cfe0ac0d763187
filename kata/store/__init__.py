"""Where events are kept: the log's stores, the spool in front of it, the chain and the anchor (design 3)."""

from .anchor import FileAnchor, Noted, last_noted
from .anew import start_anew
from .connect import connect
from .drain import Drained, drain
from .generation import generation, touch_generation
from .keyfile import Key, load_key
from .memory import MemoryLog
from .owned import SpoolError
from .patience import Patience
from .protocol import (
    ChainBrokenError,
    Head,
    IdConflictError,
    Log,
    Receipt,
    StoreBusyError,
    StoreDamagedError,
    StoreFullError,
    StoreReadOnlyError,
    Transaction,
    WrongVersionError,
)
from .spool import Spool
from .sqlite import SqliteLog
from .store import Store, open_store
from .verify import Verified, verify

__all__ = [
    "ChainBrokenError",
    "Drained",
    "FileAnchor",
    "Head",
    "IdConflictError",
    "Key",
    "Log",
    "MemoryLog",
    "Noted",
    "Patience",
    "Receipt",
    "Spool",
    "SpoolError",
    "SqliteLog",
    "Store",
    "StoreBusyError",
    "StoreDamagedError",
    "StoreFullError",
    "StoreReadOnlyError",
    "Transaction",
    "Verified",
    "WrongVersionError",
    "connect",
    "drain",
    "generation",
    "last_noted",
    "load_key",
    "open_store",
    "start_anew",
    "touch_generation",
    "verify",
]
