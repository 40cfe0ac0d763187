"""The typed tree that says how one argument of a step is made.

The kind of an expression stands outside its value, so a constant may hold anything, an expression's own JSON form
included (cases B039, B064). Steps are numbered from 1.
"""

from typing import TypeAlias

import attrs

from ..json import JsonValue, Path


@attrs.frozen
class Const:
    """The same value every time, its JSON type kept."""

    value: JsonValue


@attrs.frozen
class Input:
    """A value that the caller gives."""

    name: str


@attrs.frozen
class Ref:
    """A field of an earlier step's result.

    ``path`` leads from the decoded result; where it goes on inside a string, that string is decoded as JSON first (tools
    that wrap their answer in ``{"result": "…"}``). ``transform`` is None or the name of a pure function of text
    (``basename``, ``dirname``, ``stem``, ``lower``, ``upper``, ``text``).
    """

    step: int
    path: Path = ()
    transform: str | None = None


@attrs.frozen
class Item:
    """A field of the element that the enclosing loop stands at."""

    path: Path = ()
    transform: str | None = None


@attrs.frozen
class Concat:
    """Text made of parts in order; a part that is a number is written as JSON writes it."""

    parts: "tuple[Expression, ...]"


@attrs.frozen
class Join:
    """The elements of a list of text, with a separator between them."""

    items: "Expression"
    separator: str


@attrs.frozen
class ShellWord:
    """A part of a shell command, quoted so that it stays one word whatever it holds (case B027).

    ``quoting`` says where it stands: ``bare``, or inside ``single`` or ``double`` quotes that the text around it opens.
    """

    part: "Expression"
    quoting: str = "bare"


@attrs.frozen
class Record:
    """An object, its fields in the order in which they are written."""

    fields: "tuple[tuple[str, Expression], ...]"


@attrs.frozen
class Array:
    """A list of a fixed length."""

    items: "tuple[Expression, ...]"


Expression: TypeAlias = Const | Input | Ref | Item | Concat | Join | ShellWord | Record | Array
