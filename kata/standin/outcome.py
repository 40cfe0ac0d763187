"""How Hermes guesses from a result whether a call went well (facts 3.3): wrong at times, in both directions."""

import json
from typing import Any

import attrs


@attrs.frozen
class Outcome:
    """What ``post_tool_call`` says beside the result."""

    status: str = "ok"
    error_type: str | None = None
    error_message: str | None = None


OK = Outcome()


def guess(tool_name: str, result: Any) -> Outcome:
    """Judge a result by its ``error``, its exit code, or the look of its first 500 characters."""
    parsed = _parsed(result)
    if isinstance(parsed, dict) and parsed.get("error"):
        return Outcome("error", "tool_error", str(parsed["error"]))
    if tool_name == "terminal":
        return _by_exit_code(parsed)
    return Outcome("error", "tool_error", "error") if _looks_failed(parsed, result) else OK


def _by_exit_code(parsed: Any) -> Outcome:
    code = parsed.get("exit_code") if isinstance(parsed, dict) else None
    return Outcome("error", "tool_error", f"exit {code}") if isinstance(code, int) and code else OK


def _looks_failed(parsed: Any, result: Any) -> bool:
    if isinstance(parsed, dict) and parsed.get("success") is False and parsed.get("message"):
        return True
    start = result[:500].lower() if isinstance(result, str) else ""
    return '"error"' in start or '"failed"' in start or start.startswith("error")


def _parsed(result: Any) -> Any:
    try:
        return json.loads(result) if isinstance(result, str) else result
    except ValueError:
        return None
