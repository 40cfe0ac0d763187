"""Checks of a version before a person decides on it (design 4, seed "Validation")."""

from .contents import NOT_COMPILABLE, skeleton
from .report import Check, Report, Status
from .shapes import learn_output, recorded_output
from .subject import straight_hold_out
from .validator import CHECKS, Validator

__all__ = [
    "CHECKS",
    "NOT_COMPILABLE",
    "Check",
    "Report",
    "Status",
    "Validator",
    "learn_output",
    "recorded_output",
    "skeleton",
    "straight_hold_out",
]
