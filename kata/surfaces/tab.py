"""``hermes kata dashboard install|uninstall``: the tab of a Kata that pip installed."""

import argparse

from ..errors import StoreError
from ..service.tab import install, remove
from .desk import Answer, Desk
from .envelope import plain
from .text import say


def dashboard(desk: Desk, asked: argparse.Namespace) -> Answer:
    """Put the tab where Hermes' dashboard looks for it, or take it away.

    Raises:
        FolderPluginError: Kata is a folder plugin, which has its tab already.
        StoreError: the folder cannot be written.
    """
    home = desk.service.home()
    try:
        if asked.action == "uninstall":
            gone = remove(home)
            return Answer(lines=(say("tab.gone" if gone else "tab.none"),), data={"removed": gone})
        made = install(home)
    except OSError as error:
        raise StoreError(say("hooks.not_written", place=error.filename, why=error.strerror)) from error
    lines = (say("tab.there", place=made.folder), say(f"tab.{made.how}"))
    return Answer(lines=lines, data={"tab": plain(made)})
