"""The names that Hermes 0.22 knows: hooks, middleware, commands."""

from typing import Final

TOOL_HOOKS: Final = ("pre_tool_call", "post_tool_call", "transform_terminal_output", "transform_tool_result")
TURN_HOOKS: Final = (
    "transform_llm_output",
    "pre_llm_call",
    "post_llm_call",
    "on_stream_start",
    "on_stream_delta",
    "on_stream_end",
    "on_interim_message",
    "pre_verify",
    "pre_api_request",
    "post_api_request",
    "api_request_error",
    "pre_auxiliary_call",
    "post_auxiliary_call",
    "transform_api_error_classification",
)
SESSION_HOOKS: Final = (
    "on_session_start",
    "on_session_end",
    "on_session_finalize",
    "on_session_reset",
    "on_skill_lifecycle",
    "subagent_start",
    "subagent_stop",
    "agent_loop_stopped",
    "pre_command",
)
HUMAN_HOOKS: Final = (
    "pre_approval_request",
    "post_approval_response",
    "on_human_input_request",
    "on_human_input_resolved",
)
OTHER_HOOKS: Final = (
    "pre_gateway_dispatch",
    "post_gateway_admission",
    "gateway_platform_event",
    "pre_transcription",
    "on_room_member_activity",
    "kanban_task_claimed",
    "kanban_task_completed",
    "kanban_task_blocked",
    "on_kanban_worker_spawned",
    "on_kanban_worker_exited",
    "on_kanban_worker_stale_claim",
    "on_kanban_task_updated",
    "on_kanban_dispatch_tick",
)
VALID_HOOKS: Final = frozenset(TOOL_HOOKS + TURN_HOOKS + SESSION_HOOKS + HUMAN_HOOKS + OTHER_HOOKS)

BOUNDED_HOOKS: Final = frozenset(
    {
        *TOOL_HOOKS,
        "transform_llm_output",
        "pre_llm_call",
        "post_llm_call",
        "pre_api_request",
        "post_api_request",
        "api_request_error",
        "pre_auxiliary_call",
        "post_auxiliary_call",
        "pre_verify",
        "on_session_start",
        "on_session_end",
        "post_gateway_admission",
    }
)
"""Hooks whose callbacks run on a worker thread with a time limit; all others run on the caller's thread."""

FAIL_CLOSED_HOOKS: Final = frozenset({"pre_tool_call"})
STREAM_HOOKS: Final = frozenset({"on_stream_start", "on_stream_delta", "on_stream_end", "on_interim_message"})
MIDDLEWARE: Final = frozenset({"tool_request", "tool_execution", "llm_request", "llm_execution"})

OBSERVER_SCHEMA: Final = "hermes.observer.v1"
"""What every hook carries as ``telemetry_schema_version``."""

BUILTIN_COMMANDS: Final = frozenset({
    "new", "reset", "clear", "help", "quit", "exit", "model", "plugins", "tools", "skills", "resume", "retry",
    "undo", "title", "status", "usage", "compress", "yolo", "stop", "config", "history", "save", "reload-mcp",
})  # fmt: skip

PARALLEL_SAFE_TOOLS: Final = frozenset({
    "read_file", "search_files", "session_search", "skill_view", "skills_list", "web_extract", "web_search",
    "vision_analyze", "tool_search", "tool_describe",
})  # fmt: skip
AGENT_LOOP_TOOLS: Final = frozenset({"todo_list", "memory", "session_search", "delegate_task"})
BRIDGE_TOOLS: Final = ("tool_search", "tool_describe", "tool_call")
LEGACY_TOOL_NAMES: Final = {
    "todo": "todo_list",
    "process": "process_manage",
    "cronjob": "cronjob_manage",
    "tour": "gui_tour",
    "tip": "show_tip",
}
