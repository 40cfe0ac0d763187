"""What is kept of a hook's keywords: masked scalars, and of texts their length and fingerprint (design 2)."""

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

from ..json import JsonValue
from ..redact import Keeper

TEXTS = frozenset(
    {
        "args",
        "args_raw",
        "assistant_response",
        "child_goal",
        "child_summary",
        "description",
        "error_message",
        "final_response",
        "last_assistant_message",
        "message",
        "output",
        "prompt",
        "response",
        "response_text",
        "result",
        "system_prompt",
        "text",
        "user_message",
    }
)
"""Keywords that hold what somebody wrote or a tool answered, however short it is."""

LONGEST_WORD = 200
"""Characters of the longest id, name or path; what is longer, or has a blank in it, is a text wherever it stands."""

LEFT_OUT = frozenset({"session_id", "telemetry_schema_version"})


def observed_fields(keywords: Mapping[str, Any], keeper: Keeper, *, texts: bool) -> dict[str, JsonValue]:
    """Return the scalars among a hook's keywords, secrets masked.

    A text is kept as ``<name>.length`` (characters) and ``<name>.fingerprint``, and itself only where ``texts`` are
    wanted. Lists, objects and numbers that JSON does not know are left out.
    """
    fields = {
        str(name): value for name, value in keywords.items() if name not in LEFT_OUT and _is_scalar(value)
    }
    shown = {name: value for name, value in fields.items() if texts or not _is_text(name, value)}
    hidden = {name: value for name, value in fields.items() if name not in shown}
    kept: dict[str, JsonValue] = keeper.keep(shown).value
    return kept | dict(_measured(hidden, keeper))


def session_of(keywords: Mapping[str, Any]) -> str:
    """Return the session that a hook fired in, empty for none."""
    names = ("session_id", "new_session_id", "parent_session_id")
    return next((plain_text(keywords[name]) for name in names if keywords.get(name)), "")


def plain_text(value: Any) -> str:
    """Return a value as text that every store takes: None is empty, a lone surrogate a question mark."""
    return "" if value is None else str(value).encode("utf-8", "replace").decode("utf-8")


def _is_scalar(value: Any) -> bool:
    return (
        value is None or isinstance(value, bool | int | str) or (isinstance(value, float) and isfinite(value))
    )


def _is_text(name: str, value: Any) -> bool:
    if not isinstance(value, str):
        return False
    return name in TEXTS or len(value) > LONGEST_WORD or any(map(str.isspace, value))


def _measured(texts: Mapping[str, str], keeper: Keeper) -> Iterator[tuple[str, JsonValue]]:
    for name, text in texts.items():
        yield f"{name}.length", len(text)
        yield f"{name}.fingerprint", keeper.fingerprint(text)
