"""The console blocks of a Markdown page: the commands a reader would type, and what the page says they print."""

import fnmatch
import re
from collections.abc import Iterator
from pathlib import Path

import attrs

BLOCK = re.compile(
    r"^(?:<!-- (?P<kind>not run|typed|the agent calls):(?P<words>[^\n]*?)-->\s*\n)?```console\n(?P<body>.*?)^```",
    re.MULTILINE | re.DOTALL,
)
OMITTED = "…"


@attrs.frozen
class Command:
    """One command of a page.

    Attributes:
        shown: The lines that it should print.
        not_run: Why it is not run; empty where it is.
        typed: What a person types at its question; it is run in a terminal then.
        calls: The tool that the agent calls in it, and the arguments as JSON.
    """

    line: int
    text: str
    shown: tuple[str, ...] = ()
    not_run: str = ""
    typed: str = ""
    calls: str = ""


FIELDS = {"not run": "not_run", "typed": "typed", "the agent calls": "calls"}
"""What a remark above a block is about."""


def commands(page: str) -> Iterator[Command]:
    """Find the commands: lines that begin with ``$ `` in a console block, with what stands below each.

    A command goes on in lines that begin with ``> ``. A remark above a block says that it is only for readers
    (``<!-- not run: reason -->``), what a person types (``<!-- typed: yes -->``), or what the agent does in its first command
    (``<!-- the agent calls: tool {"argument": 1} -->``).
    """
    for block in BLOCK.finditer(page):
        first = page.count("\n", 0, block.start("body")) + 1
        kind, words = block["kind"], (block["words"] or "").strip()
        assert kind is None or words, f"line {first}: a remark above a block needs its words"
        remark = {FIELDS[kind]: words} if kind else {}
        for command in _commands(block["body"].splitlines(), first):
            yield attrs.evolve(command, **remark)
            remark = {} if kind == "the agent calls" else remark


def _commands(lines: list[str], first: int) -> Iterator[Command]:
    command = None
    for number, line in enumerate(lines, first):
        if line.startswith("$ "):
            if command:
                yield command
            command = Command(number, line[2:])
            continue
        assert command, f"line {number}: a console block begins with a command"
        command = _longer(command, line)
    if command:
        yield command


def _longer(command: Command, line: str) -> Command:
    if line.startswith("> ") and not command.shown:
        return attrs.evolve(command, text=f"{command.text}\n{line[2:]}")
    return attrs.evolve(command, shown=(*command.shown, line.strip()) if line.strip() else command.shown)


def missing(shown: tuple[str, ...], printed: str) -> str:
    """Return the first shown line that was not printed in its order; empty when all were.

    ``…`` stands for anything, also for whole lines.
    """
    lines = iter([line.strip() for line in printed.splitlines()])
    for wanted in shown:
        pattern = "*".join(re.sub(r"([\[?*])", r"[\1]", part) for part in wanted.split(OMITTED))
        if not any(fnmatch.fnmatchcase(line, pattern) for line in lines) and wanted != OMITTED:
            return wanted
    return ""


def pages(repository: Path) -> list[Path]:
    """List the pages that readers find: the README and everything under ``docs``."""
    return [
        path for path in [repository / "README.md", *sorted(repository.glob("docs/**/*.md"))] if path.exists()
    ]
