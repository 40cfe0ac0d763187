"""Call a capability that Hermes keeps outside its tool registry, without going round anybody's policy."""

import json
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from . import host
from .envelope import encode
from .logs import log, milliseconds_since, safe_traceback

_HOST_TOOLS = {"send_message": ("tools.send_message_tool", "send_message_tool")}
_IDS = ("task_id", "session_id", "tool_call_id", "turn_id", "api_request_id")


@dataclass(frozen=True)
class HostAnswer:
    """What a guarded call came to.

    Attributes:
        text: The result, as JSON text.
        args: The arguments that were used, as a guard may have changed them.
        status: ``ok``, ``error`` or ``blocked``, as Hermes tells its observers (row M6).
    """

    text: str
    args: Mapping[str, Any] = field(default_factory=dict)
    status: str = "ok"
    error_type: str | None = None
    error_message: str | None = None


def invoke_host_tool(name: str, args: dict[str, Any] | None = None, **context: Any) -> str:
    """Call a host-managed tool behind the same ``pre_tool_call`` guards as a call of the model's, and tell observers.

    Args:
        name: ``send_message`` is the one there is.
        args: The tool's arguments; a guard may change or block them.
        context: The ids that a handler got (``session_id`` and so on).

    Returns:
        The host's JSON text, or ``{"error": …}`` when a guard blocks or the host raises.

    Raises:
        ValueError: The tool is not supported.
        TypeError: ``args`` is not a dict.
        RuntimeError: The host lacks the tool, or a guard to ask.
    """
    return call_host_tool(name, args, context).text


def call_host_tool(name: str, args: dict[str, Any] | None, context: dict[str, Any]) -> HostAnswer:
    """Do what ``invoke_host_tool`` does, and tell also which arguments were used."""
    if name not in _HOST_TOOLS:
        raise ValueError(f"unsupported host tool {name!r}; supported: {', '.join(sorted(_HOST_TOOLS))}")
    args = {} if args is None else args
    if not isinstance(args, dict):
        raise TypeError("host tool args must be a dict")
    handler = host.host_tool(*_HOST_TOOLS[name])
    return guarded(
        name, args, context, lambda used: handler(used, **context), failure=f"{name} host handler failed"
    )


def guarded(
    name: str,
    args: dict[str, Any],
    context: dict[str, Any],
    operation: Callable[[dict[str, Any]], Any],
    *,
    failure: str,
) -> HostAnswer:
    """Ask the guards, run the operation with the arguments they left, and tell observers what came of it."""
    ids = {key: str(context.get(key) or "") for key in _IDS}
    blocked, changed = host.ask_guards(name, args, ids)
    used = args if changed is None else changed
    started = time.perf_counter()
    if blocked is None:
        answer = _judged(_run(name, used, operation, failure))
    else:
        answer = HostAnswer(
            encode({"error": blocked}), status="blocked", error_type="plugin_block", error_message=blocked
        )
    answer = replace(answer, args=used)
    _tell_observers(name, answer, ids, 0 if blocked is not None else int(milliseconds_since(started)))
    return answer


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


def _run(name: str, args: dict[str, Any], operation: Callable[[dict[str, Any]], Any], failure: str) -> str:
    try:
        result = operation(args)
        return result if isinstance(result, str) else encode(result)
    except Exception as error:
        kind = type(error).__name__
        log.log(
            logging.ERROR, "%s: host operation raised; error_type=%s\n%s", name, kind, safe_traceback(error)
        )
        return encode({"error": f"{failure}: {kind}"})


def _judged(text: str) -> HostAnswer:
    reason = failure_in(decoded(text))
    if reason is None:
        return HostAnswer(text)
    return HostAnswer(text, status="error", error_type="host_tool_error", error_message=reason)


def _tell_observers(name: str, answer: HostAnswer, ids: dict[str, str], duration_ms: int) -> None:
    try:
        host.notify_observers(
            tool_name=name,
            args=answer.args,
            result=answer.text,
            duration_ms=duration_ms,
            status=answer.status,
            error_type=answer.error_type,
            error_message=answer.error_message,
            middleware_trace=[],
            **ids,
        )
    except Exception:
        log.warning("%s: post_tool_call observers failed", name, exc_info=True)
