"""The class of a tool call: by table for tools that Kata knows, by grammar for shell commands."""

import shlex
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from .classes import LOCAL_WRITE, RUNS_CODE, SAYS, SENSITIVE_PATH, UNKNOWN, Classification, Effect
from .hosttools import tool_effect
from .line import classify_line
from .paths import is_sensitive

SHELL_ARGUMENTS: dict[str, str] = {
    "terminal": "command",
    "Bash": "command",
    "bash": "command",
    "shell": "command",
    "local_shell": "command",
    "exec_command": "cmd",
}
"""Tools whose named argument is a shell command line, or its words as a list."""

_CODE_TOOLS = frozenset({"execute_code", "browser_exec", "browser_cdp", "browser_console"})
_PATH_ARGUMENTS = ("path", "file_path", "notebook_path", "output_path")


def classify(tool: str, args: Mapping[str, Any]) -> Classification:
    """Classify one tool call as it will be made, its arguments rendered (design 8); never raises.

    Args:
        tool: The tool's name.
        args: Its arguments.

    Returns:
        The class with the reason and what a reviewer should be warned of. A tool that no table holds is unknown.
    """
    command = shell_command(tool, args)
    if command is not None:
        return classify_line(command)
    if tool in SHELL_ARGUMENTS:
        return Classification(UNKNOWN, f"`{tool}` is called without a command")
    effect = tool_effect(tool, args)
    return _said(tool, effect, (*_code_flag(tool, effect), *_path_flag(effect, args)))


@lru_cache(maxsize=512)
def _said(tool: str, effect: Effect, flags: tuple[str, ...]) -> Classification:
    return Classification(effect, f"`{tool}` {SAYS[effect]}", flags)


def _code_flag(tool: str, effect: Effect) -> tuple[str, ...]:
    return (RUNS_CODE,) if effect is UNKNOWN and tool in _CODE_TOOLS else ()


def _path_flag(effect: Effect, args: Mapping[str, Any]) -> tuple[str, ...]:
    touched = effect >= LOCAL_WRITE and any(is_sensitive(str(args.get(name, ""))) for name in _PATH_ARGUMENTS)
    return (SENSITIVE_PATH,) if touched else ()


def shell_command(tool: str, args: Mapping[str, Any]) -> str | None:
    """Return the command line that a tool call runs; None for other tools, or where it is missing."""
    name = SHELL_ARGUMENTS.get(tool)
    command = args.get(name) if name is not None else None
    if isinstance(command, str):
        return command
    if isinstance(command, list | tuple) and command and all(isinstance(word, str) for word in command):
        return shlex.join(command)
    return None
