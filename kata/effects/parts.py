"""The parts of a shell command line."""

import attrs

from .word import Word


@attrs.frozen
class Assignment:
    """``name=value`` before a command or alone; ``value`` is None for arrays."""

    name: str
    value: Word | None


@attrs.frozen
class Loop:
    """``for name in values``; without values it runs over the line's own arguments."""

    name: str
    values: tuple[Word, ...]


@attrs.frozen
class Redirect:
    """One redirection of a file or a descriptor.

    Attributes:
        operator: As written, without the descriptor: ``>``, ``>>``, ``>|``, ``&>``, ``&>>``, ``>&``, ``<``, ``<&``, ``<<``, ``<<<``.
        target: The word behind it; None for a here-document or a closed descriptor.
    """

    operator: str
    target: Word | None = None


@attrs.frozen
class SimpleCommand:
    """One program with its words, wherever in the line it stands.

    Attributes:
        statement: Number of the pipeline or compound statement that it belongs to, from 1.
        words: The program and its words; empty for mere assignments and redirections.
        assignments: Variables set for it, or by it.
        redirects: Where its input and output go.
        backquoted: Whether it stands between backquotes, where other rules of quoting hold.
    """

    statement: int
    words: tuple[Word, ...] = ()
    assignments: tuple[Assignment, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    backquoted: bool = False


@attrs.frozen
class ShellLine:
    """A command line, taken apart.

    Attributes:
        text: The line itself.
        commands: Every simple command in it, those in substitutions, loops and functions too, in the order of the text.
        functions: Names that the line itself defines.
        loops: What loops run over.
        problem: Why the line is not understood; empty when it is.
    """

    text: str
    commands: tuple[SimpleCommand, ...] = ()
    functions: frozenset[str] = frozenset()
    loops: tuple[Loop, ...] = ()
    problem: str = ""
