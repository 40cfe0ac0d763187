"""``/kata`` and ``hermes kata``: the host's side of the surfaces."""

import os
from collections.abc import Callable
from typing import Any

from ..errors import KataError
from ..kit import command
from ..surfaces import fences
from ..surfaces.actors import Chat
from ..surfaces.cli import run_cli, set_up
from ..surfaces.slash import run_slash
from ..surfaces.text import say, speaking
from .parts import Parts

HINT = "review 2 | approve 2 as name | runs | audit | help"


class Commands:
    """Answers both commands from one profile's parts; a shell command's process ends with it, so it closes them."""

    def __init__(self, parts: Parts, close: Callable[[], None]) -> None:
        self._parts, self._close = parts, close

    def declarations(self) -> list[Any]:
        """Return ``/kata`` and ``hermes kata`` as the kit registers them."""
        with speaking(self._parts.language):
            about = say("help.about")
        slash = command("kata", about, HINT)(self.slash)
        shell = command("kata", about, type="cli", help=about, setup_fn=set_up)(self.shell)
        return [slash, shell]

    def slash(self, raw_args: str) -> str:
        """Answer a slash command."""
        parts = self._parts
        try:
            language = parts.look_at_language()
            answer = run_slash(
                raw_args or "",
                parts.service,
                this_chat(),
                mark=fences.agent_mark,
                watch=fences.WATCH,
                language=language,
            )
            parts.look_at_settings()
        except KataError as error:
            return str(error)
        parts.worker.wake()
        return answer

    def shell(self, args: Any) -> int:
        """Answer a shell command."""
        try:
            language = self._parts.language
            return run_cli(
                args.words,
                self._parts.service_with_tools,
                mark=fences.agent_mark,
                watch=fences.WATCH,
                language=language,
            )
        finally:
            self._close()


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
