"""What a compiled routine is: expressions, steps and their digest (design 4 and 6).

A room of its own below the miner, the validator and the executor, since all of them speak of the same tree and the
events carry its JSON form.
"""

from .codec import dump_spec, load_expression, load_spec
from .digest import digest_of, short
from .expressions import Array, Concat, Const, Expression, Input, Item, Join, Record, Ref, ShellWord
from .steps import (
    Exists,
    InputField,
    Length,
    Loop,
    NonEmpty,
    OneOf,
    Precondition,
    Spec,
    Step,
    StepOrLoop,
    ToolDigest,
    flat_steps,
    step_shapes,
)

__all__ = [
    "Array",
    "Concat",
    "Const",
    "Exists",
    "Expression",
    "Input",
    "InputField",
    "Item",
    "Join",
    "Length",
    "Loop",
    "NonEmpty",
    "OneOf",
    "Precondition",
    "Record",
    "Ref",
    "ShellWord",
    "Spec",
    "Step",
    "StepOrLoop",
    "ToolDigest",
    "digest_of",
    "dump_spec",
    "flat_steps",
    "load_expression",
    "load_spec",
    "short",
    "step_shapes",
]
