"""The scripted model: what it answers, request by request."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

from .errors import ScriptError


@attrs.frozen
class ToolCall:
    """One call that the model asks for; ``arguments`` is the text that it wrote (JSON, or not)."""

    id: str
    name: str
    arguments: str


@attrs.frozen
class Reply:
    """One answer of the model.

    Attributes:
        text: What it says.
        wanted: Tool names with arguments (a dict, or raw text where it writes no JSON).
        status: An HTTP status that makes the request fail, or 0.
        stop: The person presses stop while the request runs.
        finish: In which order the calls of a concurrent batch end; empty for the order of the calls.
    """

    text: str = ""
    wanted: tuple[tuple[str, Any], ...] = ()
    usage: Mapping[str, int] | None = None
    status: int = 0
    stop: bool = False
    finish: tuple[int, ...] = ()


@attrs.frozen
class ModelRequest:
    """One request as the model got it.

    Attributes:
        messages: The conversation, system prompt first.
        tools: The tools offered, as the provider's ``tools`` array.
    """

    messages: tuple[dict[str, Any], ...]
    tools: tuple[dict[str, Any], ...]

    @property
    def offered(self) -> tuple[str, ...]:
        """Return the names of the tools offered."""
        return tuple(tool["function"]["name"] for tool in self.tools)

    @property
    def results(self) -> tuple[str, ...]:
        """Return the tool results that the request carries, oldest first."""
        return tuple(str(message["content"]) for message in self.messages if message["role"] == "tool")


@attrs.frozen
class Live:
    """A model that answers by itself, as often as it is asked."""

    answer: Callable[[ModelRequest], Reply]


Script = Iterable[Reply | Callable[[ModelRequest], Reply]] | Live


def say(text: str, *, usage: Mapping[str, int] | None = None) -> Reply:
    """Answer with text: the turn ends."""
    return Reply(text=text, usage=usage)


def call(tool: str, args: Any = None, /, *, text: str = "", **named: Any) -> Reply:
    """Ask for one tool call, arguments as a dict, as raw text or as keywords."""
    return calls((tool, named if args is None else args), text=text)


def calls(*wanted: tuple[str, Any], text: str = "", finish: Iterable[int] = ()) -> Reply:
    """Ask for several calls at once: ``calls(("read_file", {"path": "a"}), …)``."""
    return Reply(text=text, wanted=tuple(wanted), finish=tuple(finish))


def fail(status: int, text: str = "scripted failure") -> Reply:
    """Let the provider answer with an HTTP error: the turn ends without an answer."""
    return Reply(text=text, status=status)


def stop() -> Reply:
    """Let the person press stop during the request."""
    return Reply(stop=True)


class ScriptedModel:
    """Hand out the replies of a script, one per request, and number the tool calls.

    Raises:
        ScriptError: more requests than replies.
    """

    def __init__(self, script: Script, number: Callable[[], int]) -> None:
        self._live = script if isinstance(script, Live) else None
        self._script = [] if isinstance(script, Live) else list(script)
        self._number = number

    def answer(self, request: ModelRequest) -> tuple[Reply, tuple[ToolCall, ...]]:
        reply = self._live.answer(request) if self._live else self._next(request)
        return reply, tuple(self._call(name, args) for name, args in reply.wanted)

    def _next(self, request: ModelRequest) -> Reply:
        if not self._script:
            raise ScriptError("the model was asked once more than the script has replies")
        reply = self._script.pop(0)
        return reply if isinstance(reply, Reply) else reply(request)

    def _call(self, name: str, args: Any) -> ToolCall:
        return ToolCall(
            f"call_{self._number():04d}", name, args if isinstance(args, str) else json.dumps(args)
        )

    @property
    def left(self) -> int:
        return len(self._script)
