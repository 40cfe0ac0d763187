"""What may come into the log by the spool: observations and runs, never a decision (design 3 and 9).

Any program that can write a file can write a segment. A newer Kata's types pass by their family, so that an older one keeps
them.
"""

from ..events import ActorKind
from ..events.record import Record
from ..json import loads
from .sealed import may_end

FAMILIES = frozenset(
    {
        *("session", "turn", "model", "tool", "subagent", "hook", "observations"),
        *("run", "step", "decision", "notice"),
    }
)
"""What stands before the dot in the types that processes spool: what they saw, what they ran, and what they refused."""

DECIDED = frozenset({"run.acknowledged"})
"""A person's word, though its family is another."""

BY_HOOKS = "hook"
"""The surface of the notices that are spooled: a session's last words, which tell of proposals alone."""

REFUSED = "a decision cannot come by the spool"
NOT_ITS_RUN = "only the process that began a run can end it"


def refusal(record: Record) -> str:
    """Say why a record must not come by the spool; empty where it may."""
    family = record.type.partition(".")[0]
    if family not in FAMILIES or record.type in DECIDED or record.actor_kind == ActorKind.HUMAN.value:
        return REFUSED
    if record.stream.startswith("kata/"):
        return REFUSED
    if record.type == "run.finished" and not _ends_its_run(record):
        return NOT_ITS_RUN
    return REFUSED if record.type == "notice.shown" and not _is_by_hooks(record.payload) else ""


def _is_by_hooks(payload: bytes) -> bool:
    told = loads(payload)
    return isinstance(told, dict) and told.get("surface") == BY_HOOKS


def _ends_its_run(record: Record) -> bool:
    told = loads(record.payload)
    named = told.get("run_id") if isinstance(told, dict) else None
    return all(may_end(str(one), record.event_id) for one in (named, record.stream.removeprefix("run/")))
