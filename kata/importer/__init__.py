"""Histories from elsewhere as observations: one reader a form, one way into events (pure but for reading the file)."""

from .calls import Found, ImportedCall, ImportedLink, LeftOut, LineError
from .events import UNKNOWN_TIME, Recorder
from .forms import FORMS, STATE_DB, Form, recognise
from .opening import Opened, SourceUnreadableError, UnknownFormError, opened
from .plain import read_plain
from .reading import Batch, Reading, Seen, Wish, rarely_collected
from .statedb import SchemaError, SourceBusyError, SourceDamagedError, StateDb

__all__ = [
    "FORMS",
    "STATE_DB",
    "UNKNOWN_TIME",
    "Batch",
    "Form",
    "Found",
    "ImportedCall",
    "ImportedLink",
    "LeftOut",
    "LineError",
    "Opened",
    "Reading",
    "Recorder",
    "SchemaError",
    "Seen",
    "SourceBusyError",
    "SourceDamagedError",
    "SourceUnreadableError",
    "StateDb",
    "UnknownFormError",
    "Wish",
    "opened",
    "rarely_collected",
    "read_plain",
    "recognise",
]
