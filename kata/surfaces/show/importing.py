"""What an import shows: where histories are, what came in, and what is missing for the next proposal."""

from collections.abc import Sequence

from ...service.importing import Imported
from ...service.sources import Place
from ...service.views import KataRow, MiningSummary
from ..text import plural, say
from .parts import steps_text

NEXT = 3
"""How many of each kind are shown."""

KEPT_BACK = frozenset({"tool_not_here", "pending_limit"})
"""Reasons that do not lie in the routine itself."""


def places(found: Sequence[Place]) -> list[str]:
    """List the histories of this machine."""
    shown = [
        say("import.place", form=say(f"form.{one.form}"), path=one.path, size=f"{one.size / 1_048_576:.1f}")
        for one in found
    ]
    return [say("import.places"), *shown]


def imported(found: Imported, *, dry: bool) -> list[str]:
    """Say what an import brought in and what it left out."""
    key = "import.dry" if dry else "import.done" if found.new_events else "import.nothing"
    calls = plural(found.calls, "count.call", "count.calls")
    conversations = plural(found.sessions, "count.conversation", "count.conversations")
    shown = [say(key, calls=calls, conversations=conversations, source=found.source, new=found.new_events)]
    shown += [say("import.left_out", count=count, why=say(f"import.{why}")) for why, count in found.left_out]
    return [*shown, *(f"    {problem}" for problem in found.problems)]


def missing(view: MiningSummary, nearest: Sequence[KataRow]) -> list[str]:
    """Say what the next proposals wait for: what only this Hermes keeps back, then what lacks one conversation."""
    kept = [row for row in view.seen if set(row.blocked_by) <= KEPT_BACK]
    rows = [*kept[:NEXT], *nearest[:NEXT]]
    return [say("import.missing"), *map(_waiting, rows)] if rows else []


def _waiting(row: KataRow) -> str:
    why = ", ".join(say(f"blocked.{word}") for word in row.blocked_by)
    return say(
        "import.waiting", steps=steps_text(row), why=why, detail=f" ({row.detail})" if row.detail else ""
    )
