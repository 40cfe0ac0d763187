"""Commands that weigh a version: ``plan`` with values, ``diff`` between two, ``why`` it is as it is."""

import argparse
import re
from collections.abc import Sequence

from ..errors import UsageError
from ..service.given import typed
from .desk import Answer, Desk
from .envelope import plain
from .exits import DONE, FAILED
from .show import diff, plan, why
from .text import say

Asked = argparse.Namespace
VERSION = re.compile(r"[vV]?(\d{1,9})")


def see_plan(desk: Desk, asked: Asked) -> Answer:
    """Show what a version would do with these values; nothing is run. A plan that a run would refuse exits with 1.

    Raises:
        UsageError: a word is no ``input=value``.
    """
    schema = desk.service.plan(asked.kata, {}, version=asked.version).inputs
    values = typed(read_values(asked.words), schema)
    view = desk.service.plan(asked.kata, values, version=asked.version)
    lines = plan.chat(view) if desk.chat else plan.shell(view, desk.page)
    wrong = view.stops_at is not None or any(not one.missing for one in view.problems)
    return Answer(lines=tuple(lines), data=plain(view), exit=FAILED if wrong else DONE)


def read_values(words: Sequence[str]) -> dict[str, str]:
    """Read ``input=value`` words.

    Raises:
        UsageError: a word is none.
    """
    pairs = [word.partition("=") for word in words]
    for name, equals, _ in pairs:
        if not equals or not name:
            raise UsageError(say("usage.value", word=name), hint=say("usage.value.hint"))
    return {name: value for name, _, value in pairs}


def see_diff(desk: Desk, asked: Asked) -> Answer:
    """Show what differs between two versions; by default what the one that waits changes."""
    view = desk.service.diff(asked.kata, read_version(asked.before), read_version(asked.after))
    lines = diff.chat(view) if desk.chat else diff.shell(view, desk.page)
    return Answer(lines=tuple(lines), data=plain(view))


def read_version(text: str) -> int | None:
    """Read ``2`` or ``v2``; nothing for no word.

    Raises:
        UsageError: it is no version.
    """
    match = VERSION.fullmatch(text)
    if text and match is None:
        raise UsageError(say("usage.version", text=text), hint=say("usage.version.hint"))
    return int(match[1]) if match else None


def see_why(desk: Desk, asked: Asked) -> Answer:
    """Show what a version rests on, and why each argument is what it is."""
    view = desk.service.why(asked.kata, version=asked.version)
    lines = why.chat(view) if desk.chat else why.shell(view, desk.page)
    return Answer(lines=tuple(lines), data=plain(view))
