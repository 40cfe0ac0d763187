"""What the other commands answer: decisions, status, mining, replay, verify."""

from datetime import datetime

from ...service.views import Decided, MiningSummary, ReplayReport, Status, VerifyReport
from ...spec import short
from ..paint import Page
from ..text import explain, plural, say
from ..times import ago
from .parts import recording_text, steps_text


def decided(view: Decided, command: str) -> list[str]:
    """Return exactly one confirmation line, when the agent sees it, and how to take it back."""
    line = say(
        f"decided.{view.verb}",
        number=view.number,
        name=view.name,
        version=view.version,
        digest=short(view.digest),
        state=view.state,
    )
    shown = [line]
    if view.visible:
        shown.append(say(f"visible.{view.visible}", name=view.name))
    shown += map(explain, view.warnings)
    if view.undo:
        shown.append(say("decided.undo", command=command))
    return shown


def status(view: Status, page: Page, now: datetime) -> list[str]:
    """Return the status lines."""
    recording = view.recording
    size = f"{recording.log_bytes / 1_048_576:.1f} MB"
    shown = [
        page.style(say("status.head", profile=view.profile, version=view.version), "bold"),
        recording_text(recording),
        say("status.last", ago=ago(recording.last_event_at, now), size=size, hidden=recording.hidden_calls),
        say("status.katas", pending=view.pending, active=view.active),
        say(
            "status.mined",
            ago=ago(view.last_mining_at, now),
            calls=plural(recording.calls, "count.call", "count.calls"),
            conversations=plural(recording.conversations, "count.conversation", "count.conversations"),
        ),
    ]
    return [*shown, *map(explain, recording.warnings)]


def mined(view: MiningSummary, command: str) -> list[str]:
    """Say what a pass found."""
    calls = plural(view.calls, "count.call", "count.calls")
    conversations = plural(view.conversations, "count.conversation", "count.conversations")
    shown = [
        say(
            "mine.head",
            calls=calls,
            conversations=conversations,
            proposed=len(view.proposed),
            seen=len(view.seen),
        )
    ]
    shown += [
        say("notice.proposal", number=row.number, name=row.name, steps=steps_text(row), command=command)
        for row in view.proposed
    ]
    shown += [
        say("mine.revised", number=row.number, name=row.name, version=row.pending_version)
        for row in view.revised
    ]
    if view.seen and not view.proposed:
        counts = ", ".join(f"{count} {say(f'blocked.{word}')}" for word, count in sorted(view.counts.items()))
        shown.append(say("mine.seen", count=len(view.seen), counts=counts, command=command))
    return shown


def replayed(view: ReplayReport) -> list[str]:
    """Say what a replay rebuilt, and where the live tables differ."""
    shown = [f"{name:<10} {rows:>8} {digest[:16]}" for name, rows, digest in view.tables]
    if view.until is not None:
        shown.append(say("replay.until", position=view.until))
    if not view.checked:
        return [*shown, say("replay.done", events=plural(view.events, "count.event", "count.events"))]
    if view.drift:
        return [*shown, *view.drift, say("replay.drift", count=len(view.drift))]
    return [*shown, say("replay.same", events=plural(view.events, "count.event", "count.events"))]


def verified(view: VerifyReport) -> list[str]:
    """Say whether the stored bytes are what was written."""
    events = plural(view.events, "count.event", "count.events")
    if view.ok:
        told = [say("verify.ok", events=events, head=view.head[:19] or "–")]
        if not view.anchored:
            told.append(say("verify.no_anchor"))
        if view.unproven:
            told.append(say("verify.unproven", position=view.unproven))
        return told
    return [say("verify.bad", position=view.bad_position, why=view.why)]
