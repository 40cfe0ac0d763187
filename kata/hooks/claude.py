"""Claude Code's hooks: no plugin watches there, so its calls become the observations that finding reads (design 2)."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..clock import SystemIds, derived_id
from ..json import JsonError, JsonValue, loads
from ..redact import Keeper
from .fields import observed_fields, plain_text
from .notes import forget_turn, note_turn, turn_of
from .record import CLAUDE, Told, stream_of

PLATFORM = "claude-code"
Given = Mapping[str, JsonValue]


class Desk(NamedTuple):
    """What every event needs: the data folder, the keeper of values, and whether texts are kept."""

    data: Path
    keeper: Keeper
    texts: bool


def claude_events(given: Given, desk: Desk) -> list[Told]:
    """Return the events of one firing, by its ``hook_event_name``."""
    session = f"{PLATFORM}:{plain_text(given.get('session_id'))}"
    make = _FORMS.get(str(given["hook_event_name"]), _other)
    return list(make(given, session, desk))


def _session_started(given: Given, session: str, desk: Desk) -> Iterator[Told]:
    del desk
    if given.get("source") not in ("resume", "compact"):
        model = plain_text(given.get("model"))
        yield _told("session.started", session, {"platform": PLATFORM, "model": model})


def _session_ended(given: Given, session: str, desk: Desk) -> Iterator[Told]:
    forget_turn(desk.data, session)
    reason = plain_text(given.get("reason"))
    yield _told("session.finalized", session, {"platform": PLATFORM, "reason": reason})


def _prompted(given: Given, session: str, desk: Desk) -> Iterator[Told]:
    yield _begun(given, session, plain_text(given.get("prompt")), desk)


def _begun(given: Given, session: str, prompt: str, desk: Desk) -> Told:
    first, turn = not turn_of(desk.data, session), f"{session}:{SystemIds().new()}"
    note_turn(desk.data, session, turn.rpartition(":")[2])
    payload: dict[str, JsonValue] = {
        "turn_id": turn,
        "platform": PLATFORM,
        "model": plain_text(given.get("model")),
        "first": first,
        "text_length": len(prompt),
        "text_fingerprint": desk.keeper.fingerprint(prompt),
        "sender": "",
    }
    return _told("turn.started", session, payload, turn)


def _returned(given: Given, session: str, desk: Desk) -> Iterator[Told]:
    """A call whose turn nobody told of begins one: calls outside a turn are no history."""
    if not turn_of(desk.data, session):
        yield _begun(given, session, "", desk)
    yield _call(given, session, f"{session}:{turn_of(desk.data, session)}", desk)


def _call(given: Given, session: str, turn: str, desk: Desk) -> Told:
    args = given.get("tool_input")
    kept_args = desk.keeper.keep(args if isinstance(args, dict) else {})
    result = _decoded(given.get("error") if _failed(given) else given.get("tool_response"))
    kept = desk.keeper.keep(result)
    call = plain_text(given.get("tool_use_id"))
    payload: dict[str, JsonValue] = {
        "turn_id": turn,
        "request_id": f"{turn}:{call or SystemIds().new()}",
        "call_id": call,
        "task_id": "",
        "tool": plain_text(given.get("tool_name")),
        "args": kept_args.value,
        "result": kept.value,
        "textual": isinstance(result, str),
        "status": "error" if _failed(given) else "ok",
        "error_type": None,
        "outcome": _outcome(given),
        "exit_code": None,
        "duration_ms": None,
        "truncated": kept_args.truncated or kept.truncated,
        "masked": len(kept_args.masked) + len(kept.masked),
    }
    event_id = derived_id(PLATFORM, session, call, "tool.returned") if call else ""
    return _told("tool.returned", session, payload, turn)._replace(event_id=event_id)


def _failed(given: Given) -> bool:
    response = given.get("tool_response")
    if given["hook_event_name"] == "PostToolUseFailure":
        return True
    return isinstance(response, dict) and (
        response.get("is_error") is True or response.get("success") is False
    )


def _outcome(given: Given) -> str:
    response = given.get("tool_response")
    interrupted = given.get("is_interrupt") is True or (
        isinstance(response, dict) and response.get("interrupted") is True
    )
    return "cancelled" if interrupted else "failed" if _failed(given) else "ok"


def _decoded(answer: JsonValue) -> JsonValue:
    """Return JSON where a text holds an object or a list, as the plugin does with Hermes' answers."""
    if not isinstance(answer, str):
        return answer
    try:
        value = loads(answer)
    except JsonError:
        return answer
    return value if isinstance(value, dict | list) else answer


def _stopped(given: Given, session: str, desk: Desk) -> Iterator[Told]:
    del given
    noted = turn_of(desk.data, session)
    if noted:
        turn = f"{session}:{noted}"
        ended: dict[str, JsonValue] = {
            "turn_id": turn,
            "completed": True,
            "failed": None,
            "interrupted": False,
            "exit_reason": "stop",
        }
        yield _told("turn.ended", session, ended, turn)


def _other(given: Given, session: str, desk: Desk) -> Iterator[Told]:
    fields = observed_fields({**given, "hook_event_name": None}, desk.keeper, texts=desk.texts)
    fields.pop("hook_event_name")
    observed: dict[str, Any] = {"name": plain_text(given["hook_event_name"]), "session_id": session}
    payload = {"system": "shell", **observed, "fields": fields}
    yield Told("hook.observed", payload, CLAUDE, stream_of(session))


_FORMS: Mapping[str, Callable[[Given, str, Desk], Iterator[Told]]] = {
    "SessionStart": _session_started,
    "SessionEnd": _session_ended,
    "UserPromptSubmit": _prompted,
    "PostToolUse": _returned,
    "PostToolUseFailure": _returned,
    "Stop": _stopped,
}


def _told(kind: str, session: str, payload: dict[str, JsonValue], turn: str = "") -> Told:
    return Told(kind, {"session_id": session, **payload}, CLAUDE, stream_of(session), turn)
