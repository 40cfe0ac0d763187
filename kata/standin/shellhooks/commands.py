"""``hermes hooks list | test | revoke | doctor``."""

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from ..names import VALID_HOOKS
from .consent import can_run
from .hooks import ShellHooks
from .run import ScriptRun
from .spec import ShellHook

_IDS: Final = {"session_id": "test-session", "task_id": "test-task"}
_CALL: Final = {
    **_IDS,
    "tool_name": "terminal",
    "args": {"command": "echo hello"},
    "tool_call_id": "test-call",
}
SAMPLES: Final[dict[str, dict[str, Any]]] = {
    "pre_tool_call": _CALL,
    "post_tool_call": {**_CALL, "result": '{"output": "hello"}', "duration_ms": 42},
    "pre_llm_call": {
        **_IDS,
        "user_message": "What is the weather?",
        "conversation_history": [],
        "is_first_turn": True,
    },
    "subagent_stop": {"parent_session_id": "parent-sess", "child_status": "completed", "duration_ms": 1234},
}
"""What ``test`` and ``doctor`` fire with."""


class HookCommands:
    """The words of ``hermes hooks``; each answers the lines that it prints, and how many problems it found."""

    def __init__(self, hooks: ShellHooks) -> None:
        self._hooks = hooks

    def setup(self, parser: argparse.ArgumentParser) -> None:
        """Add the sub-commands to the parser of ``hermes hooks``."""
        verbs = parser.add_subparsers(dest="verb", required=True)
        verbs.add_parser("list")
        test = verbs.add_parser("test")
        test.add_argument("event")
        test.add_argument("--for-tool")
        test.add_argument("--payload-file", type=Path)
        verbs.add_parser("revoke").add_argument("command_line")
        verbs.add_parser("doctor")

    def run(self, args: argparse.Namespace) -> int:
        """Print what the sub-command says."""
        print("\n".join(self._lines(args)))  # noqa: T201 - a command's output
        return 0

    def _lines(self, args: argparse.Namespace) -> Iterable[str]:
        if args.verb == "list":
            return self._list()
        if args.verb == "test":
            return self._test(args.event, args.for_tool, args.payload_file)
        return self._revoke(args.command_line) if args.verb == "revoke" else self._doctor()

    def _list(self) -> list[str]:
        hooks = self._hooks.configured()
        return [self._shown(hook) for hook in hooks] or ["No shell hooks configured."]

    def _shown(self, hook: ShellHook) -> str:
        matcher = f" matcher={hook.matcher!r}" if hook.matcher else ""
        allowed = "allowed" if self._hooks.consent.find(hook.event, hook.command) else "not allowlisted"
        drift = ", script modified since approval" if self._drifted(hook) else ""
        return f"[{hook.event}] {hook.command}{matcher} (timeout={hook.timeout}s, {allowed}{drift})"

    def _test(self, event: str, tool: str | None, payload_file: Path | None) -> list[str]:
        if event not in VALID_HOOKS:
            return [f"Unknown event: {event!r}"]
        sample = {**SAMPLES.get(event, _IDS), **({"tool_name": tool} if tool else {})}
        if payload_file is not None:
            sample |= json.loads(payload_file.read_text(encoding="utf-8"))
        meant = [
            hook
            for hook in self._hooks.configured()
            if hook.event == event and hook.wants(sample.get("tool_name"))
        ]
        lines = [line for hook in meant for line in self._fired(hook, sample)]
        return lines or [f"No shell hooks configured for event: {event}"]

    def _fired(self, hook: ShellHook, sample: dict[str, Any]) -> list[str]:
        ran, answer = self._hooks.run_once(hook, sample)
        said = f"parsed: {json.dumps(answer)}" if answer else "parsed: nothing"
        return [f"-> {hook.command}", f"   {_outcome(ran)}", f"   {said}"]

    def _revoke(self, command: str) -> list[str]:
        removed = self._hooks.consent.revoke(command)
        if not removed:
            return [f"No allowlist entry found for command: {command}"]
        return [
            f"Removed {removed} allowlist entries for: {command}",
            "Running processes keep it until they restart.",
        ]

    def _doctor(self) -> list[str]:
        checked = [(hook, self._problems(hook)) for hook in self._hooks.configured()]
        found = sum(len(problems) for _hook, problems in checked)
        lines = [
            f"[{hook.event}] {hook.command}: {'; '.join(problems) or 'fine'}" for hook, problems in checked
        ]
        return [*lines, f"{found} issue(s) found." if found else "All shell hooks look healthy."]

    def _problems(self, hook: ShellHook) -> list[str]:
        allowed = self._hooks.consent.find(hook.event, hook.command) is not None
        problems = [] if can_run(hook.command) else ["script missing or not executable"]
        problems += [] if allowed else ["not allowlisted, will not fire"]
        problems += ["script modified since approval"] if self._drifted(hook) else []
        return problems + (self._smoke(hook) if allowed and can_run(hook.command) else [])

    def _smoke(self, hook: ShellHook) -> list[str]:
        ran, _answer = self._hooks.run_once(hook, SAMPLES.get(hook.event, _IDS))
        if ran.error or ran.timed_out:
            return [_outcome(ran)]
        return [] if _is_json(ran.stdout) else ["stdout is no valid JSON"]

    def _drifted(self, hook: ShellHook) -> bool:
        return self._hooks.consent.drifted(hook.event, hook.command)


def _outcome(ran: ScriptRun) -> str:
    if ran.error:
        return f"error: {ran.error}"
    return (
        f"timed out after {ran.seconds:.1f}s"
        if ran.timed_out
        else f"exit={ran.exit_code} elapsed={ran.seconds:.1f}s"
    )


def _is_json(text: str) -> bool:
    try:
        json.loads(text.strip() or "{}")
    except ValueError:
        return False
    return True
