"""Expressions written for people: ``git push origin {branch}``, ``«step 1 · matches[0].path»``."""

from ..json import dumps, show_path
from ..spec import Array, Concat, Const, Expression, Input, Item, Join, Record, Ref, ShellWord


def show(expression: Expression) -> str:
    """Write an expression for people.

    Inputs stand in braces, references in guillemets, constants as JSON unless they are part of a text. For reading
    only: nothing ever parses it (case B039).
    """
    match expression:
        case Const(value):
            return dumps(value)
        case Concat(parts):
            return "".join(_part(part) for part in parts)
        case Record(fields):
            return "{" + ", ".join(f"{key}: {show(value)}" for key, value in fields) + "}"
        case Array(items):
            return "[" + ", ".join(show(item) for item in items) + "]"
        case _:
            return _part(expression)


def show_source(one: Ref | Item | Input) -> str:
    """Name a source without brackets: ``step 1 · matches[0].path``, ``element · id``, ``input branch``."""
    if isinstance(one, Input):
        return f"input {one.name}"
    where = f"step {one.step}" if isinstance(one, Ref) else "element"
    path = show_path(one.path)
    text = f"{where} · {path}" if path else where
    return f"{one.transform} of {text}" if one.transform else text


def _part(part: Expression) -> str:
    match part:
        case Const(value):
            return value if isinstance(value, str) else dumps(value)
        case Input(name):
            return f"{{{name}}}"
        case Ref() | Item():
            return f"«{show_source(part)}»"
        case ShellWord(inner):
            return _part(inner)
        case Join(items, separator):
            return f"{_part(items)} joined by {dumps(separator)}"
        case _:
            return show(part)
