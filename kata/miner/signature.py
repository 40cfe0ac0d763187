"""What makes two calls the same kind of step: one function, used when recording and when mining (design 6.2)."""

import json
import re
from collections.abc import Mapping

from ..json import JsonValue

try:
    from ..effects.shell import command_signature
except ImportError:  # until the shell grammar lands

    def command_signature(command: str) -> tuple[str, ...]:
        return tuple(command.split()[:2])

SHELL_ARGUMENTS: Mapping[str, str] = dict.fromkeys(
    ("terminal", "bash", "Bash", "shell", "run_shell_command", "execute_command", "run_command"), "command"
)
"""Tools whose argument of this name is a shell command line: Hermes' own and those of imported histories."""

COMMENTARY = frozenset({"description", "explanation"})
"""Keys beside a shell command that say to a person what it does; the command alone says what is done."""

_PLAIN_KEY = re.compile(r"[\w.\-]+")


def signature(tool: str, args: JsonValue) -> str:
    """Name the kind of a call: ``read_file(limit,path)``, ``terminal(command: git status; wc)``.

    The tool's name and its argument keys in order of their text; for a shell argument also the program and sub-command
    words of each simple command.
    """
    if not isinstance(args, Mapping):
        return f"{tool}()" if args is None else f"{tool}(*)"
    ignored = ignored_keys(tool, args)
    return f"{tool}({','.join(_field(tool, key, args[key]) for key in sorted(args) if key not in ignored)})"


def shell_argument(tool: str) -> str | None:
    """Return the key of a tool's argument that is a shell command, if it has one."""
    return SHELL_ARGUMENTS.get(tool)


def ignored_keys(tool: str, args: Mapping[str, JsonValue]) -> frozenset[str]:
    """Return the keys of a call that are talk about it, no part of it."""
    if SHELL_ARGUMENTS.get(tool) in args:
        return COMMENTARY
    return frozenset()


def _field(tool: str, key: str, value: JsonValue) -> str:
    name = key if _PLAIN_KEY.fullmatch(key) else json.dumps(key)
    if key != shell_argument(tool) or not isinstance(value, str):
        return name
    return f"{name}: {'; '.join(command_signature(value))}"
