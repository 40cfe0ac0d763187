"""What an import shows: where histories are, what came in, and what is missing for the next proposal."""

from collections.abc import Sequence

from ...service.importing import Imported
from ...service.sources import Place
from ...service.views import KataRow, MiningSummary
from ..text import plural, say
from .parts import steps_text

NEXT = 3
"""How many of each kind are shown."""

NEAR = (
    frozenset({"tool_not_here", "pending_limit"}),
    frozenset({"support"}),
    frozenset({"fit", "confidence"}),
)
"""Reasons by how near they are to a proposal: what only this Hermes keeps back, one conversation more, a few more."""


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


def nearest(view: MiningSummary) -> tuple[KataRow, ...]:
    """Return what is nearest to a proposal, a few for each kind of reason."""
    return tuple(
        row for why in NEAR for row in [one for one in view.seen if set(one.blocked_by) <= why][:NEXT]
    )


def missing(rows: Sequence[KataRow]) -> list[str]:
    """Say what the next proposals wait for."""
    return [say("import.missing"), *map(_waiting, rows)] if rows else []


def _waiting(row: KataRow) -> str:
    why = ", ".join(say(f"blocked.{word}") for word in row.blocked_by)
    return say(
        "import.waiting", steps=steps_text(row), why=why, detail=f" ({row.detail})" if row.detail else ""
    )
