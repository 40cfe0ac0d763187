"""A model whose every answer is written down beforehand, and which remembers what it was asked."""

import json
import threading
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from . import wire

LONGEST_HOLD_S = 120


@attrs.frozen
class Turn:
    """One answer of the model.

    Attributes:
        calls: Pairs of a tool's name and its arguments; a string stands for itself, well-formed or not.
        hold: The answer waits until this event is set.
        delay: Seconds to wait before the answer.
        status: An HTTP status; anything but 200 sends ``text`` as the error.
    """

    text: str = ""
    calls: tuple[tuple[str, Any], ...] = ()
    reasoning: str = ""
    usage: Mapping[str, Any] | None = None
    finish: str = ""
    hold: threading.Event | None = None
    delay: float = 0.0
    status: int = 200


def say(text: str, **options: Any) -> Turn:
    return Turn(text, **options)


def call(tool: str, arguments: Any = None, **options: Any) -> Turn:
    return calls((tool, {} if arguments is None else arguments), **options)


def calls(*pairs: tuple[str, Any], **options: Any) -> Turn:
    """Call several tools in one answer, so that Hermes may run them side by side."""
    return Turn(calls=pairs, **options)


def through_search(tool: str, arguments: Any = None, **options: Any) -> Turn:
    """Call a tool that Hermes hides behind tool search (its default for every plugin's tools)."""
    return call("tool_call", {"calls": [{"name": tool, "arguments": arguments or {}}]}, **options)


def fail(status: int, text: str = "scripted failure", **options: Any) -> Turn:
    return Turn(text, status=status, **options)


@attrs.frozen
class Request:
    """One request as Hermes sent it."""

    body: Mapping[str, Any]

    @property
    def messages(self) -> list[dict[str, Any]]:
        return self.body["messages"]

    @property
    def offered(self) -> list[str]:
        """Return the names of the tools that the model could have called."""
        return [tool["function"]["name"] for tool in self.body.get("tools") or ()]

    @property
    def schemas(self) -> dict[str, dict[str, Any]]:
        """Return each offered tool's ``function`` object (description, parameters), by name."""
        return {tool["function"]["name"]: tool["function"] for tool in self.body.get("tools") or ()}

    @property
    def results(self) -> list[str]:
        """Return every tool result of the conversation so far, oldest first."""
        return self._texts("tool")

    @property
    def said(self) -> list[str]:
        """Return what the user said, oldest first."""
        return self._texts("user")

    def _texts(self, role: str) -> list[str]:
        return [_text(message.get("content")) for message in self.messages if message["role"] == role]


Planned = Turn | Callable[[Request], Turn]


class ScriptedModel:
    """A chat-completions server on the loopback interface; a context manager.

    A request that offers tools takes the next planned turn. One without tools (a title, a summary, the smart
    approval) is answered with ``aux`` and takes none.
    """

    name = "scripted"

    def __init__(self, *, aux: str | Callable[[Request], str] = "ok") -> None:
        self.aux = aux
        self.main: list[Request] = []
        self.asides: list[Request] = []
        self.starved = 0
        self._plan: list[Planned] = []
        self._calls_made = 0
        self._lock = threading.Condition()
        self._server = wire.serve(self._answer, self.name)

    def then(self, *turns: Planned) -> None:
        """Plan the next answers; a function of the request may stand for a turn."""
        with self._lock:
            self._plan.extend(turns)

    @property
    def left(self) -> int:
        """Count the planned turns that nobody asked for yet."""
        return len(self._plan)

    @property
    def last(self) -> Request:
        return self.main[-1]

    @property
    def result(self) -> str:
        """Return the newest tool result that the model was told."""
        return self.last.results[-1]

    @property
    def results(self) -> list[str]:
        return self.last.results

    def forget(self) -> None:
        """Drop the requests remembered so far, to count from here."""
        self.main.clear()
        self.asides.clear()

    def wait_asked(self, count: int, timeout: float = 90) -> None:
        """Wait until the model was asked ``count`` times for a turn: then Hermes is in the midst of that one."""
        with self._lock:
            assert self._lock.wait_for(lambda: len(self.main) >= count, timeout), (
                f"asked {len(self.main)} times"
            )

    @property
    def url(self) -> str:
        host, port = self._server.server_address[:2]
        return f"http://{host}:{port}/v1"

    def _answer(self, body: Mapping[str, Any]) -> wire.Answer:
        request = Request(body)
        turn = self._choose(request)
        if turn.hold:
            turn.hold.wait(LONGEST_HOLD_S)
        if turn.delay:
            threading.Event().wait(turn.delay)
        return wire.Answer(
            text=turn.text,
            reasoning=turn.reasoning,
            calls=self._number(turn.calls),
            usage=turn.usage or _guess_usage(request, turn),
            finish=turn.finish or ("tool_calls" if turn.calls else "stop"),
            status=turn.status,
        )

    def _choose(self, request: Request) -> Turn:
        if not request.offered:
            self.asides.append(request)
            return say(self.aux(request) if callable(self.aux) else self.aux)
        with self._lock:
            self.main.append(request)
            self._lock.notify_all()
            if not self._plan:
                self.starved += 1
                return say("(nothing was planned)")
            planned = self._plan.pop(0)
        return planned if isinstance(planned, Turn) else planned(request)

    def _number(self, pairs: tuple[tuple[str, Any], ...]) -> tuple[wire.Call, ...]:
        with self._lock:
            first = self._calls_made + 1
            self._calls_made += len(pairs)
        return tuple(
            wire.Call(f"call_{number:04d}", tool, given if isinstance(given, str) else json.dumps(given))
            for number, (tool, given) in enumerate(pairs, first)
        )

    def __enter__(self) -> "ScriptedModel":
        wire.start(self._server)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content or ""


def _guess_usage(request: Request, turn: Turn) -> dict[str, Any]:
    """Count four characters a token, so that sizes compare as they would with a real model."""
    prompt = len(json.dumps(request.messages)) // 4
    completion = (len(turn.text) + len(json.dumps(turn.calls))) // 4 + 1
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
