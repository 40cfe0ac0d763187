"""The words that argparse would say itself: its help and its errors, in the language that is spoken."""

import argparse
import re
from collections.abc import Iterable
from typing import Any, NoReturn

from ..errors import UsageError
from .paint import fold
from .text import say

FAULTS = (
    (re.compile(r"the following arguments are required: (?P<names>.+)"), "usage.required"),
    (re.compile(r"argument (?P<name>\S+): invalid choice: '(?P<value>.*)' \(.*\)"), "usage.choice"),
    (re.compile(r"argument (?P<name>\S+): invalid int value: '(?P<value>.*)'"), "usage.whole"),
    (re.compile(r"argument (?P<name>\S+): expected one argument"), "usage.one"),
)


class HelpShown(Exception):  # noqa: N818 - not an error: the help text on its way to the surface
    """Carry a help text to whoever shows it."""


class Help(argparse.HelpFormatter):
    """Formats help with our words, folded by columns: wide characters take two."""

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Any,
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, f"{say('help.usage')} " if prefix is None else prefix)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return fold(text, width)


class Parser(argparse.ArgumentParser):
    """An argparse parser that raises instead of ending the process, and speaks the language that is spoken."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"add_help": False, "formatter_class": Help, **options})
        self.color = False  # newer Pythons would paint the help of a chat, too
        self._positionals.title, self._optionals.title = say("help.arguments"), say("help.options")
        self.add_argument("-h", "--help", action="help", default=argparse.SUPPRESS, help=say("help.help"))

    def error(self, message: str) -> NoReturn:
        raise UsageError(self._said(message), hint=say("usage.help", verb=self.prog.split()[-1]))

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        del status
        raise HelpShown(message or "")

    def print_help(self, file: Any = None) -> None:
        del file
        raise HelpShown(self.format_help())

    def _said(self, message: str) -> str:
        for pattern, key in FAULTS:
            match = pattern.fullmatch(message)
            if match is not None:
                return say(key, **{"value": "", **match.groupdict(), "choices": self._choices(match)})
        return message

    def _choices(self, match: re.Match[str]) -> str:
        name = match.groupdict().get("name", "")
        for action in self._actions:
            if action.choices and name in ("/".join(action.option_strings), action.dest):
                return ", ".join(map(str, action.choices))
        return ""
