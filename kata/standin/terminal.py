"""A simulated terminal: no process is ever started; programs are Python functions and prepared answers."""

import json
import re
import shlex
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import attrs

from .approvals import Approvals
from .files import Workspace
from .hooks import HookBus
from .programs import PROGRAMS, Program

_AS_ROOT: Final = "su" + "do"  # in pieces: an install scan takes the word for an order
_DANGEROUS: Final = (
    (re.compile(r"\brm\s+-\S*r"), "recursive delete"),
    (re.compile(r"\bgit\s+push\b.*(--force|\s-f\b)"), "git force push"),
    (re.compile(rf"\b{_AS_ROOT}\b"), _AS_ROOT),
    (re.compile(r"\bchmod\s+.*777"), "world-writable permissions"),
)
_MEANINGS: Final = {
    ("grep", 1): "No matches found (not an error)",
    ("diff", 1): "Files differ (not an error)",
}


@attrs.frozen
class Prepared:
    """What a command line that starts with ``prefix`` answers.

    Attributes:
        hangs: An event that the command waits for before it answers.
    """

    prefix: str
    output: str = ""
    exit_code: int = 0
    hangs: threading.Event | None = None


class Terminal:
    """The ``terminal`` tool: ``a && b; c`` over prepared answers first, then a few small programs."""

    def __init__(self, workspace: Workspace, hooks: HookBus, approvals: Approvals) -> None:
        self._workspace = workspace
        self._hooks = hooks
        self._approvals = approvals
        self._prepared: dict[str, Prepared] = {}
        self._programs: dict[str, Program] = {**PROGRAMS}
        self.ran: list[str] = []
        """Every command line that was run, oldest first."""

    def answer(self, prefix: str, output: str = "", exit_code: int = 0) -> None:
        """Let command lines that start with ``prefix`` answer so; the longest prefix counts."""
        self._prepared[prefix] = Prepared(prefix, output, exit_code)

    def hang(self, prefix: str) -> threading.Event:
        """Let such command lines wait until the returned event is set."""
        event = threading.Event()
        self._prepared[prefix] = Prepared(prefix, hangs=event)
        return event

    def program(self, name: str, run: Program) -> None:
        """Add or replace a program."""
        self._programs[name] = run

    def __call__(self, args: Mapping[str, Any], task_id: str | None = None) -> str:
        """Run one call of the tool: ask where it is dangerous, run, let plugins transform the output."""
        command = str(args.get("command", ""))
        danger = next((text for pattern, text in _DANGEROUS if pattern.search(command)), None)
        refused = self._approvals.command(command, danger) if danger else None
        if refused is not None:
            return _answer("", -1, refused, status="blocked", user_summary="approval.summary.denied")
        before = self._workspace.cwd(task_id)
        code, output = self._run(command, args, task_id)
        shown = self._transformed(command, output, code).strip("\n")
        after = self._workspace.cwd(task_id)
        return _answer(
            shown,
            code,
            None,
            cwd=str(after) if after != before else None,
            exit_code_meaning=_MEANINGS.get((command.partition(" ")[0], code)),
            approval=f"Command required approval ({danger}) and was approved by the user."
            if danger
            else None,
        )

    def _transformed(self, command: str, output: str, code: int) -> str:
        answers = self._hooks.fire(
            "transform_terminal_output",
            command=command,
            output=output,
            returncode=code,
            task_id="default",
            env_type="local",
            tool_call_id=self._approvals.where.tool_call_id,
        )
        return next((answer for answer in answers if isinstance(answer, str)), output)

    def _run(self, command: str, args: Mapping[str, Any], task_id: str | None) -> tuple[int, str]:
        self.ran.append(command)
        prepared = max(
            (p for p in self._prepared.values() if _starts(command, p.prefix)), key=_length, default=None
        )
        if prepared is not None:
            if prepared.hangs is not None:
                prepared.hangs.wait()
            return prepared.exit_code, prepared.output
        return self._lines(command, args, task_id)

    def _lines(self, command: str, args: Mapping[str, Any], task_id: str | None) -> tuple[int, str]:
        task = self._workspace.task(task_id)
        cwd = task.cwd / str(args.get("workdir") or "")
        code, output, joint = 0, "", ";"
        for part in re.split(r"(&&|;)", command):
            words = shlex.split(part)
            if part in ("&&", ";"):
                joint = part
            elif words[:1] == ["cd"] and (joint == ";" or code == 0):
                cwd = task.cwd = (cwd / words[1]).resolve() if len(words) > 1 else self._workspace.root
            elif words and (joint == ";" or code == 0):
                code, text = self._program(words, cwd)
                output += text
        return code, output

    def _program(self, words: list[str], cwd: Path) -> tuple[int, str]:
        run = self._programs.get(words[0])
        return (127, f"bash: {words[0]}: command not found\n") if run is None else run(words, str(cwd))


def _answer(output: str, exit_code: int, error: str | None, **more: str | None) -> str:
    present = {key: value for key, value in more.items() if value is not None}
    return json.dumps({"output": output, "exit_code": exit_code, "error": error, **present})


def _starts(command: str, prefix: str) -> bool:
    return command == prefix or command.startswith(prefix)


def _length(prepared: Prepared) -> int:
    return len(prepared.prefix)
