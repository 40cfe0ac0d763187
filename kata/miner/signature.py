"""What makes two calls the same kind of step: one function, used when recording and when mining (design 6.2)."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache

from ..effects import command_signature, shell_command
from ..effects.tools import SHELL_ARGUMENTS
from ..json import JsonValue
from ..templating.commentary import ignored_keys

_PLAIN_KEY = re.compile(r"[\w.\-]+")


def signature(tool: str, args: JsonValue) -> str:
    """Name the kind of a call: ``read_file(limit,path)``, ``terminal(command: git status; wc)``.

    The tool's name and its argument keys in order of their text; for a shell argument also the program and sub-command
    words of each simple command.
    """
    if not isinstance(args, Mapping):
        return f"{tool}()" if args is None else f"{tool}(*)"
    if tool not in SHELL_ARGUMENTS:
        return _of_keys(tool, *args)
    ignored = ignored_keys(tool, args)
    return f"{tool}({','.join(_field(tool, key, args[key]) for key in sorted(args) if key not in ignored)})"


@lru_cache(maxsize=1024)
def _of_keys(tool: str, *keys: str) -> str:
    return f"{tool}({','.join(map(_name, sorted(keys)))})"


def _name(key: str) -> str:
    return key if _PLAIN_KEY.fullmatch(key) else json.dumps(key)


def _field(tool: str, key: str, value: JsonValue) -> str:
    name = _name(key)
    command = shell_command(tool, {key: value})
    return name if command is None else f"{name}: {'; '.join(command_signature(command))}"
