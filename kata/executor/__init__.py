"""Deterministic replay of an approved routine (design 8)."""

from .executor import Executor
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
    "Dispatcher",
    "Executor",
    "Guard",
    "Judgement",
    "Keeper",
    "Limits",
    "Recorder",
    "RunRequest",
    "RunResult",
    "StepTrace",
    "Verdict",
    "Workers",
    "fingerprint_of",
    "judge",
    "judge_recorded",
]
