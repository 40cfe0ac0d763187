"""``hermes kata hooks install|uninstall|status gateway|shell``."""

import argparse
from collections.abc import Callable, Mapping

from ..errors import StoreError, UsageError
from ..service.hooking import SHELL_EVENTS, HooksView
from .desk import Answer, Desk
from .envelope import plain
from .text import say


def hooks(desk: Desk, asked: argparse.Namespace) -> Answer:
    """Put hooks outside the plugin in place, take them away, or tell how they stand."""
    if asked.events and (asked.system, asked.action) == ("gateway", "install"):
        raise UsageError(say("hooks.no_events"))
    actions = _actions(desk, asked)
    try:
        view = actions["status" if asked.dry_run else asked.action]()
    except OSError as error:
        raise StoreError(say("hooks.not_written", place=error.filename, why=error.strerror)) from error
    return Answer(lines=_lines(view, asked), data={"hooks": plain(view)})


def _actions(desk: Desk, asked: argparse.Namespace) -> Mapping[str, Callable[[], HooksView]]:
    hooking = desk.service.hooking
    if asked.system == "gateway":
        one = hooking.gateway
        return {"install": one.install, "uninstall": one.uninstall, "status": one.status}
    shell, events = hooking.shell, tuple(asked.events) or SHELL_EVENTS
    return {
        "install": lambda: shell.install(events),
        "uninstall": shell.uninstall,
        "status": lambda: shell.status(events),
    }


def _lines(view: HooksView, asked: argparse.Namespace) -> tuple[str, ...]:
    head = say(f"hooks.{view.system}.{view.state}", place=view.place)
    following = [say(f"hooks.{view.system}.next")] if asked.action == "install" and not asked.dry_run else []
    return (head, *(f"  {line}" for line in view.lines), *following)
