"""The class of a shell command line: every command in it, wherever it stands, and where its input and output go."""

import re

import attrs

from .classes import (
    EXTERNAL,
    LOCAL_WRITE,
    NETWORK_READ,
    READ,
    RUNS_CODE,
    RUNS_SCRIPT,
    SAYS,
    SENSITIVE_PATH,
    UNKNOWN,
    Classification,
    together,
)
from .filled import uncertain_names, with_doubts
from .parts import Assignment, Redirect, ShellLine, SimpleCommand
from .paths import is_sensitive
from .programs import PROGRAMS
from .rules import Call, apply
from .shell import parse
from .variables import steers_programs
from .word import Word, hides_code

MAX_NESTING = 8
"""Command lines inside command lines, one in the other."""

_SYSTEM_FOLDERS = frozenset(
    f"{prefix}{folder}/"
    for prefix in ("/", "/usr/", "/usr/local/", "/opt/homebrew/")
    for folder in ("bin", "sbin")
)
_NAME = re.compile(r"[A-Za-z0-9_.+\-\[:]+")
_HARMLESS_TARGETS = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero"})
_SOCKETS = ("/dev/tcp", "/dev/udp")


def classify_line(command: str) -> Classification:
    """Classify a shell command line (cases B075 to B081); never raises."""
    return _Judge(0).text(command)


@attrs.frozen
class _Judge:
    nesting: int
    functions: frozenset[str] = frozenset()

    def text(self, command: str) -> Classification:
        if self.nesting >= MAX_NESTING:
            return Classification(UNKNOWN, "commands are nested too deeply")
        line = parse(command)
        if line.problem:
            return Classification(UNKNOWN, f"the command cannot be judged: {line.problem}")
        judge = _Judge(self.nesting + 1, self.functions | line.functions)
        return together(judge.statements(line))

    def statements(self, line: ShellLine) -> list[Classification]:
        """Classify statement by statement: what one of them fetches and also stores is external (case B075)."""
        found: dict[int, list[Classification]] = {}
        names = uncertain_names(line)
        for simple in line.commands:
            found.setdefault(simple.statement, []).extend(self.simple(with_doubts(simple, names)))
        verdicts = [_fetched_and_stored(parts) for parts in found.values()]
        return _mark_downloads([part for parts in found.values() for part in parts], verdicts)

    def simple(self, simple: SimpleCommand) -> list[Classification]:
        parts = [_assignment(item) for item in simple.assignments]
        parts += map(_redirect, simple.redirects)
        if simple.words:
            parts.append(self.command(simple.words))
        return parts

    def command(self, words: tuple[Word, ...]) -> Classification:
        if not words:
            return Classification(READ, SAYS[READ])
        name = _program(words[0])
        if name is None:
            return Classification(UNKNOWN, f"which program `{words[0].text_raw}` is, is not known")
        if name in self.functions:
            return Classification(READ, f"`{name}` is defined in the line itself")
        call = Call(name, words[1:], _Judge(self.nesting + 1, self.functions))
        spec = PROGRAMS.get(name)
        if spec is None:
            return call.verdict(UNKNOWN, RUNS_SCRIPT if "/" in name else "")
        if _asks_for_help(words[1:]):
            return call.verdict(READ, "tells about itself")
        verdict = apply(spec, call)
        touched = verdict.effect >= LOCAL_WRITE and any(is_sensitive(word.text) for word in words[1:])
        return verdict.flagged(SENSITIVE_PATH) if touched else verdict


def _program(word: Word) -> str | None:
    """Name the program that a word runs; None where only the run shows it."""
    text = word.text
    if not word.static or word.glob:
        return "[" if text == "[" else None
    folder, _, name = text.rpartition("/")
    if folder and f"{folder}/" not in _SYSTEM_FOLDERS:
        return text
    return name if _NAME.fullmatch(name) else None


def _asks_for_help(words: tuple[Word, ...]) -> bool:
    return len(words) == 1 and words[0].value in {"--version", "--help"}


def _fetched_and_stored(parts: list[Classification]) -> Classification:
    verdict = together(parts)
    if verdict.effect is not LOCAL_WRITE or not any(part.effect is NETWORK_READ for part in parts):
        return verdict
    return verdict.raised(EXTERNAL, "stores what a remote host sends")


def _mark_downloads(parts: list[Classification], verdicts: list[Classification]) -> list[Classification]:
    """Flag a line that both fetches and runs what nobody has read (case B080)."""
    fetches = any(part.effect in {NETWORK_READ, EXTERNAL} for part in parts)
    return [
        verdict.flagged(RUNS_CODE) if fetches and RUNS_SCRIPT in verdict.reason else verdict
        for verdict in verdicts
    ]


def _assignment(item: Assignment) -> Classification:
    if steers_programs(item.name, item.value):
        return Classification(UNKNOWN, f"setting {item.name} can change which programs run")
    if item.value is not None and hides_code(item.value):
        return Classification(UNKNOWN, f"{item.name} holds code that arithmetic would run", (RUNS_CODE,))
    return Classification(READ, SAYS[READ])


def _redirect(item: Redirect) -> Classification:
    target = item.target
    if target is None or item.operator in {"<<", "<<<", "<<-"}:
        return Classification(READ, SAYS[READ])
    if target.text.startswith(_SOCKETS) or (not target.static and target.text.startswith("/dev/")):
        return Classification(UNKNOWN, f"talks to {target.text_raw}", (RUNS_CODE,))
    if item.operator.startswith("<") or _goes_nowhere(item.operator, target):
        return Classification(READ, SAYS[READ])
    flags = (SENSITIVE_PATH,) if is_sensitive(target.text) else ()
    return Classification(LOCAL_WRITE, f"`{item.operator}` writes {target.text_raw}", flags)


def _goes_nowhere(operator: str, target: Word) -> bool:
    if target.text in _HARMLESS_TARGETS or target.text.startswith("/dev/fd/"):
        return True
    return operator in {">&", "<&"} and target.static and target.text.rstrip("-").isdigit()
