"""Commands that decide: each needs a person, is confirmed where the surface can ask, and answers with one line."""

import argparse
import re
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from ..errors import KataError, RefusedError, UsageError
from ..events import Actor
from ..events.catalogue import Until
from ..service.errors import MISTAKES
from ..service.views import Review
from .actors import FenceError
from .asked import Words, read_words
from .desk import Answer, Desk
from .envelope import plain
from .looking import review_lines, see_review
from .show import diff, reports
from .text import say
from .times import clock, parse_moment, parse_span

Asked = argparse.Namespace
SEEN = re.compile(r"seen:([0-9]{1,6})")


def person(desk: Desk, verb: str, named: str) -> tuple[Actor, str]:
    """Return the person at this desk; a refusal is written down before it is raised.

    Raises:
        FenceError: nobody here may decide.
    """
    try:
        return desk.actor()
    except KataError as error:
        actor, where = desk.bystander()
        desk.service.decisions.refuse(verb, named, actor, error, where)
        raise


def confirm(desk: Desk, verb: str, named: str, question: str, expected: str) -> None:
    """Ask for a word; an answer that nobody can be said to have typed is written down before it is raised.

    Raises:
        FenceError: it is doubted who answered.
        DeclinedError: the answer is another one.
        HumanNeededError: nobody can be asked here.
    """
    assert desk.confirm is not None
    try:
        desk.confirm(question, expected)
    except FenceError as error:
        actor, where = desk.bystander()
        desk.service.decisions.refuse(verb, named, actor, error, where)
        raise


def approve(desk: Desk, asked: Asked) -> Answer:
    """Approve the version that waits, under a name."""
    words = read_words(asked.words)
    view = desk.service.review(asked.kata, None)
    name = words.name or view.row.name
    rehearse = partial(
        desk.service.decisions.rehearse, asked.kata, name=name, renames=words.renames, using=words.using
    )
    if asked.dry_run:
        rehearse()
        return dry(say("ask.name", name=name))
    reviewed = desk.service.last_review(desk.reader, asked.kata)
    if desk.confirm is not None:
        checked(desk, "approve", asked.kata, rehearse)
    actor, origin = person(desk, "approve", asked.kata)
    if desk.confirm is not None:
        desk.show(review_lines(view, desk))
        if view.asks_each_run and not (asked.note or words.note):
            desk.show((say("ask.note"),))
        confirm(desk, "approve", asked.kata, say("ask.name", name=name), name)
        reviewed = view.digest
    decided = desk.service.decisions.approve(
        asked.kata,
        actor,
        name=name,
        renames=words.renames,
        using=words.using,
        note=asked.note or words.note,
        reviewed=reviewed,
        origin=origin,
    )
    return Answer(lines=tuple(reports.decided(decided, desk.command)), data=plain(decided))


def checked(desk: Desk, verb: str, named: str, check: Callable[[], None]) -> None:
    """Check before anything is asked: wrong words are told to anybody, what the state refuses is written down.

    Raises:
        KataError: what the check raises, or that nobody here may decide.
    """
    try:
        check()
    except MISTAKES:
        raise
    except KataError as error:
        actor, where = person(desk, verb, named)
        desk.service.decisions.refuse(verb, named, actor, error, where)
        raise


def simple(desk: Desk, asked: Asked) -> Answer:
    """Reject, reconsider, disable or enable."""
    words = read_words(asked.words)
    desk.service.decisions.kata(asked.kata)
    if asked.dry_run:
        return dry(f"{asked.verb} {asked.kata}")
    actor, origin = person(desk, asked.verb, asked.kata)
    act = getattr(desk.service.decisions, asked.verb)
    decided = act(asked.kata, actor, note=asked.note or words.note, origin=origin)
    return Answer(lines=tuple(reports.decided(decided, desk.command)), data=plain(decided))


def reject(desk: Desk, asked: Asked) -> Answer:
    """Decline a proposal for good; with ``until`` set it aside instead, as ``defer`` does (ux 17)."""
    if asked.until or (asked.words and asked.words[0].lower() == "until"):
        return defer(desk, asked)
    return simple(desk, asked)


def defer(desk: Desk, asked: Asked) -> Answer:
    """Set a proposal aside until something happens."""
    words, until = _until_words(asked, desk.now())
    desk.service.decisions.kata(asked.kata)
    if asked.dry_run:
        return dry(f"defer {asked.kata}")
    actor, origin = person(desk, "defer", asked.kata)
    decided = desk.service.decisions.defer(
        asked.kata, actor, until, note=asked.note or words.note, origin=origin
    )
    return Answer(lines=tuple(reports.decided(decided, desk.command)), data=plain(decided))


def _until_words(asked: Asked, now: datetime) -> tuple[Words, Until]:
    rest = list(asked.words)
    if rest and rest[0].lower() == "until":
        rest.pop(0)
        asked.until = rest.pop(0) if rest else ""
    return read_words(rest), read_until(asked.until, now)


def read_until(text: str, now: datetime) -> Until:
    """Read ``changed``, ``seen:5``, a date or a span.

    Raises:
        UsageError: it is none of these.
    """
    word = text.strip().lower()
    if word in ("changed", "asked"):
        return Until(kind=word)
    seen = SEEN.fullmatch(word)
    if seen is not None and int(seen[1]) > 0:
        return Until(kind="seen", seen=int(seen[1]))
    try:
        return Until(kind="date", date=now + parse_span(word))
    except UsageError:
        pass
    try:
        return Until(kind="date", date=parse_moment(word, now))
    except UsageError:
        raise UsageError(say("usage.until", text=text), hint=say("usage.until.hint")) from None


def rollback(desk: Desk, asked: Asked) -> Answer:
    """Go back to an earlier approved version, after it was shown and a yes."""
    words = read_words(asked.words)
    view = desk.service.review(asked.kata, asked.to)
    what = say("ask.rollback", name=view.row.name, version=asked.to)
    if asked.dry_run:
        return dry(what)
    actor, origin = person(desk, "rollback", asked.kata)
    shown = (
        *_changed(desk, view),
        *see_review(desk, argparse.Namespace(kata=asked.kata, version=asked.to)).lines,
    )
    about = ("rollback", asked.kata)
    question = _confirmed(
        desk, about, shown, what, words, f"{desk.command} rollback {asked.kata} {asked.to} yes"
    )
    if question is not None:
        return question
    decided = desk.service.decisions.rollback(
        asked.kata, asked.to, actor, note=asked.note or words.note, origin=origin
    )
    return Answer(lines=tuple(reports.decided(decided, desk.command)), data=plain(decided))


def _changed(desk: Desk, view: Review) -> tuple[str, ...]:
    """Return what differs between the version that is or was active and the one to go back to."""
    found = desk.service.diff(str(view.row.number), view.row.version, view.version)
    if found.before == found.after:
        return ()
    return (*(diff.chat(found) if desk.chat else diff.shell(found, desk.page)), "")


def undo(desk: Desk, asked: Asked) -> Answer:
    """Take the last decision back, after saying what that does."""
    rest = list(asked.words)
    named = rest.pop(0) if rest and rest[0].lower() not in ("yes", "because") else ""
    words = read_words(rest)
    if named:
        desk.service.decisions.kata(named)
    if asked.dry_run:
        return dry(_undoing(desk, named)[1])
    actor, origin = person(desk, "undo", named or "last")
    number, what = _undoing(desk, named)
    command = " ".join(filter(None, (desk.command, "undo", named, "yes")))
    question = _confirmed(desk, ("undo", named or "last"), (), what, words, command)
    if question is not None:
        return question
    decided = desk.service.decisions.undo(str(number), actor, note=asked.note or words.note, origin=origin)
    return Answer(lines=tuple(reports.decided(decided, desk.command)), data=plain(decided))


def _undoing(desk: Desk, named: str) -> tuple[int, str]:
    """Return the number of the kata that an undo is about, and what it would do."""
    kata, verb, version = desk.service.decisions.undo_preview(named)
    act = say(f"act.{verb}", version=version)
    return kata.number, say("ask.undo", verb=act, name=kata.name, number=kata.number)


def _confirmed(
    desk: Desk, about: tuple[str, str], shown: Any, what: str, words: Words, command: str
) -> Answer | None:
    """Ask for a yes; in a chat, where one cannot ask, answer with the command to repeat."""
    if desk.confirm is not None:
        desk.show(shown)
        confirm(desk, *about, say("ask.yes", what=what), "yes")
        return None
    if words.yes:
        return None
    return Answer(
        lines=(*shown, say("ask.yes_chat", what=what, command=command)),
        data={"confirm": command},
        following=(command,),
    )


def pause(desk: Desk, asked: Asked) -> Answer:
    """Stop recording, for a while or until it is resumed."""
    until = desk.now() + parse_span(asked.span) if asked.span else None
    if asked.dry_run:
        return dry(f"pause {asked.span}".strip())
    actor, _ = person(desk, "pause", "recording")
    desk.service.pause(actor, until, asked.note)
    line = say("pause.until", until=clock(until)) if until else say("pause.done")
    return Answer(lines=(line,), data={"recording": False, "until": plain(until)})


def resume(desk: Desk, asked: Asked) -> Answer:
    """Record again."""
    if asked.dry_run:
        return dry("resume")
    actor, _ = person(desk, "resume", "recording")
    desk.service.resume(actor, asked.note)
    return Answer(lines=(say("resume.done"),), data={"recording": True})


def allow_run(desk: Desk, asked: Asked) -> Answer:
    """Allow the repeat of a run whose outcome is unknown."""
    run = desk.service.run(asked.run).row.run_id
    if asked.dry_run:
        return dry(f"allow {run}")
    actor, _ = person(desk, "allow", asked.run)
    desk.service.acknowledge(asked.run, actor, asked.note)
    return Answer(lines=(say("run.allowed", run=asked.run),), data={"run": asked.run, "acknowledged": True})


def dry(what: str) -> Answer:
    """Answer a dry run."""
    return Answer(lines=(say("dry_run", what=what.rstrip(": ")),), data={"dry_run": what})


class DeclinedError(RefusedError):
    """Say that the person did not confirm."""

    code = "declined"

    def __init__(self) -> None:
        super().__init__(say("ask.declined"))
