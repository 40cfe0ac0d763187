"""A suggested name: what the last step with an effect does, and to what (design 4)."""

import re
from collections.abc import Iterator

from ..effects import Effect, command_signature, shell_command
from ..spec import Concat, Const, Expression, Loop, Spec, Step, flat_steps

MAX_NAME = 40
_READS = (Effect.READ, Effect.NETWORK_READ)
_WORD = re.compile(r"[a-z0-9]+")
_VARIES = "\x00"


def suggest_name(spec: Spec) -> str:
    """Suggest a name of at most 40 characters, such as ``git_push_origin``; never a value that varies."""
    steps = list(flat_steps(spec))
    telling = [step for step in steps if step.effect not in _READS] or steps
    said = [*_said(telling[-1]), *(["each"] if any(isinstance(step, Loop) for step in spec.steps) else [])]
    words = list(dict.fromkeys(_words(" ".join(said))))
    return _cut(words) or "routine"


def _said(step: Step) -> Iterator[str]:
    command = _command(step)
    if command is None:
        yield step.tool.removeprefix("mcp_")
        yield from _constants(step)
        return
    said = command_signature(command)
    yield said[-1] if said else step.tool
    yield from _rest_of(command, said[-1] if said else "")


def _command(step: Step) -> str | None:
    for key, value in step.args.fields:
        text = _text(value)
        if text is not None and shell_command(step.tool, {key: text}) is not None:
            return text
    return None


def _text(expression: Expression) -> str | None:
    """Write a command with a plain word wherever it varies, so that the grammar can read it."""
    if isinstance(expression, Const):
        return expression.value if isinstance(expression.value, str) else None
    if isinstance(expression, Concat):
        return "".join(part.value if isinstance(part, Const) else "VARIES" for part in expression.parts)
    return None


def _rest_of(command: str, said: str) -> Iterator[str]:
    """Yield the first plain constant word behind the sub-command."""
    behind = command.partition(said.rpartition(" ")[2])[2] if said else command
    for word in behind.split():
        if not word.startswith("-") and "VARIES" not in word and _WORD.match(word.lower()):
            yield word
            return


def _constants(step: Step) -> Iterator[str]:
    """Yield the shortest plain constant text among the arguments, else a constant folder: what this use of the tool is about."""
    texts = [
        value.value
        for _, value in step.args.fields
        if isinstance(value, Const)
        and isinstance(value.value, str)
        and re.fullmatch(r"[\w./-]{2,24}", value.value)
    ]
    folders = [folder for _, value in step.args.fields for folder in _folder(value)]
    if texts or folders:
        yield min(texts or folders, key=len)


def _folder(value: Expression) -> Iterator[str]:
    """Yield the innermost folder that a text begins with, before what varies: of ``tasks/{plant}.md`` the ``tasks``."""
    first = value.parts[0] if isinstance(value, Concat) else None
    if isinstance(first, Const) and isinstance(first.value, str):
        found = re.fullmatch(r"(?:[\w.-]*/)*([A-Za-z][\w-]{1,23})/[\w.-]*", first.value)
        if found:
            yield found[1]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _cut(words: list[str]) -> str:
    name = ""
    for word in words:
        longer = f"{name}_{word}" if name else word[:MAX_NAME]
        if len(longer) > MAX_NAME:
            break
        name = longer
    return name
