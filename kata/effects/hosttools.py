"""Hermes' own tools, and those of other coding agents, by what they do.

A tool whose class hangs on one argument (``action``) has a table of that argument's values; a value that is not in it is
unknown.
"""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from .classes import EXTERNAL, LOCAL_WRITE, NETWORK_READ, READ, UNKNOWN, Effect

ByArgument: TypeAlias = tuple[str, Mapping[str, Effect]]
"""The argument that decides, and the class for each of its values."""


def _by(argument: str, **lines: str) -> ByArgument:
    return argument, {value: Effect(effect) for effect, line in lines.items() for value in line.split()}


def _each(effect: Effect, names: str) -> Iterator[tuple[str, Effect]]:
    return ((name, effect) for name in names.split())


PLAIN: dict[str, Effect] = {
    **dict(
        _each(
            READ,
            "read_file search_files session_search skills_list skill_view read_terminal read_window_below kanban_show kanban_list"
            " kanban_attachments a2a_history a2a_list tool_search tool_describe kata_list Read Glob Grep LS NotebookRead TodoRead list_dir"
            " view_image",
        )
    ),
    **dict(
        _each(
            NETWORK_READ,
            "web_search web_extract x_search vision_analyze video_analyze browser_navigate browser_snapshot browser_scroll browser_back"
            " browser_get_images browser_vision feishu_doc_read feishu_drive_list_comments feishu_drive_list_comment_replies"
            " yb_query_group_info yb_query_group_members yb_search_sticker mqtt_subscribe_recent a2a_discover WebSearch WebFetch",
        )
    ),
    **dict(
        _each(
            LOCAL_WRITE,
            "write_file patch skill_manage memory todo_list todo set_theme Write Edit MultiEdit NotebookEdit TodoWrite apply_patch"
            " update_plan",
        )
    ),
    **dict(
        _each(
            EXTERNAL,
            "browser_click browser_type browser_press browser_dialog image_generate video_generate xai_video_edit xai_video_extend"
            " text_to_speech clarify kanban_attach kanban_attach_url kanban_block kanban_comment kanban_complete kanban_create"
            " kanban_heartbeat kanban_link kanban_request_changes kanban_request_review kanban_schedule kanban_unblock mqtt_publish"
            " mqtt_device_command a2a_call a2a_orchestrate yb_send_dm yb_send_sticker feishu_drive_add_comment"
            " feishu_drive_reply_comment react_to_message focus_pane close_terminal show_tip tip gui_tour tour annotate_preview"
            " setup_beat AskUserQuestion",
        )
    ),
}

BY_ARGUMENT: dict[str, ByArgument] = {
    "process_manage": _by(
        "action", read="list poll log wait", external="kill close handoff", unknown="write submit"
    ),
    "process": _by(
        "action", read="list poll log wait", external="kill close handoff", unknown="write submit"
    ),
    "cronjob_manage": _by("action", read="list", external="create update pause resume remove run"),
    "cronjob": _by("action", read="list", external="create update pause resume remove run"),
    "browser_vault": _by("action", read="list", external="fill save_login enter_code unlock"),
    "computer_use": _by(
        "action",
        read="capture wait list_apps list_windows",
        external="click double_click right_click middle_click drag scroll type key set_value focus_app",
    ),
    "desktop_preview": _by("action", read="read", network_read="open", external="close"),
    "desktop_project": _by("action", read="list", external="create switch"),
    "drive_preview": _by(
        "action",
        read="elements scroll",
        network_read="back forward reload",
        external="click hover type press strobe",
    ),
    "discord": _by("action", network_read="search_members fetch_messages", external="create_thread"),
    "discord_admin": _by(
        "action",
        network_read="list_guilds server_info list_channels channel_info list_roles member_info list_pins",
        external="pin_message unpin_message delete_message add_role remove_role",
    ),
    "manage_catalog": _by("action", network_read="search", unknown="install"),
    "manage_connections": _by(
        "action",
        network_read="display status",
        external="connect reconnect rename enable authorize",
        unknown="install",
    ),
    "delegate_task": _by("action", read="list", external="stop", unknown="spawn steer"),
}


def tool_effect(tool: str, args: Mapping[str, object]) -> Effect:
    """Look a tool up; one that no table holds (an MCP server's, a plugin's) is unknown."""
    if tool in BY_ARGUMENT:
        argument, classes = BY_ARGUMENT[tool]
        return classes.get(str(args.get(argument)), UNKNOWN)
    if tool == "browser_console":
        return UNKNOWN if args.get("expression") else NETWORK_READ
    return PLAIN.get(tool, UNKNOWN)
