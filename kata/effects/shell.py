"""A shell command line, taken apart by its grammar (tree-sitter-bash).

Where the grammar is not installed, or does not understand a line, ``parse`` says so and all that rests on it becomes
careful: the class is unknown, the signature is empty, nothing is rendered into the line.
"""

from functools import lru_cache

from .parts import Assignment, Loop, Redirect, ShellLine, SimpleCommand
from .programs import PROGRAMS
from .programs.wrappers import Wrapper
from .rules import Rule, UnsureError
from .tree import grammar, prepared, take_apart
from .word import Word

__all__ = [
    "Assignment",
    "Loop",
    "Redirect",
    "ShellLine",
    "SimpleCommand",
    "Word",
    "command_signature",
    "parse",
    "words",
]

MAX_LENGTH = 256 * 1024
"""Longer lines are not parsed."""

REMEMBERED = 2048
"""Longer lines are not kept in memory."""


def parse(command: str) -> ShellLine:
    """Take a command line apart; never raises.

    Returns:
        Its simple commands, with ``problem`` set (and no commands) where the line is not understood.
    """
    return parse_afresh(command) if len(command) > REMEMBERED else _remembered(command)


@lru_cache(maxsize=512)
def _remembered(command: str) -> ShellLine:
    return parse_afresh(command)


def parse_afresh(command: str) -> ShellLine:
    """Take a command line apart without remembering it."""
    parser = grammar()
    if parser is None:
        return ShellLine(command, problem="the shell grammar is not installed")
    if len(command) > MAX_LENGTH:
        return ShellLine(command, problem="it is too long")
    return take_apart(command, parser(prepared(command)).root_node)


def words(command: str) -> tuple[Word, ...] | None:
    """List every word of a command line, with its place and its quotes, in the order of the text (case B027).

    Programs, arguments, redirection targets, assigned values and what loops run over; words inside substitutions as
    well as the word around them. Not: the text of here-documents, nor what stands between backquotes. A part that varies can be rendered as one quoted
    word exactly where one of these words is that part.

    Returns:
        The words, or None where the line is not understood.
    """
    line = parse(command)
    if line.problem:
        return None
    found = [word for loop in line.loops for word in loop.values]
    for simple in line.commands:
        if simple.backquoted:
            continue
        found += simple.words
        found += (item.value for item in simple.assignments if item.value is not None)
        found += (item.target for item in simple.redirects if item.target is not None)
    return tuple(sorted(found, key=lambda word: (word.start, -word.end)))


def command_signature(command: str) -> tuple[str, ...]:
    """Name the program and sub-command words of each simple command, in the order of the text (design 6.2).

    Returns:
        For example ``("cd", "git status", "wc")``; empty where the line is not understood.
    """
    return tuple(_signature(simple.words) for simple in parse(command).commands if simple.words)


def _signature(command: tuple[Word, ...]) -> str:
    if command[0].value is None:
        return "$"
    name = command[0].text.rpartition("/")[2] or command[0].text
    return " ".join((name, *_following(PROGRAMS.get(name), command[1:])))


def _following(spec: object, words: tuple[Word, ...]) -> tuple[str, ...]:
    """Name what a program is told to do: its sub-commands, or the program that it runs."""
    try:
        if isinstance(spec, Wrapper):
            inner = spec.inner(words)
            return (_signature(inner),) if inner else ()
        if not isinstance(spec, Rule) or not spec.verbs:
            return ()
        _, verb, after = spec.find_verb(words)
    except UnsureError:
        return ()
    if verb is None or verb not in spec.verbs:
        return ()
    return (verb, *_following(spec.verbs[verb], after))
