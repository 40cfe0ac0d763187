"""``hermes kata …`` in a shell: answers on standard output, all else on standard error, honest exit codes (ux 4)."""

import argparse
import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TextIO

import attrs

from ..errors import HumanNeededError, KataError, StoreError
from ..events import Surface
from ..json import dumps
from ..service import Service
from .actors import anybody, in_shell, terminal_name, undoubted
from .deciding import DeclinedError
from .desk import Answer, Desk
from .envelope import answer as envelope
from .envelope import failure
from .exits import INTERRUPTED, exit_code
from .fences import WATCH, Watch, agent_mark
from .helping import HelpShown
from .hints import commanded
from .paging import paged
from .paint import Page, visible
from .parser import build, language_asked, parse
from .telling import diagnosis_without_log
from .text import explain, say, speaking
from .verbs import answer

COMMAND = "hermes kata"


class UnexpectedError(KataError):
    """Say that something went wrong which nobody foresaw."""

    code = "unexpected"

    def __init__(self, error: Exception) -> None:
        super().__init__(say("error.unexpected", error=f"{type(error).__name__}: {error}"))


class OutputLostError(KataError):
    """Say that an answer could not be written to its end: a full disk, say. What was asked for is done all the same."""

    code = "output_lost"

    def __init__(self, error: OSError) -> None:
        super().__init__(say("error.output", why=error.strerror))


@attrs.frozen(kw_only=True)
class Terminal:
    """The streams of a shell command."""

    input: TextIO
    output: TextIO
    error: TextIO

    @property
    def interactive(self) -> bool:
        """Tell whether a person can be at both ends."""
        return self.input.isatty() and self.output.isatty()


def this_terminal() -> Terminal:
    """Return the process's own streams; one that was closed before it began goes nowhere."""
    return Terminal(
        input=sys.stdin or _nowhere(), output=sys.stdout or _nowhere(), error=sys.stderr or _nowhere()
    )


@cache
def _nowhere() -> TextIO:
    return Path(os.devnull).open("r+", encoding="utf-8")


def set_up(parser: argparse.ArgumentParser) -> None:
    """Have Hermes' sub-parser hand every word on untouched: Kata parses them itself, for near matches and its own help."""
    parser.prefix_chars = "\0"
    parser.add_argument("words", nargs="*")


def run_cli(
    words: Sequence[str],
    open_service: Callable[[], Service],
    *,
    terminal: Terminal | None = None,
    mark: Callable[[], str | None] = agent_mark,
    watch: Watch = WATCH,
    language: str = "",
) -> int:
    """Answer one shell command and return its exit code; never raises.

    ``language`` is a tag such as ``zh-CN``; ``--lang`` goes before it, ``HERMES_LANGUAGE`` stands in for it.
    """
    with speaking(language_asked(words) or language or os.environ.get("HERMES_LANGUAGE", "")):
        try:
            return _run(words, open_service, terminal or this_terminal(), mark, watch)
        except KeyboardInterrupt:
            return _interrupted(terminal or this_terminal())
        except BrokenPipeError:
            return _pipe_closed()
        except OutputLostError as error:
            return _output_lost(error, terminal or this_terminal())


def _run(
    words: Sequence[str],
    open_service: Callable[[], Service],
    terminal: Terminal,
    mark: Callable[[], str | None],
    watch: Watch,
) -> int:
    try:
        asked = parse(build(COMMAND), words)
        service = _opened(open_service, asked, terminal)
        if isinstance(service, Answer):
            _print(service, asked, "", terminal)
            return service.exit
        desk = _desk(asked, service, terminal, mark, watch)
        given = answer(desk, asked)
        _print(given, asked, service.profile, terminal)
    except HelpShown as shown:
        return _write(terminal.output, str(shown))
    except (BrokenPipeError, OutputLostError):
        raise
    except KataError as error:
        return _refuse(error, "--json" in words, terminal)
    except Exception as error:
        return _refuse(UnexpectedError(error), "--json" in words, terminal)
    return given.exit


def _opened(
    open_service: Callable[[], Service], asked: argparse.Namespace, terminal: Terminal
) -> Service | Answer:
    """Open the service; where that fails, `doctor` is the one command that still has an answer."""
    try:
        return _store_of(open_service)
    except KataError as error:
        if getattr(asked, "verb", "") != "doctor":
            raise
        return diagnosis_without_log(error, _page(asked, terminal))


def _store_of(open_service: Callable[[], Service]) -> Service:
    try:
        return open_service()
    except OSError as error:
        raise StoreError(say("error.folder", why=error)) from error


def _desk(
    asked: argparse.Namespace,
    service: Service,
    terminal: Terminal,
    mark: Callable[[], str | None],
    watch: Watch,
) -> Desk:
    quiet = bool(getattr(asked, "quiet", False))
    return Desk(
        service=service,
        command=COMMAND,
        chat=False,
        page=_page(asked, terminal),
        now=service.now,
        reader=f"cli:{os.getpid()}",
        actor=lambda: in_shell(
            mark,
            lambda: watch.terminal(service.record()),
            terminal=terminal.interactive,
            where=terminal_name(),
        ),
        bystander=lambda: anybody(Surface.CLI, terminal_name()),
        confirm=_asker(asked, terminal, lambda since: undoubted(watch.typed(service.record(), since))),
        show=lambda lines: None if quiet else _say_lines(lines, terminal.error),
        progress=Bar(terminal.error, quiet=quiet).show,
    )


def _page(asked: argparse.Namespace, terminal: Terminal) -> Page:
    plain = bool(getattr(asked, "plain", False))
    colour = getattr(asked, "color", "auto") or "auto"
    wanted = colour == "always" or (
        colour == "auto" and terminal.output.isatty() and not os.environ.get("NO_COLOR")
    )
    screen = terminal.output.isatty()
    width = shutil.get_terminal_size((80, 24)).columns if screen else 80
    return Page(width=width, screen=screen, colour=wanted and not plain, plain=plain)


def _asker(
    asked: argparse.Namespace, terminal: Terminal, typed: Callable[[float], None]
) -> Callable[[str, str], None]:
    def ask(question: str, expected: str) -> None:
        if getattr(asked, "no_input", False) or not terminal.interactive:
            raise HumanNeededError(say("ask.no_input"), hint=say("ask.no_input.hint"))
        terminal.error.write(question)
        terminal.error.flush()
        since = time.time()
        if terminal.input.readline().strip() != expected:
            raise DeclinedError
        typed(since)

    return ask


def _say_lines(lines: Sequence[str], stream: TextIO) -> None:
    stream.write("".join(f"{line}\n" for line in lines))
    stream.flush()


def _print(given: Answer, asked: argparse.Namespace, profile: str, terminal: Terminal) -> None:
    if given.stream is not None:
        for line in given.stream:
            _write(terminal.output, line)
        return
    if getattr(asked, "json", False):
        text = dumps(envelope(profile, given.data, warnings=given.warnings, following=given.following))
    elif given.lines:
        text = "\n".join(given.lines)
        if terminal == this_terminal() and terminal.interactive and paged(text):
            return
    else:
        return
    _write(terminal.output, text)


def _write(stream: TextIO, text: str) -> int:
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(text.encode(encoding, "replace").decode(encoding).rstrip("\n") + "\n")
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputLostError(error) from error
    return 0


def _refuse(error: KataError, wants_json: bool, terminal: Terminal) -> int:
    if wants_json:
        _write(terminal.output, dumps(failure(error)))
    else:
        terminal.error.write(say("error", message=visible(str(error))) + "\n")
        if error.hint:
            terminal.error.write(say("error.hint", hint=commanded(explain(error.hint), COMMAND)) + "\n")
    return exit_code(error)


def _interrupted(terminal: Terminal) -> int:
    """End the line on which the terminal shows `^C`, so that the shell's prompt stands on one of its own."""
    if terminal.error.isatty():
        terminal.error.write("\n")
    return INTERRUPTED


def _pipe_closed() -> int:
    """Leave quietly when the reader is gone: it has what it wanted."""
    _drop(sys.stdout)
    return 0


def _output_lost(error: OutputLostError, terminal: Terminal) -> int:
    """Say on standard error what standard output did not take."""
    _drop(terminal.output)
    try:
        _say_lines([say("error", message=str(error))], terminal.error)
    except OSError:
        _drop(terminal.error)
    return exit_code(error)


def _drop(stream: TextIO) -> None:
    """Let what is still to be written go nowhere: Python would complain of it again at exit."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class Bar:
    """Progress on standard error: a bar on a terminal, else a line every tenth."""

    WIDTH = 24

    def __init__(self, stream: TextIO, *, quiet: bool) -> None:
        self._stream, self._quiet, self._tenth = stream, quiet, -1

    def show(self, what: str, done: int, whole: int) -> None:
        """Show how far something is."""
        if self._quiet or whole <= 0:
            return
        tenth = done * 10 // whole
        if tenth == self._tenth:
            return
        self._tenth = tenth
        if self._stream.isatty():
            filled = done * self.WIDTH // whole
            end = "\n" if done >= whole else ""
            self._stream.write(
                f"\r{what} [{'█' * filled}{'·' * (self.WIDTH - filled)}] {done * 100 // whole}%{end}"
            )
        else:
            self._stream.write(f"{what} {done * 100 // whole} %\n")
        self._stream.flush()
