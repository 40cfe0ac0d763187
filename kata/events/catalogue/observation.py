"""What Hermes let Kata see. Values are masked and cut before they get here (design 7)."""

from datetime import datetime
from enum import StrEnum

import attrs

from ...json import JsonValue
from ..registry import event_type


class Outcome(StrEnum):
    """How a call ended, as Kata judges it from the structured result; the host's own word stands beside it."""

    OK = "ok"
    FAILED = "failed"
    BLOCKED = "blocked"
    CANCELLED = "cancelled"
    PENDING = "pending"
    UNKNOWN = "unknown"


@event_type("session.started")
@attrs.frozen(kw_only=True)
class SessionStarted:
    session_id: str
    platform: str
    model: str


@event_type("session.linked")
@attrs.frozen(kw_only=True)
class SessionLinked:
    """A session belongs to another one, or to a scheduled job: support counts the root (cases B005, B006).

    ``relation`` is ``compression``, ``delegate``, ``branch``, ``resume``, ``scheduled`` or ``unknown``.
    """

    session_id: str
    parent_session_id: str | None
    relation: str
    job: str | None = None


@event_type("session.finalized")
@attrs.frozen(kw_only=True)
class SessionFinalized:
    session_id: str
    platform: str
    reason: str


@event_type("session.reset")
@attrs.frozen(kw_only=True)
class SessionReset:
    session_id: str
    old_session_id: str | None
    reason: str


@event_type("turn.started")
@attrs.frozen(kw_only=True)
class TurnStarted:
    """A user's request reached the model: its text only as length (characters) and keyed fingerprint."""

    session_id: str
    turn_id: str
    platform: str
    model: str
    first: bool
    text_length: int
    text_fingerprint: str
    sender: str = ""


@event_type("turn.ended")
@attrs.frozen(kw_only=True)
class TurnEnded:
    session_id: str
    turn_id: str
    completed: bool
    failed: bool | None
    interrupted: bool
    exit_reason: str


@attrs.frozen(kw_only=True)
class AnnouncedCall:
    """One call that the model asked for, in its place; ``tool`` is the real name, bridges unwrapped."""

    call_id: str
    tool: str


@attrs.frozen(kw_only=True)
class Usage:
    """Tokens of one model request."""

    input_tokens: int
    output_tokens: int
    total_tokens: int


@event_type("model.answered")
@attrs.frozen(kw_only=True)
class ModelAnswered:
    """One model request came back: what it cost, and the calls it announced in order (cases B001, B002)."""

    session_id: str
    turn_id: str
    request_id: str
    model: str
    usage: Usage | None
    seconds: float | None
    finish_reason: str
    announced: tuple[AnnouncedCall, ...]


@event_type("tool.described")
@attrs.frozen(kw_only=True)
class ToolDescribed:
    """A live process sees a tool with a schema that the log does not have yet.

    ``schema`` is the tool's JSON Schema of parameters; ``digest`` its SHA-256 over canonical JSON.
    """

    tool: str
    schema: JsonValue
    digest: str
    toolset: str
    surface: str


@event_type("tool.returned")
@attrs.frozen(kw_only=True)
class ToolReturned:
    """One tool call ended.

    Attributes:
        result: Decoded JSON where the text is JSON, else the text.
        textual: The result is plain text.
        status: The host's own word (``ok``, ``error``, ``blocked``, …), empty where unknown.
        outcome: Kata's judgement.
        truncated: Some leaf of args or result was cut.
        masked: How many secrets were masked in args and result.
    """

    session_id: str
    turn_id: str
    request_id: str
    call_id: str
    task_id: str
    tool: str
    args: JsonValue
    result: JsonValue
    textual: bool
    status: str
    error_type: str | None
    outcome: Outcome
    exit_code: int | None
    duration_ms: int | None
    truncated: bool
    masked: int


@event_type("subagent.started")
@attrs.frozen(kw_only=True)
class SubagentStarted:
    session_id: str
    turn_id: str
    child_session_id: str
    role: str


@event_type("subagent.stopped")
@attrs.frozen(kw_only=True)
class SubagentStopped:
    session_id: str
    turn_id: str
    child_session_id: str
    role: str
    status: str
    calls: int
    duration_ms: int | None


@event_type("hook.observed")
@attrs.frozen(kw_only=True)
class HookObserved:
    """Any other hook: which system (``plugin``, ``gateway``, ``shell``), which name, masked scalar fields."""

    system: str
    name: str
    session_id: str
    fields: JsonValue


@event_type("recording.paused")
@attrs.frozen(kw_only=True)
class RecordingPaused:
    until: datetime | None
    note: str = ""


@event_type("recording.resumed")
@attrs.frozen(kw_only=True)
class RecordingResumed:
    note: str = ""


@event_type("observations.lost")
@attrs.frozen(kw_only=True)
class ObservationsLost:
    """Some observations could not be stored: how many, why, and where the damaged ones were set aside."""

    count: int
    reason: str
    set_aside: str = ""


@event_type("import.finished")
@attrs.frozen(kw_only=True)
class ImportFinished:
    """One source was imported: counts of what came in, and of what was left out by reason."""

    source: str
    form: str
    sessions: int
    calls: int
    left_out: JsonValue
