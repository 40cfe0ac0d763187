"""What repeats in a history of tool calls, and whether it is one routine (design 6): pure functions over values.

The passes themselves are loaded when they are first asked for: the views need the types alone, and every process that
starts Hermes pays for what is loaded here.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .signature import signature
from .types import ArgumentNote, CallRow, CallValues, Found, History, Mined, Occurrence, Settings

if TYPE_CHECKING:
    from .mining import mine
    from .standing import Miner

__all__ = [
    "ArgumentNote",
    "CallRow",
    "CallValues",
    "Found",
    "History",
    "Mined",
    "Miner",
    "Occurrence",
    "Settings",
    "mine",
    "signature",
]

_LATER = {"mine": "mining", "Miner": "standing"}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_LATER[name]}", __name__), name)
