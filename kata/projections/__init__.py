"""What is: read models of the log, and the one projector that feeds them (design 5)."""

from .drift import Drift
from .errors import ProjectionError
from .evidence import EVIDENCE, Evidence, Example
from .history import Changes, History
from .katas import KATAS, Katas, Registered
from .projection import Batch, Handler, Projection, Table
from .projector import Progress, Projector
from .store import Checkpoint, ViewStore
from .turns import HISTORY

PROJECTIONS = (KATAS, EVIDENCE, HISTORY)
"""Every projection there is, in the order in which they are fed."""

__all__ = [
    "PROJECTIONS",
    "Batch",
    "Changes",
    "Checkpoint",
    "Drift",
    "Evidence",
    "Example",
    "Handler",
    "History",
    "Katas",
    "Progress",
    "Projection",
    "ProjectionError",
    "Projector",
    "Registered",
    "Table",
    "ViewStore",
]
