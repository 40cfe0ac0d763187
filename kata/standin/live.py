"""An agent whose model is a server: what a hook gets that asks the host's ``run_agent`` for one."""

import json
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any, Final

from .model import Live, ModelRequest, Reply, fail
from .settings import Settings

if TYPE_CHECKING:
    from .host import StandIn

_PATIENCE_S: Final = 60


def endpoint(settings: Settings) -> dict[str, Any]:
    """Resolve where the configured model is served, and the key for it (the ``model`` block)."""
    keys = ("provider", "base_url", "api_key")
    return {key: settings.get(f"model.{key}", "") for key in keys}


class LiveAgent:
    """A one-shot agent against an OpenAI-compatible server; ``run_conversation`` drives it to its answer."""

    def __init__(
        self,
        host: "StandIn",
        *,
        model: str = "",
        base_url: str = "",
        api_key: str = "",
        platform: str = "",
        max_iterations: int = 90,
        **_options: Any,
    ) -> None:
        self._chat = host.conversation(platform=platform, mode="unattended", max_iterations=max_iterations)
        self._model = model
        self._url = f"{base_url.rstrip('/')}/chat/completions"
        self._headers = {"Content-Type": "application/json", "Authorization": f"Bearer {api_key}"}

    def run_conversation(self, prompt: str) -> dict[str, Any]:
        """Run one turn; return the answer, whether it was completed, and the messages."""
        result = self._chat.turn(prompt, Live(self._ask))
        return {
            "final_response": result.answer,
            "completed": result.completed,
            "api_calls": len(result.requests),
            "messages": self._chat.session.messages,
        }

    def _ask(self, request: ModelRequest) -> Reply:
        body = {"model": self._model, "messages": list(request.messages), "tools": list(request.tools)}
        posted = urllib.request.Request(self._url, json.dumps(body).encode(), self._headers)  # noqa: S310 - the user's
        try:
            with urllib.request.urlopen(posted, timeout=_PATIENCE_S) as answer:  # noqa: S310 - own configuration
                return _reply(json.load(answer))
        except urllib.error.HTTPError as error:
            return fail(error.code, str(error.reason))


def _reply(answer: dict[str, Any]) -> Reply:
    message = answer["choices"][0]["message"]
    wanted = [call["function"] for call in message.get("tool_calls") or ()]
    return Reply(message.get("content") or "", tuple((each["name"], each["arguments"]) for each in wanted))
