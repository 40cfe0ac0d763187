"""Histories from elsewhere as observations: one reader a form, one way into events (pure but for reading the file)."""

from .calls import Found, ImportedCall, ImportedLink, LeftOut, LineError
from .events import UNKNOWN_TIME, Recorder
from .forms import FORMS, LOOKED_AT, STATE_DB, Form, recognise
from .lines import bounded
from .plain import read_plain
from .statedb import KNOWN_SCHEMA, MAGIC, SchemaError, SourceBusyError, SourceDamagedError, StateDb

__all__ = [
    "FORMS",
    "KNOWN_SCHEMA",
    "LOOKED_AT",
    "MAGIC",
    "STATE_DB",
    "UNKNOWN_TIME",
    "Form",
    "Found",
    "ImportedCall",
    "ImportedLink",
    "LeftOut",
    "LineError",
    "Recorder",
    "SchemaError",
    "SourceBusyError",
    "SourceDamagedError",
    "StateDb",
    "bounded",
    "read_plain",
    "recognise",
]
