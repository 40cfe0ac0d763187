"""A program in a pseudo-terminal, and the screen that a person sees: keys in, text out."""

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pexpect
import pyte

PROMPT = "\N{HEAVY RIGHT-POINTING ANGLE QUOTATION MARK ORNAMENT}"
KEYS = {
    "enter": "\r",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "escape": "\x1b",
    "tab": "\t",
    "ctrl-c": "\x03",
    "ctrl-d": "\x04",
}
# Sequences newer than pyte, such as the keyboard protocol's: it would print their last letters.
UNKNOWN_TO_PYTE = re.compile(r"\x1b\[[<=>][0-9;]*[A-Za-z]")
KEYSTROKE_GAP_S = 0.15


class ScreenError(AssertionError):
    """Say what was expected, and show the screen as it was."""


class _Screen(pyte.HistoryScreen):
    """A screen that answers the cursor questions which a prompt asks of its terminal."""

    reply: Callable[[str], object]

    def write_process_input(self, data: str) -> None:
        self.reply(data)


class Terminal:
    """A context manager around one program; leaving it ends that program.

    Typing and pressing Enter are two things here as they are for a person: a burst that ends in a newline is taken
    for a paste by the chat.
    """

    def __init__(
        self, argv: Sequence[str], cwd: Path, env: Mapping[str, str], *, rows: int = 50, columns: int = 160
    ) -> None:
        self._child = pexpect.spawn(
            argv[0],
            list(argv[1:]),
            cwd=str(cwd),
            env={**env, "TERM": "xterm-256color"},
            dimensions=(rows, columns),
            encoding="utf-8",
            codec_errors="replace",
        )
        self._screen = _Screen(columns, rows, history=5000, ratio=0.5)
        self._screen.reply = self._child.send
        self._stream = pyte.Stream(self._screen)
        self._changed = threading.Condition()
        self._ended = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def ready(self) -> "Terminal":
        """Wait for the chat's prompt."""
        try:
            self.wait_for(PROMPT, 60)
        except BaseException:
            self.close()
            raise
        return self

    def type(self, text: str) -> None:
        """Type a line and press Enter."""
        self.write(text)
        threading.Event().wait(KEYSTROKE_GAP_S)
        self.press("enter")

    def write(self, text: str) -> None:
        self._child.send(text)

    def press(self, *keys: str) -> None:
        """Press keys by the names in ``KEYS``, or single characters."""
        for key in keys:
            self._child.send(KEYS.get(key, key))

    @property
    def screen(self) -> str:
        """Return what stands on the screen now."""
        with self._changed:
            return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    @property
    def text(self) -> str:
        """Return what scrolled away and what stands on the screen."""
        with self._changed:
            gone = [_line(row, self._screen.columns) for row in self._screen.history.top]
        return "\n".join([*gone, self.screen])

    def wait_for(self, wanted: str, timeout: float = 90, *, count: int = 1) -> str:
        """Wait until a text stands there at least ``count`` times; return all the text."""
        return self._wait(lambda text: text.count(wanted) >= count, f"{wanted!r} x {count}", timeout)

    def wait_gone(self, unwanted: str, timeout: float = 90) -> str:
        """Wait until a text has left the screen."""
        return self._wait(lambda _: unwanted not in self.screen, f"no {unwanted!r}", timeout)

    def wait_end(self, timeout: float = 90) -> int:
        """Wait until the program ends; return its exit code."""
        self._wait(lambda _: self._ended, "the program's end", timeout)
        self._child.close()
        return self._child.exitstatus if self._child.exitstatus is not None else -self._child.signalstatus

    def close(self) -> None:
        self._child.close(force=True)
        self._reader.join(5)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _wait(self, reached: Callable[[str], bool], name: str, timeout: float) -> str:
        with self._changed:
            if not self._changed.wait_for(lambda: reached(self.text), timeout):
                raise ScreenError(f"waited {timeout} s for {name}; the screen was:\n{self.text}")
            return self.text

    def _read(self) -> None:
        while (piece := self._receive()) is not None:
            with self._changed:
                self._stream.feed(UNKNOWN_TO_PYTE.sub("", piece))
                self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _receive(self) -> str | None:
        try:
            return self._child.read_nonblocking(65536, timeout=None)
        except (pexpect.EOF, OSError, ValueError):
            return None


def _line(row: Any, columns: int) -> str:
    return "".join(row[column].data for column in range(columns)).rstrip()
