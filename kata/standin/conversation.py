"""A conversation: turns of one session after another, until it is finalized."""

import json
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from .agenttools import AgentTools
from .frame import TurnResult
from .model import Script
from .offer import Offer, make_offer
from .sessions import Session
from .turn import Turn

if TYPE_CHECKING:
    from .host import StandIn

SYSTEM_PROMPT = "You are a stand-in for Hermes Agent."


class Conversation:
    """One chat of a person with the host's scripted model.

    Attributes:
        mode: ``interactive``, ``gateway``, ``single_query``, ``cron`` or ``unattended``.
        notices: What plugins had to say when the conversation was finalized, oldest first.
        on_step: Called before each model request with its number and the results of the calls before it.
    """

    def __init__(
        self,
        host: "StandIn",
        session: Session,
        *,
        platform: str = "cli",
        mode: str = "interactive",
        max_iterations: int = 90,
        sender_id: str = "",
        task_ids: Callable[[], str] | None = None,
    ) -> None:
        self.host = host
        self.session = session
        self.platform = platform
        self.mode = mode
        self.max_iterations = max_iterations
        self.sender_id = sender_id
        self.notices: list[str] = []
        self._task_ids = task_ids or self._usual_task_id
        self.on_step: Callable[[int, list[dict[str, Any]]], None] = lambda number, tools: None
        self.agent_tools = AgentTools()
        self._stop = threading.Event()
        self._offer: Offer | None = None
        self._toolsets = host.toolsets()

    @property
    def session_id(self) -> str:
        return self.session.id

    @property
    def offer(self) -> Offer:
        """Return the tools offered, frozen at the first turn (facts 5.1)."""
        if self._offer is None:
            self._toolsets = self.host.toolsets()
            self._offer = make_offer(self.host.registry, self.host.settings, self._toolsets.__contains__)
        return self._offer

    @property
    def system_prompt(self) -> str:
        return "\n\n".join([SYSTEM_PROMPT, *self.host.prompt_sections()])

    def in_scope(self, tool: str) -> bool:
        """Tell whether the tool's toolset was there when the conversation began."""
        return self.host.registry.get_toolset_for_tool(tool) in self._toolsets

    def reload_tools(self) -> None:
        """Offer what the registry holds now, as ``/reload-mcp`` does."""
        self._offer = None

    def turn(self, message: str, script: Script, *, children: Iterable[Script] = ()) -> TurnResult:
        """Say something, and let the scripted model answer it.

        Args:
            message: What the person says.
            script: One reply per model request: ``call(…)``, ``calls(…)``, ``say(…)``, ``fail(…)``, ``stop()``.
            children: A script per sub-agent that ``delegate_task`` starts, in their order.

        Raises:
            ScriptError: the script has too few or too many replies.
        """
        self._stop.clear()
        self.offer  # noqa: B018 - frozen before the first hook
        with self.host.running(self):
            return Turn(self, message, script, children).run()

    def stop(self) -> None:
        """Press stop: the running turn ends after the call that runs."""
        self._stop.set()

    def stopped(self) -> bool:
        return self._stop.is_set()

    def new_task_id(self) -> str:
        """Return the task id of a turn: fresh for a single query, the session's own otherwise."""
        return self._task_ids()

    def _usual_task_id(self) -> str:
        return self.host.uuid() if self.mode == "single_query" else self.session.id

    def finalize(self, reason: str = "shutdown", **more: Any) -> list[str]:
        """End the session; return what plugins want the person to read."""
        answers = self.host.hooks.fire(
            "on_session_finalize", session_id=self.session.id, platform=self.platform, reason=reason, **more
        )
        self.session.end_reason = reason
        fresh = [text for text in map(_notice, answers) if text]
        self.notices.extend(fresh)
        return fresh

    def new(self) -> list[str]:
        """Do what ``/new`` does: finalize the old session, reset, and go on in a new one."""
        fresh = self.finalize("session_boundary")
        self.session = self.host.sessions.open(None, self.platform)
        self._offer = None
        self.host.hooks.fire(
            "on_session_reset", session_id=self.session.id, platform=self.platform, reason="new_session"
        )
        return fresh

    def compress(self) -> None:
        """Go on in a child session, as a long conversation does when it is compressed."""
        parent = self.session
        parent.end_reason = "compression"
        self.session = self.host.sessions.open(None, parent.source, parent.id)
        self.session.messages = list(parent.messages[-2:])

    def delegate(self, args: dict[str, Any], scripts: list[Script], turn_id: str) -> str:
        """Run sub-agents one after another; tell of each when all are done."""
        tasks = args.get("tasks") or [{"goal": args.get("goal", "")}]
        done = [self._child(at, str(task.get("goal", "")), scripts, turn_id) for at, task in enumerate(tasks)]
        for stopped in done:
            self.host.hooks.fire("subagent_stop", **stopped)
        results = [
            {"task_index": at, "status": each["child_status"], "summary": each["child_summary"]}
            for at, each in enumerate(done)
        ]
        return json.dumps({"results": results})

    def _child(self, at: int, goal: str, scripts: list[Script], turn_id: str) -> dict[str, Any]:
        host = self.host
        session = host.sessions.open(None, "subagent", self.session.id)
        name = f"sa-{at}-{host.token(4)}"
        parent = {"parent_session_id": self.session.id, "parent_turn_id": turn_id}
        host.hooks.fire(
            "subagent_start",
            **parent,
            parent_subagent_id=None,
            child_session_id=session.id,
            child_subagent_id=name,
            child_role="leaf",
            child_goal=goal,
        )
        started = host.clock.monotonic()
        child = Conversation(host, session, platform="subagent", mode=self.mode, task_ids=lambda: name)
        result = child.turn(goal, scripts.pop(0) if scripts else [])
        return {
            **parent,
            "child_session_id": session.id,
            "child_role": "leaf",
            "child_summary": result.answer,
            "child_status": "completed" if result.completed else "failed",
            "tool_call_history": [_history(each) for each in result.calls],
            "duration_ms": int((host.clock.monotonic() - started) * 1000),
        }


def _notice(answer: Any) -> str:
    text = answer.get("message") if isinstance(answer, dict) else answer
    return text if isinstance(text, str) else ""


def _history(each: Any) -> dict[str, Any]:
    targets = {key: value for key, value in each.args.items() if key == "path"}
    return {
        "tool_name": each.name,
        "tool_input": {"argument_keys": sorted(each.args), "targets": targets},
        "input_bytes": len(json.dumps(each.args)),
        "output_bytes": len(str(each.result)),
        "status": "blocked" if each.blocked else "ok",
    }
