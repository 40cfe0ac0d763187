"""What the model reads of a compiled tool: its steps, inputs and effects, from names and single plain words alone.

A kata comes from recordings, and this text stands in every later prompt. So nothing enters it that could speak to the
model: tools, programs, inputs by name, and of approved constants one plain word each, cut short (design 4 "Names").
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ..effects import Effect, command_signature, shell_command
from ..spec import Concat, Const, Expression, Input, Loop, ShellWord, Spec, Step, flat_steps

SHOWN = 60
"""Characters of a description that tool search shows (design 4 "Names")."""

STEPS = 600
"""Characters that all steps may take."""

ARGUMENTS = 3
WORDS = 5
WORD = re.compile(r"[\w./@:=+{}-]{1,32}", re.ASCII)
NAME = re.compile(r"[\w.:-]{1,40}", re.ASCII)
OPTION = re.compile(r"--?[A-Za-z][\w-]{0,15}", re.ASCII)
INPUT = re.compile(r"\{\w{1,40}\}", re.ASCII)
LEFT_OUT = "…"

Names = Mapping[str, str]
"""The approved name of an input, where it has another one than in the spec."""


def describe(spec: Spec, renamed: Names) -> str:
    """Describe a kata: a verb phrase that fits tool search, then its steps, inputs and effects."""
    inputs = [_plain(renamed.get(field.name, field.name)) for field in spec.inputs]
    parts = (
        f"{_phrase(tuple(flat_steps(spec)))}.",
        f"Steps: {_steps(spec, renamed)}.",
        f"Inputs: {', '.join(inputs)}." if inputs else "No inputs.",
        f"Effects: {_effects(spec)}.",
        "A person approved this routine; it stops at the first step that does not go as recorded.",
    )
    return " ".join(parts)


def _phrase(steps: Sequence[Step]) -> str:
    """Say what it does in at most 60 characters, as precisely as they allow."""
    bare = [_plain(step.tool) for step in steps]
    programs = [_programs(step) for step in steps]
    full = [f"{tool} ({said})" if said else tool for tool, said in zip(bare, programs, strict=True)]
    tried = (full, bare, [bare[0], f"{len(bare) - 2} more", bare[-1]], [f"{len(bare)} steps"])
    phrases = [f"Run {_listed(dict.fromkeys(names))} in one call" for names in tried]
    return next(phrase for phrase in phrases if len(phrase) <= SHOWN)


def _listed(names: Mapping[str, None]) -> str:
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last


def _steps(spec: Spec, renamed: Names) -> str:
    text = ", ".join(f"{number} {_step(step, renamed)}" for number, step in enumerate(flat_steps(spec), 1))
    if any(isinstance(step, Loop) for step in spec.steps):
        text += ", some of them for each element of a list"
    return text if len(text) <= STEPS else text[:STEPS].rpartition(",")[0] + f", {LEFT_OUT}"


def _step(step: Step, renamed: Names) -> str:
    command = _command(step, renamed)
    about = _of_command(command) if command is not None else _of_arguments(step, renamed)
    return f"{_plain(step.tool)} ({about})" if about else _plain(step.tool)


def _command(step: Step, renamed: Names) -> str | None:
    texts = ((key, _text(value, renamed)) for key, value in step.args.fields)
    return next((text for key, text in texts if shell_command(step.tool, {key: text}) is not None), None)


def _programs(step: Step) -> str:
    command = _command(step, {})
    said = command_signature(command) if command is not None else ()
    return ", ".join(dict.fromkeys(one for one in map(_signature, said) if one))


def _signature(said: str) -> str:
    return " ".join(word for word in said.split() if NAME.fullmatch(word))


def _of_command(command: str) -> str:
    """Name the programs of a command line; where it is one program, also what it is given."""
    said = command_signature(command)
    if len(said) != 1:
        return ", ".join(dict.fromkeys(one for one in map(_signature, said) if one))
    behind = command.split()
    for word in said[0].split():
        while behind and behind.pop(0).rpartition("/")[2] != word:
            pass
    return " ".join((_signature(said[0]), *_short(behind))).strip()


def _of_arguments(step: Step, renamed: Names) -> str:
    told = (
        (key, " ".join(_short(_text(value, renamed).split())))
        for key, value in step.args.fields
        if NAME.fullmatch(key)
    )
    return ", ".join([f"{key} {words}" for key, words in told if words not in ("", LEFT_OUT)][:ARGUMENTS])


def _short(words: Sequence[str]) -> Iterator[str]:
    """Yield options, inputs, and the first plain word; a mark in place of the rest."""
    plain = 0
    for word in words[:WORDS]:
        plain += not (OPTION.fullmatch(word) or INPUT.fullmatch(word))
        if plain > 1 or not WORD.fullmatch(word):
            yield LEFT_OUT
            return
        yield word
    if len(words) > WORDS:
        yield LEFT_OUT


def _text(expression: Expression, renamed: Names) -> str:
    """Write a text with its inputs in braces; what comes from elsewhere is left out."""
    match expression:
        case Const(str(value)):
            return value
        case Input(name):
            return f"{{{renamed.get(name, name)}}}"
        case ShellWord(part):
            return _text(part, renamed)
        case Concat(parts):
            return "".join(_text(part, renamed) for part in parts)
        case _:
            return LEFT_OUT


def _plain(name: str) -> str:
    return name if NAME.fullmatch(name) else "a tool"


def _effects(spec: Spec) -> str:
    counts = Counter(step.effect for step in flat_steps(spec))
    return ", ".join(f"{counts[effect]} {effect.replace('_', ' ')}" for effect in Effect if counts[effect])
