"""Hermes' own hooks outside the plugin: the shell's JSON and the gateway's context, as ``hook.observed``.

Never ``tool.returned`` or another type that a projection counts: those the plugin tells itself, so a call is counted once,
whichever other hooks tell of it as well.
"""

from collections.abc import Mapping
from typing import Any

from ..clock import derived_id
from ..json import JsonValue
from ..redact import Keeper
from .fields import observed_fields, plain_text, session_of
from .record import HERMES, Told, stream_of

ONCE_A_CALL = frozenset({"pre_tool_call", "post_tool_call", "transform_tool_result"})
"""Hooks that fire once a tool call: two reports of one firing get one id."""


def shell_event(given: Mapping[str, JsonValue], keeper: Keeper, *, texts: bool) -> Told:
    """Build the event of a shell hook from Hermes' JSON (``hook_event_name``, ``tool_name``, ``extra``, …)."""
    extra = given.get("extra")
    keywords: dict[str, Any] = {
        name: given[name] for name in ("tool_name", "cwd", "profile") if given.get(name)
    }
    keywords |= extra if isinstance(extra, dict) else {}
    keywords["session_id"] = given.get("session_id")
    name = plain_text(given["hook_event_name"])
    return _observed("shell", name, keywords, keeper, texts=texts)._replace(event_id=_id_of(name, keywords))


def gateway_event(name: str, context: Mapping[str, Any], keeper: Keeper, *, texts: bool) -> Told:
    """Build the event of a gateway hook from its name and context."""
    return _observed("gateway", name, context, keeper, texts=texts)


def _observed(system: str, name: str, keywords: Mapping[str, Any], keeper: Keeper, *, texts: bool) -> Told:
    session = session_of(keywords)
    payload: dict[str, JsonValue] = {
        "system": system,
        "name": name,
        "session_id": session,
        "fields": observed_fields(keywords, keeper, texts=texts),
    }
    return Told("hook.observed", payload, HERMES, stream_of(session), plain_text(keywords.get("turn_id")))


def _id_of(name: str, keywords: Mapping[str, Any]) -> str:
    """Derive the id from session, request, call and hook; providers number calls anew in each request."""
    call = plain_text(keywords.get("tool_call_id"))
    if name not in ONCE_A_CALL or not call:
        return ""
    return derived_id("shell", session_of(keywords), plain_text(keywords.get("api_request_id")), call, name)
