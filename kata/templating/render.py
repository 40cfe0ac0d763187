"""Filling in a template: expressions to JSON values (pure; no marks are ever looked for in text, case B039)."""

import re
from collections.abc import Mapping

import attrs

from ..json import JsonValue
from ..spec import Array, Concat, Const, Expression, Input, Item, Join, Record, Ref, ShellWord, Step
from .errors import MissingValueError, RefusedValueError, TemplateError
from .shell import at_word_start, quote
from .transforms import as_text, transform
from .values import fetch_from

_SEPARATORS = re.compile(r"[/\\]")

OPTION = "option"
"""The quoting of a bare shell word that may begin with ``-``, since a recorded one did."""


@attrs.frozen(kw_only=True)
class Scope:
    """What the expressions of a step can see.

    Attributes:
        inputs: The caller's values by name.
        results: Decoded results by step number.
        element: The element that the enclosing loop stands at.
    """

    inputs: Mapping[str, JsonValue] = attrs.field(factory=dict)
    results: Mapping[int, JsonValue] = attrs.field(factory=dict)
    element: JsonValue = None


def render(expression: Expression, scope: Scope) -> JsonValue:
    """Make the value of an expression.

    Raises:
        MissingValueError: an input or a referenced field is not there.
        RefusedValueError: a value would begin a shell word with ``-`` where none did, holds a NUL, or would lead out of
            the folder that the text before it names.
        TemplateError: a value has no text form where text is made.
    """
    match expression:
        case Const(value):
            return value
        case Input(name):
            return _input(name, scope)
        case Ref(step, path, name):
            return transform(_result(step, path, scope), name)
        case Item(path, name):
            return transform(fetch_from(None, scope.element, path), name)
        case Record(fields):
            return {key: render(field, scope) for key, field in fields}
        case Array(items):
            return [render(item, scope) for item in items]
        case Join(items, separator):
            return separator.join(_texts(items, scope))
        case ShellWord() | Concat():
            return _text(expression, scope)


def render_step(step: Step, scope: Scope) -> dict[str, JsonValue]:
    """Make the arguments of a step's call.

    Raises:
        TemplateError: as `render`.
    """
    args = render(step.args, scope)
    assert isinstance(args, dict)
    return args


def _input(name: str, scope: Scope) -> JsonValue:
    if name not in scope.inputs:
        raise MissingValueError(None, (name,))
    return scope.inputs[name]


def _result(step: int, path: tuple[str | int, ...], scope: Scope) -> JsonValue:
    if step not in scope.results:
        raise MissingValueError(step, path)
    return fetch_from(step, scope.results[step], path)


def _text(expression: Concat | ShellWord, scope: Scope) -> str:
    text = ""
    for part in expression.parts if isinstance(expression, Concat) else (expression,):
        if isinstance(part, ShellWord):
            text += _shell_word(part, scope, text)
        elif isinstance(part, Const):
            text += _as_text(part.value)
        else:
            text += _inside(_as_text(render(part, scope)), text)
    return text


def _texts(items: Expression, scope: Scope) -> list[str]:
    """Write the elements of a list; those of a shell word each as one word (``git add a 'b c'``)."""
    inner = items.part if isinstance(items, ShellWord) else items
    values = render(inner, scope)
    if not isinstance(values, list):
        raise TemplateError("only a list can be joined")
    if not isinstance(items, ShellWord):
        return [_as_text(value) for value in values]
    return [shell_text(_as_text(value), items.quoting, " ") for value in values]


def _shell_word(word: ShellWord, scope: Scope, before: str) -> str:
    return shell_text(_as_text(render(word.part, scope)), word.quoting, before)


def shell_text(value: str, quoting: str, before: str) -> str:
    """Write a value as (part of) one shell word.

    Raises:
        RefusedValueError: it would begin a word with ``-`` where no recorded value did (case B027), holds a NUL, or would
            leave the folder that stands before it.
    """
    if "\x00" in value:
        raise RefusedValueError(value, "holds a NUL, which no command line can carry")
    _inside(value, before)
    if quoting != OPTION and value.startswith("-") and at_word_start(before, quoting):
        raise RefusedValueError(value, "begins with '-', which the command would read as an option")
    return quote(value, quoting)


def _inside(value: str, before: str) -> str:
    """Return a value that goes behind a folder's name, and does not lead out of it: what was approved is that folder."""
    folder = before.rsplit(maxsplit=1)[-1] if before and not before[-1].isspace() else ""
    if ("/" in folder or "\\" in folder) and ".." in _SEPARATORS.split(value):
        raise RefusedValueError(value, "holds '..', which would leave the folder that was approved")
    return value


def _as_text(value: JsonValue) -> str:
    try:
        return as_text(value)
    except TypeError as error:
        raise TemplateError(str(error)) from None
