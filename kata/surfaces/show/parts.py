"""Small pieces that several screens share."""

from collections.abc import Iterable

from ...service.views import ActorView, Announcement, KataRow, RecordingView
from ..paint import EFFECT_STYLE, STATE_STYLE, Page, cut, one_line, width_of
from ..text import plural, say
from ..times import clock

EFFECT_WIDTH = 12
"""Columns that an effect's word takes in a plan."""


def effect_word(effect: str) -> str:
    """Return an effect's word, the serious ones in capitals: ``network read``, ``EXTERNAL``."""
    return say(f"effect.{effect}")


def painted_effect(effect: str, page: Page, width: int = 0) -> str:
    """Return an effect's word in its colour, padded."""
    word = effect_word(effect)
    return page.style(word, EFFECT_STYLE.get(effect, "")) + " " * max(0, width - width_of(word))


def outcome_word(outcome: str) -> str:
    """Return how a run or step ended in words; a run without an end is under way, an allowed repeat ended unknown."""
    known = {"": "running", "in_step": "running", "acknowledged": "unknown"}
    return say(f"outcome.{known.get(outcome, outcome)}")


def state_word(row: KataRow, page: Page) -> str:
    """Return a state's word in its colour."""
    word = (
        say("state.deferred")
        if row.deferred
        else say(f"state.{row.state}")
        if f"state.{row.state}" in KNOWN
        else row.state
    )
    return page.style(word, STATE_STYLE.get(row.state, "dim"))


KNOWN = {
    f"state.{word}" for word in ("candidate", "active", "stale", "suspended", "disabled", "rejected", "seen")
}


def steps_text(row: KataRow, width: int = 60) -> str:
    """Return a row's tools as a chain: ``search_files → terminal``."""
    return cut(one_line(" → ".join(str(step["tool"]) for step in row.steps)), width)


def effects_text(effects: Iterable[str]) -> str:
    """Return effect words with dots between them."""
    return " · ".join(effect_word(effect) for effect in effects)


def effect_counts_text(counts: Iterable[tuple[str, int]]) -> str:
    """Return how many steps have each effect: ``2 read, 1 EXTERNAL``."""
    return ", ".join(f"{count} {effect_word(effect)}" for effect, count in counts)


def actor_text(actor: ActorView | None) -> str:
    """Say who and where: ``ana in a shell``."""
    if actor is None:
        return ""
    return say("actor.at", who=one_line(actor.id), where=say(f"surface.{actor.surface}"))


def recording_text(recording: RecordingView) -> str:
    """Return the health line."""
    if not recording.recording:
        until = recording.paused_until
        return say("recording.until", until=clock(until)) if until else say("recording.paused")
    lost = (
        say("recording.lost", lost=recording.lost, why=recording.lost_reason)
        if recording.lost
        else say("recording.none_lost")
    )
    return say("recording.on", events=plural(recording.events, "count.event", "count.events"), lost=lost)


def announcement_text(one: Announcement, undo: str) -> str:
    """Tell of a decision made elsewhere, once (design 9.4), and how to take it back, if that goes."""
    if one.verb == "forget":
        return say("announce.forget", name=one.name, at=clock(one.at), by=actor_text(one.by))
    told = say(
        "announce",
        verb=say(f"done.{one.verb}"),
        name=one.name,
        number=one.number,
        at=clock(one.at),
        by=actor_text(one.by),
    )
    return say("announce.undo", told=told, undo=undo) if undo else told
