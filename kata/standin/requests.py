"""What the request hooks carry: the payloads of ``pre_api_request``, ``post_api_request`` and the error hooks."""

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs

from .model import ModelRequest, Reply, ToolCall

MODEL: Final = "scripted-1"
PROVIDER: Final = "custom"
BASE_URL: Final = "http://127.0.0.1:9/v1"
CONTEXT_LENGTH: Final = 200_000
CHARACTERS_PER_TOKEN: Final = 4
_REASONS: Final = {400: "format_error", 401: "auth", 429: "rate_limit"}
_ERRORS: Final = {400: "BadRequestError", 401: "AuthenticationError", 429: "RateLimitError"}


@attrs.frozen
class NormalizedResponse:
    """The answer as the hooks see it."""

    content: str | None
    tool_calls: list[ToolCall] | None
    finish_reason: str
    reasoning: str | None = None
    usage: Any = None


@attrs.frozen
class Ids:
    """The ids of one model request."""

    task_id: str
    turn_id: str
    api_request_id: str
    session_id: str


@attrs.frozen
class Exchange:
    """One model request on its way: everything that its hooks carry in common."""

    ids: Ids
    platform: str
    number: int
    started_at: float
    request: ModelRequest
    user_message: str
    history: Sequence[Mapping[str, Any]]
    system_prompt: str

    def before(self) -> dict[str, Any]:
        """Build the payload of ``pre_api_request``."""
        body = {"model": MODEL, "messages": list(self.request.messages), "tools": list(self.request.tools)}
        return {
            **self._common(),
            "user_message": self.user_message,
            "conversation_history": [dict(message) for message in self.history],
            "retry_count": 0,
            "request_messages": list(self.request.messages),
            "system_prompt": self.system_prompt,
            "message_count": len(self.request.messages),
            "tool_count": len(self.request.tools),
            "approx_input_tokens": self.characters // CHARACTERS_PER_TOKEN,
            "request_char_count": self.characters,
            "max_tokens": None,
            "started_at": self.started_at,
            "middleware_trace": [],
            "request": {"method": "POST", "body": body},
        }

    def after(self, reply: Reply, calls: Sequence[ToolCall]) -> dict[str, Any]:
        """Build the payload of ``post_api_request``."""
        ended_at = time.time()
        finish = "tool_calls" if calls else "stop"
        usage = self.usage(reply, calls)
        message = assistant_message(reply.text, calls)
        return {
            **self._common(),
            "api_duration": ended_at - self.started_at,
            "started_at": self.started_at,
            "ended_at": ended_at,
            "first_chunk_at": ended_at,
            "finish_reason": finish,
            "message_count": len(self.request.messages),
            "response_model": MODEL,
            "response": {
                "model": MODEL,
                "upstream_provider": None,
                "finish_reason": finish,
                "assistant_message": message,
                "usage": usage,
            },
            "usage": usage,
            "context_length": CONTEXT_LENGTH,
            "assistant_message": NormalizedResponse(reply.text or None, list(calls) or None, finish),
            "assistant_content_chars": len(reply.text),
            "assistant_tool_call_count": len(calls),
            "moa_references": None,
        }

    def failed(self, reply: Reply) -> dict[str, Any]:
        """Build the payload of ``api_request_error``."""
        ended_at = time.time()
        return {
            **self._common(),
            "api_duration": ended_at - self.started_at,
            "started_at": self.started_at,
            "ended_at": ended_at,
            "status_code": reply.status,
            "retry_count": 0,
            "max_retries": 1,
            "retryable": reply.status == 429 or reply.status >= 500,
            "reason": _REASONS.get(reply.status, "server_error"),
            "error": {"type": self._error_type(reply), "message": error_text(reply)},
            "request": {"method": "POST", "body": {"model": MODEL, "messages": list(self.request.messages)}},
        }

    def classified(self, reply: Reply) -> dict[str, Any]:
        """Build the payload of ``transform_api_error_classification``."""
        return {
            "provider": PROVIDER,
            "model": MODEL,
            "status_code": reply.status,
            "error_type": self._error_type(reply),
            "error_code": str(reply.status),
            "error_message": error_text(reply).lower(),
            "error_body": {"message": reply.text, "type": "scripted", "code": reply.status},
            "error": type(self._error_type(reply), (Exception,), {})(error_text(reply)),
            "approx_tokens": self.characters // CHARACTERS_PER_TOKEN,
            "context_length": CONTEXT_LENGTH,
            "num_messages": len(self.request.messages),
        }

    @property
    def characters(self) -> int:
        return len(json.dumps([self.request.messages, self.request.tools], default=str))

    def usage(self, reply: Reply, calls: Sequence[ToolCall]) -> dict[str, int]:
        """Count tokens: as scripted, or a quarter of the characters."""
        written = len(reply.text) + sum(len(call.name) + len(call.arguments) for call in calls)
        taken = self.characters // CHARACTERS_PER_TOKEN
        made = max(1, written // CHARACTERS_PER_TOKEN)
        counted = {
            "input_tokens": taken,
            "output_tokens": made,
            "cache_read_tokens": 0,
            "cache_write_tokens": 0,
            "reasoning_tokens": 0,
            "request_count": 1,
            "prompt_tokens": taken,
            "total_tokens": taken + made,
        }
        return {**counted, **(reply.usage or {})}

    def _common(self) -> dict[str, Any]:
        return {
            **attrs.asdict(self.ids),
            "platform": self.platform,
            "model": MODEL,
            "provider": PROVIDER,
            "base_url": BASE_URL,
            "api_mode": "chat_completions",
            "api_call_count": self.number,
        }

    @staticmethod
    def _error_type(reply: Reply) -> str:
        return _ERRORS.get(reply.status, "InternalServerError")


def error_text(reply: Reply) -> str:
    """Write the provider's error as the host shows it."""
    return f"Error code: {reply.status} - {{'error': {{'message': {reply.text!r}, 'code': {reply.status}}}}}"


def assistant_message(text: str, calls: Sequence[ToolCall]) -> dict[str, Any]:
    """Write an answer as a message of the conversation."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = [
            {
                "id": call.id,
                "call_id": call.id,
                "response_item_id": None,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in calls
        ]
    return message
