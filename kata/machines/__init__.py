"""What may happen: the lifecycle of a kata, the course of a run, and what takes a decision back (design 4)."""

from .aggregate import DECIDING, Decision, Deferral, Kata, Trouble, Version
from .deferral import is_set_aside
from .definition import ANYONE, HUMAN, SAME, SYSTEM, Definition, Move, Rule, fact
from .diagram import diagram, table
from .errors import IllegalTransitionError, MachineDefinitionError, PersonNeededError
from .fold import apply, fold
from .lifecycle import (
    EVENT_TRIGGERS,
    FAILURES_TO_SUSPEND,
    LIFECYCLE,
    PENDING_LIMIT,
    RULES,
    Facts,
    State,
    Trigger,
)
from .runs import FAILURE_CODES, RUN, RUN_RULES, RunFacts, RunState, RunTrigger, run_trigger
from .undo import UNDO, NothingToUndoError, Undo, undo_of

__all__ = [
    "ANYONE",
    "DECIDING",
    "EVENT_TRIGGERS",
    "FAILURES_TO_SUSPEND",
    "FAILURE_CODES",
    "HUMAN",
    "LIFECYCLE",
    "PENDING_LIMIT",
    "RULES",
    "RUN",
    "RUN_RULES",
    "SAME",
    "SYSTEM",
    "UNDO",
    "Decision",
    "Deferral",
    "Definition",
    "Facts",
    "IllegalTransitionError",
    "Kata",
    "MachineDefinitionError",
    "Move",
    "NothingToUndoError",
    "PersonNeededError",
    "Rule",
    "RunFacts",
    "RunState",
    "RunTrigger",
    "State",
    "Trigger",
    "Trouble",
    "Undo",
    "Version",
    "apply",
    "diagram",
    "fact",
    "fold",
    "is_set_aside",
    "run_trigger",
    "table",
    "undo_of",
]
