"""Histories from elsewhere as observations: one reader a form, one way into events (pure but for reading the file)."""

from .calls import ImportedCall, LineError
from .events import turn_records
from .plain import read_plain

__all__ = ["ImportedCall", "LineError", "read_plain", "turn_records"]
