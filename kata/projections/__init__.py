"""What is: read models of the log, and the one projector that feeds them (design 5)."""

from .audit import AUDIT, FACETS, Audit, AuditEntry, AuditFilter, AuditResult
from .drift import Drift
from .errors import ProjectionError
from .evidence import EVIDENCE, Evidence, Example
from .health import HEALTH, TALLY, Health, HealthLine, Incident, LastMining, Pause
from .history import Changes, History
from .katas import KATAS, Katas, Registered
from .projection import Batch, Handler, Projection, Table
from .projector import Progress, Projector
from .runs import NO_RUNS, RUNS, Run, RunCounts, Runs, RunStep
from .store import Checkpoint, ViewStore
from .summary import Plane, plane_of
from .tools import TOOLS, RefusedTool, Tools, ToolSchema
from .turns import HISTORY
from .usage import USAGE, Cost, Usage
from .views import Views, open_views
from .working import worked_between

PROJECTIONS = (KATAS, EVIDENCE, TOOLS, RUNS, AUDIT, HISTORY, USAGE, HEALTH, TALLY)
"""Every projection there is, in the order in which they are fed."""

__all__ = [
    "FACETS",
    "NO_RUNS",
    "PROJECTIONS",
    "Audit",
    "AuditEntry",
    "AuditFilter",
    "AuditResult",
    "Batch",
    "Changes",
    "Checkpoint",
    "Cost",
    "Drift",
    "Evidence",
    "Example",
    "Handler",
    "Health",
    "HealthLine",
    "History",
    "Incident",
    "Katas",
    "LastMining",
    "Pause",
    "Plane",
    "Progress",
    "Projection",
    "ProjectionError",
    "Projector",
    "RefusedTool",
    "Registered",
    "Run",
    "RunCounts",
    "RunStep",
    "Runs",
    "Table",
    "ToolSchema",
    "Tools",
    "Usage",
    "ViewStore",
    "Views",
    "open_views",
    "plane_of",
    "worked_between",
]
