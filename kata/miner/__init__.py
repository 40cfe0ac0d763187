"""What repeats in a history of tool calls, and whether it is one routine (design 6): pure functions over values."""

from .mining import mine
from .signature import signature
from .standing import Miner
from .types import ArgumentNote, CallRow, CallValues, Found, History, Mined, Occurrence, Settings

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
