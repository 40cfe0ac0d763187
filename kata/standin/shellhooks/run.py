"""Running a script, and judging what came of it."""

import json
import logging
import os
import shlex
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import attrs

from . import wire
from .spec import BLOCKING_EVENTS, ShellHook

logger = logging.getLogger(__name__)

BLOCK_EXIT_CODE: Final = 2
_SHOWN: Final = 400


@attrs.frozen
class ScriptRun:
    """One run of a script. ``error``: why it could not be started, or ``""``."""

    exit_code: int | None = None
    stdout: str = ""
    stderr: str = ""
    timed_out: bool = False
    seconds: float = 0.0
    error: str = ""


def run_script(hook: ShellHook, stdin: str, environ: Mapping[str, str]) -> ScriptRun:
    """Run a hook's command without a shell, ``~`` expanded, in a process group that dies with its time."""
    try:
        words = shlex.split(os.path.expanduser(hook.command))  # noqa: PTH111 - a command line, not a path
    except ValueError as error:
        return ScriptRun(error=f"command {hook.command!r} cannot be parsed: {error}")
    started = time.monotonic()
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=dict(environ),
            process_group=0,
        )
    except FileNotFoundError:
        return ScriptRun(error="command not found")
    except PermissionError:
        return ScriptRun(error="command not executable")
    except OSError as error:
        return ScriptRun(error=str(error))
    return _finish(process, hook.timeout, stdin, started)


def _finish(process: "subprocess.Popen[str]", timeout: int, stdin: str, started: float) -> ScriptRun:
    try:
        stdout, stderr = process.communicate(stdin, timeout)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return ScriptRun(timed_out=True, seconds=time.monotonic() - started)
    return ScriptRun(process.returncode, stdout, stderr, seconds=time.monotonic() - started)


def judge(hook: ShellHook, ran: ScriptRun) -> dict[str, Any] | None:
    """Turn a run into a hook's answer: failures only warn, unless the hook fails closed; exit 2 blocks."""
    closed = hook.fail_closed and hook.event in BLOCKING_EVENTS
    if ran.error or ran.timed_out:
        why = ran.error or f"timed out after {hook.timeout}s"
        logger.warning("shell hook failed (%s, %s): %s", hook.event, hook.command, why)
        return _closed(hook, why) if closed else None
    if ran.exit_code == BLOCK_EXIT_CODE and hook.event in BLOCKING_EVENTS:
        return _blocked(hook, ran)
    if ran.exit_code:
        shown = ran.stderr.strip()[:_SHOWN]
        logger.warning(
            "shell hook exited %d (%s, %s); stderr=%s", ran.exit_code, hook.event, hook.command, shown
        )
    answer = wire.answer(hook.event, ran.stdout)
    if answer is None and closed and ran.exit_code:
        return _closed(hook, f"hook exited {ran.exit_code} with no directive")
    if answer is None and closed and ran.stdout.strip() and not _is_object(ran.stdout):
        return _closed(hook, "unparseable stdout (expected a JSON object)")
    return answer


def _blocked(hook: ShellHook, ran: ScriptRun) -> dict[str, Any]:
    answer = wire.answer(hook.event, ran.stdout)
    if answer is not None and answer.get("action") == "block":
        return answer
    return {"action": "block", "message": ran.stderr.strip()[:_SHOWN] or wire.BLOCKED}


def _closed(hook: ShellHook, why: str) -> dict[str, Any]:
    return {"action": "block", "message": f"hook {hook.command} failed closed: {why}"}


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False
