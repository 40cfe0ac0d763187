"""What all hooks of one turn have in common."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import attrs

from .model import ModelRequest
from .requests import MODEL
from .toolrun import Running

if TYPE_CHECKING:
    from .conversation import Conversation


@attrs.frozen
class TurnResult:
    """What a turn came to.

    Attributes:
        answer: The text that the person gets.
        requests: Every request that the model got in this turn.
        calls: Every tool call that was run or blocked, in order, with name, arguments and result.
        exit_reason: As in ``on_session_end``.
    """

    answer: str
    requests: tuple[ModelRequest, ...]
    calls: tuple[Running, ...]
    completed: bool
    interrupted: bool
    failed: bool
    exit_reason: str

    @property
    def results(self) -> tuple[Any, ...]:
        """Return the results of the tool calls, in order."""
        return tuple(call.result for call in self.calls)


@attrs.frozen
class Ending:
    """How a turn ends.

    Attributes:
        published: Whether plugins may transform the answer and are told of it.
        told: Whether ``on_session_end`` fires (it does not after a failed request).
        explained: What the host adds to the answer, after plugins transformed it.
    """

    answer: str
    reason: str
    completed: bool = True
    interrupted: bool = False
    failed: bool = False
    published: bool = True
    told: bool = True
    explained: str = ""


def interrupted(reason: str, text: str) -> Ending:
    """End because the person pressed stop."""
    return Ending(text, reason, completed=False, interrupted=True, published=False)


def silent(text: str, reason: str, *, failed: bool = False) -> Ending:
    """End without a word to any plugin."""
    return Ending(text, reason, completed=False, failed=failed, published=False, told=False)


@attrs.frozen
class Frame:
    """One turn's place: its conversation, its ids, and what the person said."""

    chat: "Conversation"
    message: str
    task_id: str
    turn_id: str

    @property
    def platform(self) -> str:
        return self.chat.platform

    @property
    def session_id(self) -> str:
        return self.chat.session.id

    @property
    def messages(self) -> list[dict[str, Any]]:
        return self.chat.session.messages

    def fire(self, hook: str, **payload: Any) -> list[Any]:
        return self.chat.host.hooks.fire(hook, **payload)

    def stream(self, hook: str, iteration: int, **payload: Any) -> None:
        """Hand a stream hook over, with the ids that all of them carry."""
        common = {
            "turn_id": self.turn_id,
            "iteration": iteration,
            "session_id": self.session_id,
            "model": MODEL,
            "provider": "custom",
            "surface": self.platform,
        }
        self.chat.host.streams.fire(hook, **common, **payload)

    @property
    def ids(self) -> dict[str, str]:
        return {"session_id": self.session_id, "task_id": self.task_id, "turn_id": self.turn_id}

    @property
    def model(self) -> dict[str, str]:
        return {"model": MODEL, "platform": self.platform}

    def history(self) -> list[dict[str, Any]]:
        """Copy the conversation so far."""
        return [dict(message) for message in self.messages]

    def say_result(self, call_id: str, name: str, result: Any) -> None:
        """Tell the model what a call gave."""
        self.messages.append({"role": "tool", "name": name, "tool_call_id": call_id, "content": result})


def edited(running: Iterable[Running]) -> set[str]:
    """Find the files that these calls wrote."""
    written = (each for each in running if each.name in ("write_file", "patch") and not each.blocked)
    return {path for each in written for path in _modified(each.result)}


def _modified(result: Any) -> list[str]:
    try:
        value = json.loads(result)
    except (TypeError, ValueError):
        return []
    return list(value.get("files_modified", ())) if isinstance(value, dict) else []
