"""The console blocks of a Markdown page: the commands a reader would type, and what the page says they print."""

import fnmatch
import re
from collections.abc import Iterator
from pathlib import Path

import attrs

BLOCK = re.compile(
    r"^(?:<!-- not run:(?P<reason>.*?)-->\s*\n)?```console\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL
)
OMITTED = "…"


@attrs.frozen
class Command:
    """One command of a page, the lines it should print, and why it is not run (empty: it is)."""

    line: int
    text: str
    shown: tuple[str, ...] = ()
    not_run: str = ""


def commands(page: str) -> Iterator[Command]:
    """Find the commands: lines that begin with ``$ `` in a console block, with what stands below each.

    A command goes on in lines that begin with ``> ``. A block below ``<!-- not run: reason -->`` is only for readers.
    """
    for block in BLOCK.finditer(page):
        first = page.count("\n", 0, block.start("body")) + 1
        reason = block["reason"]
        assert reason is None or reason.strip(), f"line {first}: a block that is not run needs a reason"
        for command in _commands(block["body"].splitlines(), first):
            yield attrs.evolve(command, not_run=(reason or "").strip())


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
