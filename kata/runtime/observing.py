"""The hooks that no projection uses: with the setting ``observe: all`` each is an event all the same (design 2)."""

from collections.abc import Mapping
from typing import Any

from ..events import catalogue as told
from ..hooks.fields import observed_fields, session_of
from ..redact import Keeper

EXTRA_HOOKS: tuple[str, ...] = (
    "agent_loop_stopped",
    "api_request_error",
    "gateway_platform_event",
    "kanban_task_blocked",
    "kanban_task_claimed",
    "kanban_task_completed",
    "on_human_input_request",
    "on_human_input_resolved",
    "on_interim_message",
    "on_kanban_dispatch_tick",
    "on_kanban_task_updated",
    "on_kanban_worker_exited",
    "on_kanban_worker_spawned",
    "on_kanban_worker_stale_claim",
    "on_room_member_activity",
    "on_skill_lifecycle",
    "post_approval_response",
    "post_auxiliary_call",
    "post_gateway_admission",
    "post_llm_call",
    "pre_api_request",
    "pre_approval_request",
    "pre_auxiliary_call",
    "pre_command",
    "pre_gateway_dispatch",
    "pre_tool_call",
    "pre_transcription",
    "pre_verify",
    "transform_api_error_classification",
    "transform_llm_output",
    "transform_terminal_output",
    "transform_tool_result",
)
"""Every hook of the host without an event type of its own; the stream's parts (``on_stream_*``) would be one event a token."""


def extra_hooks(observe: str) -> tuple[str, ...]:
    """Return the hooks to observe besides the needed ones under the setting ``observe``."""
    return EXTRA_HOOKS if observe == "all" else ()


def hook_observed(
    name: str, keywords: Mapping[str, Any], keeper: Keeper, *, texts: bool
) -> told.HookObserved:
    """Build the event of one firing of a plugin hook."""
    return told.HookObserved(
        system="plugin",
        name=name,
        session_id=session_of(keywords),
        fields=observed_fields(keywords, keeper, texts=texts),
    )
