"""``/kata`` and ``hermes kata``: the host's side of the surfaces."""

import os
from typing import TYPE_CHECKING, Any

from ..errors import KataError
from ..surfaces import fences
from ..surfaces.actors import Chat
from ..surfaces.cli import run_cli, set_up
from ..surfaces.slash import run_slash
from ..surfaces.text import say

if TYPE_CHECKING:
    from .plugin import Plugin

HINT = "review 2 | approve 2 as name | runs | audit | help"


def register_commands(plugin: "Plugin") -> None:
    """Register both commands with the plugin's context."""
    commands = Commands(plugin)
    ctx = plugin.ctx
    plugin.keep(
        lambda: ctx.register_command("kata", commands.slash, description=say("help.about"), args_hint=HINT)
    )
    plugin.keep(
        lambda: ctx.register_cli_command(
            "kata", say("help.about"), set_up, commands.shell, description=say("help.about")
        )
    )


class Commands:
    """Answers both commands from one profile's service."""

    def __init__(self, plugin: "Plugin") -> None:
        self._plugin = plugin

    def slash(self, raw_args: str) -> str:
        """Answer a slash command."""
        plugin = self._plugin
        try:
            answer = run_slash(raw_args or "", plugin.service, this_chat(), mark=fences.agent_mark)
        except KataError as error:
            return str(error)
        plugin.look_at_settings()
        plugin.worker.wake()
        return answer

    def shell(self, args: Any) -> int:
        """Answer a shell command: this process has no tools of the host registered yet."""
        plugin = self._plugin
        try:
            return run_cli(args.words, plugin.open_with_tools, mark=fences.agent_mark)
        finally:
            plugin.close()


def this_chat() -> Chat:
    """Return the chat that the running slash command was typed in, as the gateway says; else the terminal's own."""
    try:
        from gateway.session_context import get_session_env
    except ImportError:
        return Chat(session=str(os.getpid()))

    def field(name: str) -> str:
        try:
            return str(get_session_env(name) or "")
        except Exception:
            return ""

    platform = field("HERMES_SESSION_PLATFORM")
    if not platform or platform in ("cli", "tui", "desktop", "local"):
        return Chat(platform=platform or "cli", session=str(os.getpid()))
    kind = field("HERMES_SESSION_CHAT_TYPE")
    return Chat(
        platform=platform,
        user_id=field("HERMES_SESSION_USER_ID"),
        session=field("HERMES_SESSION_KEY") or field("HERMES_SESSION_CHAT_ID"),
        group=kind not in ("dm", "private", "direct"),
    )
