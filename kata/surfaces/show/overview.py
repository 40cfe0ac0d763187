"""What ``/kata`` alone shows: what needs the person, then one line for all that is well."""

from collections.abc import Iterator
from datetime import datetime

from ...service.views import Announcement, KataRow, Overview
from ..paint import Page, columns
from ..text import explain, plural, say
from ..times import ago
from .parts import announcement_text, effects_text, recording_text, state_word, steps_text

FOR_GOOD = frozenset({"forget", "refused"})


def lines(view: Overview, page: Page, now: datetime, command: str) -> list[str]:
    """Return the overview's lines; ``command`` is ``/kata`` or ``hermes kata``."""
    head = say("overview.head", profile=view.profile, recording=recording_text(view.recording))
    shown = [
        head,
        *_announcements(view.announcements, command),
        *map(explain, view.recording.warnings),
    ]
    if not view.needs_you and not view.active and not view.set_aside:
        return [*shown, *_first_day(view)]
    if not view.needs_you:
        return [*shown, _quiet(view, now)]
    shown += [
        "",
        page.style(say("overview.needs", count=len(view.needs_you)), "bold"),
        *_needs(view, page, now),
    ]
    shown += ["", _rest(view), say("overview.review", command=command, number=view.needs_you[0].number)]
    return shown


def _announcements(told: tuple[Announcement, ...], command: str) -> Iterator[str]:
    """Tell of each; only the last decision about a kata can be taken back, and a refusal or what is forgotten cannot."""
    done = sorted((one for one in told if one.verb not in FOR_GOOD), key=lambda one: one.at)
    last = {one.number: one for one in done}
    for one in told:
        yield announcement_text(one, f"{command} undo {one.number}" if last.get(one.number) is one else "")


def _first_day(view: Overview) -> list[str]:
    recording = view.recording
    calls = plural(recording.calls, "count.call", "count.calls")
    conversations = plural(recording.conversations, "count.conversation", "count.conversations")
    shown = [say("overview.first_day", support=view.min_support, calls=calls, conversations=conversations)]
    if view.seen:
        shown.append(say("overview.seen", sequences=plural(view.seen, "count.sequence", "count.sequences")))
    return shown


def _quiet(view: Overview, now: datetime) -> str:
    last = max((row.last_run_at for row in view.active if row.last_run_at), default=None)
    ran = say("overview.last_run", ago=ago(last, now)) if last else say("overview.no_run")
    return say("overview.nothing", active=len(view.active), ran=ran, aside=len(view.set_aside))


def _rest(view: Overview) -> str:
    return say("overview.rest", active=len(view.active), aside=len(view.set_aside))


def _needs(view: Overview, page: Page, now: datetime) -> list[str]:
    return ["  " + line for line in columns(_cells(row, page, now) for row in view.needs_you)]


def _cells(row: KataRow, page: Page, now: datetime) -> list[str]:
    return [f"{row.number}", row.name, state_word(row, page), why(row, now)]


def why(row: KataRow, now: datetime) -> str:
    """Say why a kata needs the person, in one line."""
    if row.state == "candidate":
        chats = plural(row.support, "count.conversation", "count.conversations")
        return say(
            "need.candidate",
            steps=steps_text(row),
            effects=effects_text(row.effects),
            chats=chats,
            ago=ago(row.changed_at, now),
        )
    if row.state in ("stale", "suspended"):
        return say(f"need.{row.state}", detail=row.detail)
    return say("need.revised", version=row.pending_version, detail=row.detail)
