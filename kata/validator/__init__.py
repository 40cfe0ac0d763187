"""Checks of a version before a person decides on it (design 4, seed "Validation")."""

from .parts import hold_out_each, recorded_output
from .report import Check, Report, Status
from .shapes import learn_output
from .tools import NOT_COMPILABLE, skeleton
from .validator import CHECKS, Validator

__all__ = [
    "CHECKS",
    "NOT_COMPILABLE",
    "Check",
    "Report",
    "Status",
    "Validator",
    "hold_out_each",
    "learn_output",
    "recorded_output",
    "skeleton",
]
