"""``list``: every kata with its number, state and steps; with ``--all`` what was only seen, and why."""

from datetime import datetime

from ...service.views import KataList, KataRow
from ..paint import Page, columns, hung, width_of
from ..text import plural, say
from ..times import ago
from .parts import effects_text, outcome_word, state_word, steps_text

STEPS = 3
"""The column that gets a line of its own on a narrow screen."""


def lines(view: KataList, page: Page, now: datetime) -> list[str]:
    """Return one line a kata."""
    if not view.katas:
        return [say("list.empty")]
    if page.plain:
        return ["\t".join(_plain(row)) for row in view.katas]
    rows = [_cells(row, page, now) for row in view.katas]
    shown = columns(rows)
    return shown if max(map(width_of, shown)) <= page.width else _on_two_lines(rows, page)


def _on_two_lines(rows: list[list[str]], page: Page) -> list[str]:
    heads = columns([*row[:STEPS], *row[STEPS + 1 :]] for row in rows)
    indent = " " * (max(len(row[0]) for row in rows) + 2)
    if max(map(width_of, heads)) > page.width:
        return [line for row in rows for line in hung("  ".join(filter(None, row)), page.width, "")]
    return [line for head, row in zip(heads, rows, strict=True) for line in (head, indent + row[STEPS])]


def _plain(row: KataRow) -> list[str]:
    number = "-" if row.number is None else str(row.number)
    return [number, row.name, row.state, ",".join(row.blocked_by) or "-", steps_text(row, 10_000)]


def _cells(row: KataRow, page: Page, now: datetime) -> list[str]:
    number = "·" if row.number is None else str(row.number)
    return [
        number,
        page.style(row.name, "bold"),
        state_word(row, page),
        steps_text(row, 48),
        effects_text(row.effects),
        last(row, now),
    ]


def last(row: KataRow, now: datetime) -> str:
    """Say what there is to say of a kata in a few words: why it is held back, or how its runs went."""
    if row.blocked_by:
        return say("list.blocked", why=", ".join(say(f"blocked.{word}") for word in row.blocked_by))
    if row.runs:
        return say(
            "list.runs",
            runs=plural(row.runs, "count.run", "count.runs"),
            outcome=outcome_word(row.last_run_outcome),
            ago=ago(row.last_run_at, now),
        )
    return say(
        "list.support",
        chats=plural(row.support, "count.conversation", "count.conversations"),
        confidence=row.confidence,
    )
