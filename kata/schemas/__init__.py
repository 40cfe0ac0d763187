"""JSON Schema: validate a call, learn a schema from examples, see what a changed one means (design 4, cases B083, B084)."""

from .change import Call, Change, changes, matters
from .form import canonical_schema, schema_digest
from .learn import learn
from .revise import Revision, revise
from .validate import SchemaError, Violation, accepts, usable, violations

__all__ = [
    "Call",
    "Change",
    "Revision",
    "SchemaError",
    "Violation",
    "accepts",
    "canonical_schema",
    "changes",
    "learn",
    "matters",
    "revise",
    "schema_digest",
    "usable",
    "violations",
]
