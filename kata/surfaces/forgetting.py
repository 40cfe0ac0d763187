"""``forget``: what goes is shown first; then by a yes, or by the token that stands for exactly what was shown (ux 28)."""

import argparse
import shlex

from ..service.forgetview import ForgetView, Target
from .asked import read_words
from .deciding import confirm, person
from .desk import Answer, Desk
from .envelope import plain
from .show import forgetting as show
from .text import say


def forget(desk: Desk, asked: argparse.Namespace) -> Answer:
    """Show what forgetting takes away, and erase it once a person agrees to that."""
    rest = list(asked.words)
    last = rest.pop(0) if rest and rest[0].lower() == "last" else ""
    words = read_words(rest)
    target = Target(session=asked.session or last, text=asked.text)
    token = asked.token
    view = None if token and not asked.dry_run else desk.service.forget_preview(target)
    if view is not None and asked.dry_run:
        return _preview(desk, view, target)
    actor, origin = person(desk, "forget", "")
    if view is not None:
        if view.is_empty or not _agreed(desk, view, yes=asked.yes):
            return _preview(desk, view, target)
        token = view.token
    done = desk.service.forget(target, token, actor, note=asked.note or words.note, origin=origin)
    return Answer(lines=tuple(show.forgotten(done, desk.command)), data=plain(done))


def _agreed(desk: Desk, view: ForgetView, *, yes: bool) -> bool:
    """Ask for a yes where one can ask; a chat answers with the command that carries the token."""
    if desk.confirm is None:
        return False
    desk.show(show.preview(view))
    if not yes:
        confirm(desk, "forget", "", say("ask.yes", what=say("forget.ask", what=view.what)), "yes")
    return True


def _preview(desk: Desk, view: ForgetView, target: Target) -> Answer:
    """Answer with what would go, and with what to type for it to go."""
    lines = tuple(show.preview(view))
    if view.is_empty:
        return Answer(lines=lines, data=plain(view))
    command = _command(desk, view, target)
    return Answer(lines=(*lines, say("forget.do", command=command)), data=plain(view), following=(command,))


def _command(desk: Desk, view: ForgetView, target: Target) -> str:
    what = ("--text", target.text) if target.text else ("--session", view.session)
    return shlex.join((*desk.command.split(), "forget", *what, "--token", view.token))
