"""The gate where a person allows or refuses one call: who asks, what is remembered, what happens unattended."""

import contextvars
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from typing import Any, Final

import attrs

from .hooks import HookBus
from .settings import Settings

CHOICES: Final = ("once", "session", "always", "deny", "timeout")
UNATTENDED: Final = {
    "single_query": "approvals.single_query_mode",
    "cron": "approvals.cron_mode",
    "unattended": "approvals.unattended_mode",
}
"""How a conversation without a person runs, and the setting that decides for it."""


@attrs.frozen
class Where:
    """Where a question comes from.

    Attributes:
        mode: ``interactive``, ``gateway``, or a key of ``UNATTENDED``.
    """

    session_id: str = ""
    turn_id: str = ""
    tool_call_id: str = ""
    platform: str = "cli"
    mode: str = "interactive"


NOWHERE: Final = Where()
_where: contextvars.ContextVar[Where] = contextvars.ContextVar("kata_standin_where", default=NOWHERE)


@attrs.frozen
class Question:
    """What the person is asked.

    Attributes:
        subject: What needs approval, for the refusal's text.
        command: The label that the prompt shows.
        pattern_key: What an "always" is remembered for.
        noun: What a refusal calls it.
    """

    subject: str
    command: str
    description: str
    pattern_key: str
    noun: str


@attrs.frozen
class Asked:
    """One question that was really put to the person, and the choice."""

    question: Question
    where: Where
    choice: str


class Person:
    """The person at the keyboard: answers are queued beforehand; without one a question times out."""

    def __init__(self) -> None:
        self._answers: deque[str] = deque()
        self.asked: list[Asked] = []
        self._at_prompt = threading.local()

    def will_answer(self, *choices: str) -> None:
        """Queue choices for the questions to come.

        Raises:
            ValueError: a choice is none of ``CHOICES``.
        """
        for choice in choices:
            if choice not in CHOICES:
                raise ValueError(f"no such choice: {choice!r}")
        self._answers.extend(choices)

    @contextmanager
    def at_prompt(self) -> Any:
        """Let questions of this thread reach the person; other threads' do not, as in the real host."""
        before = self.reachable
        self._at_prompt.value = True
        try:
            yield
        finally:
            self._at_prompt.value = before

    @property
    def reachable(self) -> bool:
        return getattr(self._at_prompt, "value", False)

    def answer(self, question: Question, where: Where) -> str:
        choice = self._answers.popleft() if self._answers else "timeout"
        self.asked.append(Asked(question, where, choice))
        return choice


class Approvals:
    """Decide whether one call may go on."""

    def __init__(
        self, hooks: HookBus, settings: Settings, person: Person, token: Callable[[int], str]
    ) -> None:
        self._hooks = hooks
        self._settings = settings
        self._person = person
        self._token = token
        self._session_rules: set[tuple[str, str]] = set()
        self.yolo: set[str] = set()

    @property
    def where(self) -> Where:
        """Return where the running call comes from."""
        return _where.get()

    @contextmanager
    def at(self, where: Where) -> Any:
        """Say where the questions of this context come from."""
        before = _where.set(where)
        try:
            yield
        finally:
            _where.reset(before)

    def tool(self, tool_name: str, reason: str, rule_key: str) -> str | None:
        """Ask for a plugin's rule; return why the call is blocked, or ``None``."""
        description = reason or f"Plugin requires approval for {tool_name}"
        return self._decide(
            Question(
                subject=f"Tool '{tool_name}' requires approval ({description})",
                command=f"<{tool_name}> (plugin approval rule)",
                description=description,
                pattern_key=f"plugin_rule:{rule_key or tool_name}",
                noun="potentially dangerous action",
            )
        )

    def command(self, command: str, description: str) -> str | None:
        """Ask for a dangerous shell command; return why it is blocked, or ``None``."""
        subject = f"Command flagged as dangerous ({description})"
        return self._decide(Question(subject, command, description, description, "command"))

    def _decide(self, question: Question) -> str | None:
        where = _where.get()
        if self._waved_through(question, where):
            return None
        if where.mode in UNATTENDED:
            return self._unattended(question, where)
        if not self._person.reachable:
            return f"BLOCKED: {question.subject} but no interactive user or gateway is present to approve it."
        return self._settle(question, where, self._ask(question, where))

    def _waved_through(self, question: Question, where: Where) -> bool:
        if self._settings.get("approvals.mode") == "off" or where.session_id in self.yolo:
            return True
        allowed = self._settings.get("command_allowlist", [])
        return (
            question.pattern_key in allowed or (where.session_id, question.pattern_key) in self._session_rules
        )

    def _unattended(self, question: Question, where: Where) -> str | None:
        setting = UNATTENDED[where.mode]
        if self._settings.get(setting, "deny") == "approve":
            return None
        return (
            f"BLOCKED: {question.subject} but this run has no user present; {setting} decides for such runs."
        )

    def _ask(self, question: Question, where: Where) -> str:
        prompt = {
            "command": question.command,
            "description": question.description,
            "pattern_key": question.pattern_key,
            "pattern_keys": [question.pattern_key],
            "session_key": where.session_id,
            "surface": "gateway" if where.mode == "gateway" else "cli",
            "turn_id": where.turn_id,
            "tool_call_id": where.tool_call_id,
            "session_id": where.session_id,
        }
        human = {
            "kind": "approval",
            "request_id": self._token(16),
            "session_id": where.session_id,
            "session_key": where.session_id,
            "platform": where.platform,
            "prompt": question.command,
        }
        first: list[tuple[str, dict[str, Any]]] = [
            ("on_human_input_request", human),
            ("pre_approval_request", prompt),
        ]
        for hook, payload in first if where.mode == "gateway" else reversed(first):
            self._hooks.fire(hook, **payload)
        choice = self._person.answer(question, where)
        self._hooks.fire("on_human_input_resolved", **human, outcome=choice)
        self._hooks.fire("post_approval_response", **prompt, choice=choice)
        return choice

    def _settle(self, question: Question, where: Where, choice: str) -> str | None:
        if choice == "deny":
            return f"BLOCKED: User denied this {question.noun}. Do not try it again in another way."
        if choice == "timeout":
            return f"BLOCKED: {question.noun.capitalize()} timed out without user response. Silence is not consent."
        if choice == "session":
            self._session_rules.add((where.session_id, question.pattern_key))
        if choice == "always":
            allowed: Sequence[str] = self._settings.get("command_allowlist", [])
            self._settings.set("command_allowlist", [*allowed, question.pattern_key])
        return None
