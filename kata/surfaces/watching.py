"""``watch``: what happens, as it happens, until one stops it."""

import argparse
import time
from collections.abc import Callable, Iterator

from ..json import dumps
from ..service.views import AuditRow
from .desk import Answer, Desk
from .envelope import plain
from .paint import Page
from .show.audit import what
from .text import say
from .times import day, parse_span, time_of_day

EVERY_S = 1.0
Sleep = Callable[[float], None]


def watch(desk: Desk, asked: argparse.Namespace, *, sleep: Sleep = time.sleep) -> Answer:
    """Follow the trail from now on; with ``--for`` only so long."""
    end = desk.now() + parse_span(asked.span) if asked.span else None
    shown = as_json if getattr(asked, "json", False) else as_line
    if not getattr(asked, "json", False):
        desk.show((say("watch.head"),))
    stays = (lambda: True) if end is None else (lambda: desk.now() < end)
    rows = follow(desk, stays, sleep, observations=asked.observations)
    return Answer(lines=(), data=None, stream=(shown(row, desk.page) for row in rows))


def follow(
    desk: Desk, stays: Callable[[], bool], sleep: Sleep, *, observations: bool = False
) -> Iterator[AuditRow]:
    """Yield the rows that come to the trail, oldest first, for as long as ``stays`` says so."""
    position, _ = desk.service.news(2**62)
    while stays():
        sleep(EVERY_S)
        position, rows = desk.service.news(position, observations=observations)
        yield from rows


def as_json(row: AuditRow, page: Page) -> str:
    """Return a row as one line of JSON."""
    del page
    return dumps(plain(row))


def as_line(row: AuditRow, page: Page) -> str:
    """Return a row as one line for people."""
    if page.plain:
        return "\t".join((row.at.isoformat(), row.action, *what(row)))
    return "  ".join((f"{day(row.at)} {time_of_day(row.at)}", page.style(row.action, "bold"), *what(row)))
