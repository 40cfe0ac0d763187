"""What `forget` shows: what goes, what stays, and that it went."""

from collections.abc import Iterator

from ...service.forgetview import ForgetView, Forgotten, TouchedKata
from ..paint import cut, one_line
from ..text import plural, say
from .parts import KNOWN

LONGEST_CONSTANT = 40
CALL = "tool.returned"


def preview(view: ForgetView) -> list[str]:
    """Say exactly what would go, kata by kata, and what stays."""
    if view.is_empty:
        return [say("forget.nothing", what=view.what), *_stays(view)]
    lines = [say("forget.head", what=view.what, events=plural(view.events, "count.event", "count.events"))]
    if len(view.sessions) > 1:
        lines.append(say("forget.sessions", sessions=", ".join(map(one_line, view.sessions))))
    lines.append("  " + _said(dict(view.counts)))
    if view.runs:
        lines.append(say("forget.runs", runs=plural(view.runs, "count.run", "count.runs")))
    for kata in view.katas:
        lines += _kata(kata)
    if view.set_aside:
        lines.append(say("forget.set_aside", count=view.set_aside))
    return [*lines, *_stays(view), say("forget.for_good")]


def forgotten(done: Forgotten, command: str) -> list[str]:
    """Say in one line what went; then only what is not as one would expect."""
    events = plural(done.events, "count.event", "count.events")
    lines = [say("forget.done", what=done.what, events=events)]
    if done.katas:
        lines.append(say("forget.katas_gone", katas=", ".join(map(str, done.katas))))
    if done.newer:
        lines.append(say("forget.newer", count=done.newer, command=command))
    if not done.clean:
        lines.append(say("forget.not_clean"))
    return lines


def _said(counts: dict[str, int]) -> str:
    """Say what goes in words: the calls, and how many observations besides."""
    calls = counts.pop(CALL, 0)
    others = sum(counts.values())
    said = [plural(calls, "count.call", "count.calls")] if calls else []
    return ", ".join([*said, say("forget.others", count=others)] if others else said)


def _kata(kata: TouchedKata) -> Iterator[str]:
    yield say(
        f"forget.kata.{kata.goes or 'stays'}",
        number=kata.number,
        name=one_line(kata.name),
        state=say(f"state.{kata.state}") if f"state.{kata.state}" in KNOWN else kata.state,
        examples=kata.examples,
        whole=kata.examples + kata.left,
        left=kata.left,
    )
    if kata.constants:
        said = ", ".join(f"“{cut(one_line(one), LONGEST_CONSTANT)}”" for one in kata.constants)
        yield say("forget.constants", constants=said)


def _stays(view: ForgetView) -> Iterator[str]:
    if view.named:
        yield say("forget.named", count=view.named)
    if view.elsewhere:
        yield say("forget.elsewhere", folders=", ".join(view.elsewhere))
