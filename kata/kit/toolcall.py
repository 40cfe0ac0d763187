"""Follow one call of a tool: its check, its log lines, and the text it answers with."""

import logging
import secrets
import time
from collections.abc import Mapping
from typing import Any, Protocol

from .arguments.forms import Arguments, Rejection
from .envelope import ToolError, escape_failure_words, failure, failure_of, success
from .logs import Lazy, context_of, milliseconds_since, safe_traceback
from .redact import preview, redact_text, secrets_in


class CalledTool(Protocol):
    """What a call needs to know of its tool."""

    arguments: Arguments
    log: logging.Logger
    warned: bool

    @property
    def spec(self) -> Any:
        """Return the tool's specification."""

    def narrowed(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Keep what the handler takes of the host's context."""


class ToolCall:
    """One call: begun, then rejected or bound, then answered or failed. Always ends in text."""

    def __init__(self, tool: CalledTool, args: Any, context: dict[str, Any]) -> None:
        self._tool, self._spec = tool, tool.spec
        self._args, self._context = args or {}, context
        self._started = time.perf_counter()
        self._shown = Lazy(lambda: preview(self._args))
        tool.log.debug("%s: invoked; args=%s; context=%s", self._spec.name, self._shown, context_of(context))

    def rejected(self) -> str | None:
        """Return the answer to a call that does not reach the handler, or ``None``."""
        rejection = self._rejection()
        if rejection is None:
            return None
        self._note(logging.WARNING, f"rejected call, {rejection.logged}", "args=%s", self._shown)
        return failure(rejection.message, problems=rejection.problems or None)

    def bound(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the handler's positional and keyword arguments."""
        return self._tool.arguments.bind(self._args, self._tool.narrowed(self._context))

    def answered(self, value: Any) -> str:
        """Return the answer of a handler that returned; text is taken as already encoded."""
        encoded = value if isinstance(value, str) else self._encoded(value)
        limit = self._spec.max_result_chars
        if limit is not None and len(encoded) > limit:
            raise ToolError(f"the result has {len(encoded)} characters, more than {limit}", code="too_long")
        self._note(
            logging.INFO,
            "ok",
            "result=%s",
            "encoded_string" if isinstance(value, str) else type(value).__name__,
        )
        return encoded

    def failed(self, error: Exception) -> str:
        """Return the answer of a handler that raised; the log keeps the traceback under the same reference."""
        known = secrets_in(self._args)
        message = redact_text(str(error), known)
        if isinstance(error, ToolError):
            self._note(logging.WARNING, "handler refused", "error=%s", message)
            return failure_of(error)
        reference = secrets.token_hex(4)
        trace = safe_traceback(error, known)
        self._note(logging.ERROR, "handler raised", "error=%s; reference=%s\n%s", message, reference, trace)
        return failure(f"{self._spec.name} failed: {message}", reference=reference)

    def _rejection(self) -> Rejection | None:
        if not isinstance(self._args, Mapping):
            return Rejection(
                f"arguments must be an object, not {type(self._args).__name__}", "arguments are no object"
            )
        return self._tool.arguments.rejection(self._args)

    def _encoded(self, value: Any) -> str:
        plain = success(value)
        escaped = escape_failure_words(plain)
        if escaped != plain and not self._tool.warned:
            self._tool.warned = True
            self._tool.log.warning(
                "%s: its result holds 'error' or 'failed', by which Hermes takes it for a failure; "
                "escaped here, better renamed",
                self._spec.name,
            )
        return escaped

    def _note(self, level: int, outcome: str, what: str, *values: object) -> None:
        elapsed = milliseconds_since(self._started)
        record = {"kit": {"name": self._spec.name, "outcome": outcome, "elapsed_ms": elapsed}}
        text = Lazy(lambda: what % values)
        self._tool.log.log(
            level, "%s: %s; elapsed_ms=%.2f; %s", self._spec.name, outcome, elapsed, text, extra=record
        )
