"""How one call ended, judged from what the tool answered and never from words inside its output (design 8).

The same judgement is made of a recorded call (by the runtime) and of a step of a run, so that what was learned as a
success is what a run accepts as one (cases B015, B018, B024).
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from ..events.catalogue import Outcome
from ..json import JsonObject, JsonValue

TOOL_ERROR = "[TOOL_ERROR]"
"""What the host puts at the beginning of the text of a handler that raised."""

HOST_REFUSAL = "BLOCKED"
"""What the host's own guards begin the ``error`` of a refused call with."""

UNATTENDED_WORDS = ("approvals.", "without a user present", "no interactive user")
"""Words of the host's refusals when nobody could be asked; they name the setting that governs it."""

DENIAL_WORDS = ("denied", "without user response", "timed out")
"""Words of the host's refusals when a person was asked."""

HARMLESS_MEANINGS = ("not an error", "no matches found", "files differ", "condition evaluated to false")
"""The host's words for an exit code that is an ordinary answer; its other meanings explain a real failure."""

_STATUS: Mapping[str, Outcome] = {
    "pending_approval": Outcome.PENDING,
    "approval_required": Outcome.PENDING,
    "blocked": Outcome.BLOCKED,
    "denied": Outcome.BLOCKED,
    "refused": Outcome.BLOCKED,
    "error": Outcome.FAILED,
    "failed": Outcome.FAILED,
    "failure": Outcome.FAILED,
    "degraded": Outcome.FAILED,
    "timeout": Outcome.UNKNOWN,
    "timed_out": Outcome.UNKNOWN,
    "interrupted": Outcome.CANCELLED,
}
_HOST_STATUS: Mapping[str, Outcome] = {
    "blocked": Outcome.BLOCKED,
    "cancelled": Outcome.CANCELLED,
    "timeout": Outcome.UNKNOWN,
}
_HEURISTIC_ERROR = (None, "", "tool_error")
_TIMED_OUT = 124
_DECODER = json.JSONDecoder()
_TELLING = frozenset(
    {"approval_pending", "error", "exit_code", "guardrail_refusal", "isError", "ok", "result"}
    | {"stale_write_blocked", "status", "success"}
)
"""The keys that any rule looks at: a result with none of them is a success."""
_WRAPPER = frozenset({"result", "structuredContent", "_meta"})
_REASON_LENGTH = 300


@attrs.frozen
class Judgement:
    """How a call ended.

    Attributes:
        outcome: The outcome; only `Outcome.OK` is a success.
        reason: Why not, in one short line; empty for a success. May hold what the tool said: mask it before storing.
        exit_code: The exit code, where the result has one.
        refusal: For a refused call: ``denied`` (a person, or nobody in time), ``unattended`` (nobody could be asked) or
            ``guard`` (a rule of the host).
    """

    outcome: Outcome
    reason: str = ""
    exit_code: int | None = None
    refusal: str = ""

    @property
    def ok(self) -> bool:
        """Tell whether the call did its work."""
        return self.outcome is Outcome.OK


OK = Judgement(Outcome.OK)
Rule = Callable[[JsonObject], Judgement | None]


def judge(result: Any, accepts: tuple[int, ...] | None = None) -> Judgement:
    """Judge what a tool answered: its text, or the value that was decoded from it.

    ``accepts`` are the exit codes that a run may end with; None (a recorded call) accepts 0. The host's own meaning of a
    code ("not an error") accepts it as well. Sources: design 8, cases B015, B018, B024.
    """
    value = first_value(result) if isinstance(result, str) else result
    if isinstance(value, str):
        return _of_text(value)
    if not isinstance(value, dict):
        return OK
    return _of_object(value, (0,) if accepts is None else accepts)


def judge_recorded(result: Any, status: str = "", error_type: str | None = None) -> Judgement:
    """Judge a recorded call: the host's word counts where the host knows, its guess from words in the text does not.

    The host says ``blocked``, ``cancelled`` and ``timeout`` for certain, and names a particular ``error_type`` for certain;
    ``error`` with ``tool_error`` or none is a guess that also hits ``"error": null`` (case B024, B012).
    """
    if status in _HOST_STATUS:
        return Judgement(_HOST_STATUS[status], f"the host says {status}")
    if status == "error" and error_type not in _HEURISTIC_ERROR:
        return Judgement(Outcome.FAILED, f"the host says {error_type}")
    if status == "error" and isinstance(result, str) and result.startswith("Error"):
        return Judgement(Outcome.FAILED, _short(result))
    return judge(result)


def first_value(text: str) -> JsonValue:
    """Decode the JSON value that a text begins with (hints may follow it); plain text stays as it is."""
    start = text.lstrip()
    if start[:1] not in ("{", "[", '"'):
        return text
    try:
        value, _ = _DECODER.raw_decode(start)
    except (ValueError, RecursionError):
        return text
    return first_value(value) if isinstance(value, str) and start.rstrip().endswith('"') else value


def _of_text(text: str) -> Judgement:
    if text.startswith(TOOL_ERROR):
        return Judgement(Outcome.FAILED, _short(text))
    return OK


def _of_object(value: dict[str, Any], accepts: tuple[int, ...]) -> Judgement:
    if _TELLING.isdisjoint(value):
        return OK
    code = _exit_code(value)
    ruled = next((found for rule in _RULES if (found := rule(value)) is not None), None)
    found = ruled or _of_exit_code(value, code, accepts) or _of_wrapped(value, accepts) or OK
    return found if code is None else attrs.evolve(found, exit_code=code)


def _pending(value: JsonObject) -> Judgement | None:
    if value.get("approval_pending") is True or _status(value) is Outcome.PENDING:
        return Judgement(Outcome.PENDING, "approval pending")
    return None


def _refused(value: JsonObject) -> Judgement | None:
    marked = any(value.get(mark) is True for mark in ("guardrail_refusal", "stale_write_blocked"))
    if marked or _status(value) is Outcome.BLOCKED or _error_text(value).startswith(HOST_REFUSAL):
        return Judgement(
            Outcome.BLOCKED,
            _reason(value, "the host refused the call"),
            refusal=_refusal(value, marked=marked),
        )
    return None


def _refusal(value: JsonObject, *, marked: bool) -> str:
    """Tell a person's denial from nobody to ask and from a rule: the status says that, the text only which of them."""
    text = _error_text(value)
    if any(words in text for words in UNATTENDED_WORDS):
        return "unattended"
    asked = "user_summary" in value or any(words in text for words in DENIAL_WORDS)
    return "denied" if asked and not marked else "guard"


def _uncertain(value: JsonObject) -> Judgement | None:
    status = _status(value)
    if status is Outcome.UNKNOWN or status is Outcome.CANCELLED:
        return Judgement(status, _reason(value, f"the tool says {value['status']}"))
    return None


def _error(value: JsonObject) -> Judgement | None:
    if value.get("error"):
        return Judgement(Outcome.FAILED, _short(_error_text(value)))
    if value.get("success") is False or value.get("ok") is False or value.get("isError") is True:
        return Judgement(Outcome.FAILED, _reason(value, "the tool says that it did not succeed"))
    if _status(value) is Outcome.FAILED:
        return Judgement(Outcome.FAILED, _reason(value, f"the tool says {value['status']}"))
    return None


_RULES: tuple[Rule, ...] = (_pending, _refused, _uncertain, _error)


def _of_exit_code(value: JsonObject, code: int | None, accepts: tuple[int, ...]) -> Judgement | None:
    if code is None or code in accepts or _harmless(value):
        return None
    outcome = Outcome.UNKNOWN if code == _TIMED_OUT else Outcome.FAILED
    return Judgement(outcome, _short(_exit_reason(value, code)), code)


def _exit_reason(value: JsonObject, code: int) -> str:
    meaning = value.get("exit_code_meaning")
    return f"exit code {code} ({meaning})" if isinstance(meaning, str) and meaning else f"exit code {code}"


def _harmless(value: JsonObject) -> bool:
    meaning = value.get("exit_code_meaning")
    return isinstance(meaning, str) and any(words in meaning.lower() for words in HARMLESS_MEANINGS)


def _exit_code(value: JsonObject) -> int | None:
    code = value.get("exit_code")
    return code if isinstance(code, int) and not isinstance(code, bool) else None


def _status(value: JsonObject) -> Outcome | None:
    """Read the status word, unless the tool says outright that it succeeded (then it is a word of the tool's own world)."""
    status = value.get("status")
    if not isinstance(status, str) or value.get("success") is True or value.get("ok") is True:
        return None
    return _STATUS.get(status.lower())


def _of_wrapped(value: JsonObject, accepts: tuple[int, ...]) -> Judgement | None:
    """Judge what a tool wrapped in a lone ``result``, so that a nested error is seen (case B015)."""
    return judge(value["result"], accepts) if "result" in value and value.keys() <= _WRAPPER else None


def _error_text(value: JsonObject) -> str:
    error = value.get("error")
    if isinstance(error, str):
        return error
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        return str(error["message"])
    return json.dumps(error) if error else ""


def _reason(value: JsonObject, otherwise: str) -> str:
    for key in ("error", "user_summary", "message", "reason", "description"):
        text = _error_text(value) if key == "error" else value.get(key)
        if isinstance(text, str) and text:
            return _short(text)
    return otherwise


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _REASON_LENGTH else line[: _REASON_LENGTH - 1] + "…"
