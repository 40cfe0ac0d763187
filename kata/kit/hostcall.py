"""Call a capability that Hermes keeps outside its tool registry, without going round anybody's policy."""

import json
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from . import host
from .envelope import encode
from .logs import log, milliseconds_since, safe_traceback

_HOST_TOOLS = {"send_message": ("tools.send_message_tool", "send_message_tool")}
_IDS = ("task_id", "session_id", "tool_call_id", "turn_id", "api_request_id")


@dataclass(frozen=True)
class Outcome:
    """What a guarded call came to, as Hermes tells its observers (row M6)."""

    text: str
    status: str = "ok"
    error_type: str | None = None
    error_message: str | None = None


def invoke_host_tool(name: str, args: dict[str, Any] | None = None, **context: Any) -> str:
    """Call a host-managed tool behind the same ``pre_tool_call`` guards as a call of the model's, and tell observers.

    Args:
        name: ``send_message`` is the one there is.
        args: The tool's arguments. A guard may change or block them; afterwards the dict holds what was used.
        context: The ids that a handler got (``session_id`` and so on).

    Returns:
        The host's JSON text, or ``{"error": …}`` when a guard blocks or the host raises.

    Raises:
        ValueError: The tool is not supported.
        TypeError: ``args`` is not a dict.
        RuntimeError: The host lacks the tool, or a guard to ask.
    """
    if name not in _HOST_TOOLS:
        raise ValueError(f"unsupported host tool {name!r}; supported: {', '.join(sorted(_HOST_TOOLS))}")
    args = {} if args is None else args
    if not isinstance(args, dict):
        raise TypeError("host tool args must be a dict")
    handler = host.host_tool(*_HOST_TOOLS[name])
    return guarded(
        name, args, context, lambda: handler(args, **context), failure=f"{name} host handler failed"
    )


def guarded(
    name: str, args: dict[str, Any], context: Mapping[str, Any], operation: Callable[[], Any], *, failure: str
) -> str:
    """Ask the guards, run the operation with the arguments as they left them, and tell observers what came of it."""
    ids = {key: str(context.get(key) or "") for key in _IDS}
    blocked, changed = host.ask_guards(name, args, ids)
    if changed is not None:
        args.clear()
        args.update(changed)
    started = time.perf_counter()
    if blocked is None:
        outcome = _judged(_run(name, operation, failure))
    else:
        outcome = Outcome(encode({"error": blocked}), "blocked", "plugin_block", blocked)
    _tell_observers(name, args, outcome, ids, 0 if blocked is not None else int(milliseconds_since(started)))
    return outcome.text


def failure_in(result: Any) -> str | None:
    """Return why a host result counts as unsuccessful, or ``None``."""
    if not isinstance(result, dict):
        return None
    if result.get("error") is not None:
        return str(result["error"])
    unsuccessful = result.get("success") is False or result.get("ok") is False
    return "host tool returned an unsuccessful result" if unsuccessful else None


def decoded(text: str) -> Any:
    """Decode a result; ``None`` when it is no JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def _run(name: str, operation: Callable[[], Any], failure: str) -> str:
    try:
        result = operation()
        return result if isinstance(result, str) else encode(result)
    except Exception as error:
        kind = type(error).__name__
        log.log(
            logging.ERROR, "%s: host operation raised; error_type=%s\n%s", name, kind, safe_traceback(error)
        )
        return encode({"error": f"{failure}: {kind}"})


def _judged(text: str) -> Outcome:
    reason = failure_in(decoded(text))
    return Outcome(text) if reason is None else Outcome(text, "error", "host_tool_error", reason)


def _tell_observers(
    name: str, args: dict[str, Any], outcome: Outcome, ids: dict[str, str], duration_ms: int
) -> None:
    try:
        host.notify_observers(
            tool_name=name,
            args=args,
            result=outcome.text,
            duration_ms=duration_ms,
            status=outcome.status,
            error_type=outcome.error_type,
            error_message=outcome.error_message,
            middleware_trace=[],
            **ids,
        )
    except Exception:
        log.warning("%s: post_tool_call observers failed", name, exc_info=True)
