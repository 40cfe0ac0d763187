"""Time for people: relative by default, spans such as ``1h``, and dates."""

import re
from datetime import UTC, datetime, timedelta

from ..errors import UsageError
from .text import say

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
LONGEST = timedelta(days=36525)
FIRST, LAST = datetime(1900, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
"""Spans and moments beyond these are slips of the hand, and some can be neither reckoned with nor shown."""
SPAN = re.compile(r"(\d{1,6})\s*([smhdw])")
STEPS = (
    (60, 1, "time.seconds"),
    (3600, 60, "time.minutes"),
    (86400, 3600, "time.hours"),
    (86400 * 60, 86400, "time.days"),
)


def ago(moment: datetime | None, now: datetime) -> str:
    """Say how long ago something was: ``2 h ago``; dates for what is older than two months."""
    if moment is None:
        return say("time.never")
    seconds = (now - moment).total_seconds()
    if seconds < 5:
        return say("time.now")
    for limit, unit, key in STEPS:
        if seconds < limit:
            return say(key, count=int(seconds // unit))
    return moment.date().isoformat()


def clock(moment: datetime) -> str:
    """Write a moment in local time: ``2026-11-30 14:05``."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


def day(moment: datetime) -> str:
    """Write a local day; a moment that an imported source does not know has none."""
    return moment.astimezone().strftime("%Y-%m-%d") if moment.timestamp() else say("time.unknown")


def time_of_day(moment: datetime) -> str:
    """Write a local time of day; nothing where it is unknown."""
    return moment.astimezone().strftime("%H:%M:%S") if moment.timestamp() else ""


def iso(moment: datetime) -> str:
    """Write a moment for machines: ISO 8601 with its offset."""
    return moment.isoformat()


def milliseconds(count: int | None) -> str:
    """Write a duration: ``340 ms``, ``2.1 s``."""
    if count is None:
        return "–"
    return f"{count} ms" if count < 1000 else f"{count / 1000:.1f} s"


def parse_span(text: str) -> timedelta:
    """Read ``30s``, ``15m``, ``1h``, ``2d`` or ``1w``.

    Raises:
        UsageError: it is no span.
    """
    match = SPAN.fullmatch(text.strip().lower())
    span = timedelta(seconds=int(match[1]) * UNITS[match[2]]) if match is not None else None
    if span is None or span > LONGEST:
        raise UsageError(say("usage.span", text=text), hint=say("usage.span.hint"))
    return span


def parse_moment(text: str, now: datetime) -> datetime:
    """Read a date, an ISO moment, or a span back from now (``2d``).

    Raises:
        UsageError: it is none of these.
    """
    if SPAN.fullmatch(text.strip().lower()):
        return now - parse_span(text)
    try:
        moment = datetime.fromisoformat(text.strip())
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        if FIRST <= moment.astimezone(UTC) < LAST:
            return moment
    except (ValueError, OverflowError):
        pass
    raise UsageError(say("usage.moment", text=text), hint=say("usage.moment.hint"))
