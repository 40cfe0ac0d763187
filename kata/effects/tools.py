"""The class of a tool call: by table for tools that Kata knows, by grammar for shell commands."""

import shlex
from collections.abc import Mapping
from typing import Any

from .classes import (
    EXTERNAL,
    LOCAL_WRITE,
    NETWORK_READ,
    READ,
    SAYS,
    SENSITIVE_PATH,
    UNKNOWN,
    Classification,
    Effect,
)
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

TOOLS: dict[str, Effect] = {
    **dict.fromkeys(("read_file", "search_files", "session_search", "skills_list", "skill_view"), READ),
    **dict.fromkeys(("web_search", "web_extract", "browser_navigate"), NETWORK_READ),
    **dict.fromkeys(("write_file", "patch", "skill_manage", "memory", "todo_list"), LOCAL_WRITE),
    **dict.fromkeys(("browser_click", "browser_type", "browser_press", "clarify"), EXTERNAL),
}


def classify(tool: str, args: Mapping[str, Any]) -> Classification:
    """Classify one tool call as it will be made, its arguments rendered (design 8); never raises."""
    command = shell_command(tool, args)
    if command is not None:
        return classify_line(command)
    if tool in SHELL_ARGUMENTS:
        return Classification(UNKNOWN, f"{tool} is called without a command")
    effect = TOOLS.get(tool, UNKNOWN)
    flags = (SENSITIVE_PATH,) if effect >= LOCAL_WRITE and is_sensitive(str(args.get("path", ""))) else ()
    return Classification(effect, f"{tool} {SAYS[effect]}", flags)


def shell_command(tool: str, args: Mapping[str, Any]) -> str | None:
    """Return the command line that a tool call runs; None for other tools, or where it is missing."""
    name = SHELL_ARGUMENTS.get(tool)
    command = args.get(name) if name is not None else None
    if isinstance(command, str):
        return command
    if isinstance(command, list | tuple) and command and all(isinstance(word, str) for word in command):
        return shlex.join(command)
    return None
