"""Deterministic replay of an approved routine (design 8)."""

from .checkpoint import Checkpoint, Cursor, NotResumableError
from .executor import Executor
from .handles import Handles, UnknownHandleError
from .journal import fingerprint_of
from .judge import Judgement, judge, judge_recorded
from .limits import HOST_LIMIT_S, Limits
from .protocols import (
    Caller,
    Dispatcher,
    Guard,
    Keeper,
    Recorder,
    RunRequest,
    RunResult,
    StepTrace,
    Verdict,
)
from .worker import Workers

__all__ = [
    "HOST_LIMIT_S",
    "Caller",
    "Checkpoint",
    "Cursor",
    "Dispatcher",
    "Executor",
    "Guard",
    "Handles",
    "Judgement",
    "Keeper",
    "Limits",
    "NotResumableError",
    "Recorder",
    "RunRequest",
    "RunResult",
    "StepTrace",
    "UnknownHandleError",
    "Verdict",
    "Workers",
    "fingerprint_of",
    "judge",
    "judge_recorded",
]
