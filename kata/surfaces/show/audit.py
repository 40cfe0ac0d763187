"""``audit``: who decided what, newest first, with day headings."""

from collections.abc import Collection, Mapping
from datetime import datetime

from ...service.views import AuditPage, AuditRow
from ..paint import Page, one_line, table, width_of
from ..text import say
from ..times import clock, day, time_of_day
from .parts import actor_text

SHOWN = (
    "note",
    "why",
    "reason",
    "changes",
    "version",
    "before",
    "digest",
    "cause",
    "outcome",
    "code",
    "count",
    "until",
)

DROPPED = ("digest",)
"""What goes first where a line does not fit its screen; `review` and ``--plain`` say it too."""


def lines(view: AuditPage, page: Page, now: datetime) -> list[str]:
    """Return the page's lines: filters, days, events."""
    del now
    filters = _filters(view)
    head = say("audit.head", shown=len(view.rows), total=view.total, filters=filters).rstrip()
    if not view.rows:
        return [head, say("audit.empty", filters=filters) if filters else say("audit.none")]
    if page.plain:
        return ["\t".join((row.at.isoformat(), row.action, *what(row))) for row in view.rows]
    shown = [page.style(head, "dim")]
    shown_day = ""
    cells: list[list[str]] = []
    for row in view.rows:
        today = day(row.at)
        if today != shown_day:
            shown += table(cells, page)
            shown.append(page.style(today, "bold"))
            shown_day, cells = today, []
        cells.append([time_of_day(row.at), row.action, *_what(row, page)])
    shown += table(cells, page)
    return [*shown, say("audit.more", before=view.next_before)] if view.next_before else shown


def _what(row: AuditRow, page: Page) -> list[str]:
    """Return what a row is about, without what may go where all of it does not fit."""
    whole = what(row)
    taken = sum(map(width_of, (time_of_day(row.at), row.action, *whole))) + 2 * len(whole) + 4
    return whole if not page.screen or taken <= page.width else [*whole[:-1], details(row, DROPPED)]


def what(row: AuditRow) -> list[str]:
    """Return what a row is about: the kata, who, and what is said."""
    kata = f"{row.number} {row.name}" if row.number is not None else "–"
    return [kata, actor_text(row.actor), details(row)]


def details(row: AuditRow, without: Collection[str] = ()) -> str:
    """Return what an event says, for one line."""
    said = []
    for key in SHOWN:
        value = row.fields.get(key)
        if value in (None, "", [], ()) or key in without:
            continue
        text = _text(key, value)
        said.append(f"{key} {text}" if key not in ("note", "why", "reason", "changes") else text)
    return one_line(", ".join(said))


def _text(key: str, value: object) -> str:
    if key == "digest":
        return str(value)[:12]
    if key == "until":
        return _until(value)
    return "; ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _until(value: object) -> str:
    """Write until when, a moment in local time: ``2026-11-30 14:05``, ``seen 5``, ``changed``."""
    if isinstance(value, Mapping):
        kind, moment, seen = (value.get(key) for key in ("kind", "date", "seen"))
        return _until(moment) if moment else f"{kind} {seen}" if seen else str(kind)
    try:
        return clock(datetime.fromisoformat(str(value)))
    except ValueError:
        return str(value)


def _filters(view: AuditPage) -> str:
    query = view.query
    words = [
        f"{name}:{getattr(query, name)}"
        for name in ("actor", "action", "channel", "kata")
        if getattr(query, name)
    ]
    words += [f"since:{query.since:%Y-%m-%d}"] if query.since else []
    words += [f"until:{query.until:%Y-%m-%d}"] if query.until else []
    return " ".join([*words, *([f'"{query.text}"'] if query.text else [])])
