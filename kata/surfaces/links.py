"""Links into the dashboard's tab: every kata, version, run and filter has one (ux 11)."""

import argparse
import os
import webbrowser
from collections.abc import Callable
from urllib.parse import urlencode

from ..errors import StoreError
from ..service.views import AuditQuery
from .desk import Answer, Desk
from .looking import audit_query
from .text import say

HERE = "http://127.0.0.1:9119"
"""Where ``hermes dashboard`` is unless told otherwise."""

PUBLIC = "HERMES_DASHBOARD_PUBLIC_URL"
PATH = "/kata"
Browse = Callable[[str], bool]


def link(profile: str, **place: object) -> str:
    """Return the address of a place in the tab; what is empty is left out."""
    root = (os.environ.get(PUBLIC) or HERE).rstrip("/")
    words = {key: str(value) for key, value in place.items() if value not in ("", None)}
    if profile != "default":
        words["profile"] = profile
    return f"{root}{PATH}{'?' if words else ''}{urlencode(words)}"


def open_tab(desk: Desk, asked: argparse.Namespace, *, browse: Browse = webbrowser.open) -> Answer:
    """Open the tab in the browser, at a kata or a run; with ``--url`` print the address alone.

    Raises:
        StoreError: there is no browser here.
    """
    url = place_of(desk, asked.kata, asked.run)
    if not asked.url and not browse(url):
        raise StoreError(say("open.no_browser"), hint=say("open.no_browser.hint", url=url))
    return Answer(lines=(url if asked.url else say("open.done", url=url),), data={"url": url})


def place_of(desk: Desk, kata: str, run: str, version: int | None = None) -> str:
    """Return the address of a kata or of a run, which must be there."""
    if run:
        row = desk.service.run(run).row
        return link(desk.service.profile, kata=row.number, tab="runs", run=row.run_id)
    if kata:
        row_number = desk.service.review(kata, version).row.number
        return link(desk.service.profile, kata=row_number, version=version)
    return link(desk.service.profile)


def address(desk: Desk, asked: argparse.Namespace) -> Answer:
    """Answer a command that looks with the address of what it would show."""
    profile = desk.service.profile
    if asked.verb == "audit":
        url = link(profile, view="audit", **_filters(audit_query(desk, asked)))
    elif asked.verb == "runs":
        number = desk.service.review(asked.kata).row.number if asked.kata else ""
        url = link(profile, kata=number, tab="runs" if number else "", view="" if number else "runs")
    elif asked.verb == "run":
        url = place_of(desk, "", asked.run)
    else:
        url = place_of(desk, asked.kata, "", asked.version)
    return Answer(lines=(url,), data={"url": url})


def _filters(query: AuditQuery) -> dict[str, str]:
    days = {name: f"{day:%Y-%m-%d}" for name in ("since", "until") if (day := getattr(query, name))}
    words = {"actor": query.actor, "action": query.action, "channel": query.channel, "about": query.kata}
    return {**words, **days, "q": query.text, "observations": "1" if query.observations else ""}
