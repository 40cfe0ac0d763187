"""The few programs of the simulated terminal; each gets its words and the working directory."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

Program = Callable[[list[str], str], tuple[int, str]]
"""From the words of a command line and the working directory to exit code and output."""


def _cat(words: list[str], cwd: str) -> tuple[int, str]:
    paths = [Path(cwd) / word for word in words[1:]]
    missing = [path for path in paths if not path.is_file()]
    if missing:
        return 1, f"cat: {missing[0].name}: No such file or directory\n"
    return 0, "".join(path.read_text(encoding="utf-8") for path in paths)


def _grep(words: list[str], cwd: str) -> tuple[int, str]:
    pattern, *names = (word for word in words[1:] if not word.startswith("-"))
    lines = [line for name in names for line in (Path(cwd) / name).read_text(encoding="utf-8").splitlines()]
    found = [line for line in lines if re.search(pattern, line)]
    return (0, "\n".join(found) + "\n") if found else (1, "")


def _mkdir(words: list[str], cwd: str) -> tuple[int, str]:
    for word in _names(words):
        (Path(cwd) / word).mkdir(parents=True, exist_ok=True)
    return 0, ""


def _rm(words: list[str], cwd: str) -> tuple[int, str]:
    for word in _names(words):
        (Path(cwd) / word).unlink(missing_ok=True)
    return 0, ""


def _names(words: list[str]) -> list[str]:
    return [word for word in words[1:] if not word.startswith("-")]


PROGRAMS: Final[dict[str, Program]] = {
    "cat": _cat,
    "echo": lambda words, _cwd: (0, " ".join(words[1:]) + "\n"),
    "exit": lambda words, _cwd: (int(words[1]) if len(words) > 1 else 0, ""),
    "false": lambda _words, _cwd: (1, ""),
    "grep": _grep,
    "mkdir": _mkdir,
    "pwd": lambda _words, cwd: (0, cwd + "\n"),
    "rm": _rm,
    "true": lambda _words, _cwd: (0, ""),
}
