"""``audit``: who decided what, newest first, with day headings."""

from datetime import datetime

from ...service.views import AuditPage, AuditRow
from ..paint import Page, cut, fitted, one_line
from ..text import say
from ..times import day, time_of_day
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

SAID = 4
"""The column that gives way on a narrow screen: what an event says."""


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
            shown += ["  " + line for line in fitted(cells, page.width - 2, SAID)]
            shown.append(page.style(today, "bold"))
            shown_day, cells = today, []
        cells.append([time_of_day(row.at), row.action, *what(row)])
    shown += ["  " + line for line in fitted(cells, page.width - 2, SAID)]
    return [*shown, say("audit.more", before=view.next_before)] if view.next_before else shown


def what(row: AuditRow) -> list[str]:
    """Return what a row is about: the kata, who, and what is said."""
    kata = f"{row.number} {row.name}" if row.number is not None else "–"
    return [kata, actor_text(row.actor), cut(details(row), 90)]


def details(row: AuditRow) -> str:
    """Return what an event says, for one line."""
    said = []
    for key in SHOWN:
        value = row.fields.get(key)
        if value in (None, "", [], ()):
            continue
        text = (
            str(value)[:12]
            if key == "digest"
            else "; ".join(map(str, value))
            if isinstance(value, list | tuple)
            else str(value)
        )
        said.append(f"{key} {text}" if key not in ("note", "why", "reason", "changes") else text)
    return one_line(", ".join(said))


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
