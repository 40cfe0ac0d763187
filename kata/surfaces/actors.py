"""Who stands at a surface, and whether they may decide there (design 9): the only place that makes a human actor."""

import getpass
import os
import socket
from collections.abc import Callable

import attrs

from ..errors import HumanNeededError
from ..events import Actor, ActorKind, Surface
from ..origin import Doubt
from ..service.board import Audience
from .fences import agent_mark
from .paint import visible
from .text import say


class FenceError(HumanNeededError):
    """Say that a decision cannot come from here, and from where it can."""

    code = "human_needed"


class AgentFenceError(FenceError):
    """Say that an agent's tool started this process, or that nothing shows that it did not."""


@attrs.frozen(kw_only=True)
class Chat:
    """Where a slash command was typed.

    Attributes:
        platform: ``cli``, ``tui``, or a messenger's name.
        user_id: The messenger's user; empty in a terminal.
        session: The chat's key: what was reviewed there is remembered under it.
        group: Several people can type there.
    """

    platform: str = "cli"
    user_id: str = ""
    session: str = ""
    group: bool = False

    @property
    def messenger(self) -> bool:
        """Tell whether this is a messenger, where the platform says who typed."""
        return self.platform not in ("", "cli", "tui", "desktop")


def os_user() -> str:
    """Return the name of the user that runs this process."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return f"uid {os.getuid()}" if hasattr(os, "getuid") else "user"


def undoubted(found: Doubt | None) -> None:
    """Let pass where nothing speaks against a person.

    Raises:
        AgentFenceError: something does.
    """
    if found is not None:
        why = say(f"fence.{found.kind}", program=visible(found.program) or "?")
        raise AgentFenceError(why, hint=say("fence.doubt.hint"))


def no_doubt() -> None:
    """Doubt nobody."""


def in_shell(
    mark: Callable[[], str | None] = agent_mark,
    doubt: Callable[[], Doubt | None] = no_doubt,
    *,
    terminal: bool,
    where: str,
) -> tuple[Actor, str]:
    """Return the person at a shell, and where they are.

    Raises:
        AgentFenceError: an agent's tool started this process, or what its terminal hangs from is doubted.
        FenceError: nobody can be at it.
    """
    found = mark()
    if found is not None:
        raise AgentFenceError(say("fence.agent", mark=found), hint=say("fence.hint"))
    if not terminal:
        raise FenceError(say("fence.terminal"), hint=say("fence.hint"))
    undoubted(doubt())
    return Actor(kind=ActorKind.HUMAN, id=os_user(), surface=Surface.CLI), where


def in_chat(
    chat: Chat,
    approvers: tuple[str, ...],
    mark: Callable[[], str | None] = agent_mark,
    doubt: Callable[[], Doubt | None] = no_doubt,
) -> tuple[Actor, str]:
    """Return the person in a chat, and where they are.

    Raises:
        AgentFenceError: an agent's tool started this process, or what its terminal hangs from is doubted.
        FenceError: the chat is a group and the user may not decide.
    """
    found = mark()
    if found is not None:
        raise AgentFenceError(say("fence.agent", mark=found), hint=say("fence.hint"))
    if not chat.messenger:
        undoubted(doubt())
        return Actor(
            kind=ActorKind.HUMAN, id=os_user(), surface=Surface.SLASH
        ), f"{chat.platform} {chat.session}".strip()
    user = f"{chat.platform}:{chat.user_id or 'unknown'}"
    if (chat.group or not chat.user_id) and user not in approvers and chat.user_id not in approvers:
        raise FenceError(say("fence.group", user=user), hint=say("fence.group.hint"))
    return Actor(
        kind=ActorKind.HUMAN, id=user, surface=Surface.SLASH
    ), f"{chat.platform} {chat.session}".strip()


def audience(actor: Callable[[], object]) -> Audience:
    """Return whom a surface speaks to: a person is whoever may decide there."""
    try:
        actor()
    except AgentFenceError:
        return Audience.AGENT
    except FenceError:
        return Audience.STRANGER
    return Audience.PERSON


def anybody(surface: Surface, where: str = "") -> tuple[Actor, str]:
    """Return an actor that may not decide, for the record of a refused attempt."""
    return Actor(kind=ActorKind.AGENT, id=os_user(), surface=surface), where


def host() -> str:
    """Return this machine's name."""
    return socket.gethostname()


def terminal_name() -> str:
    """Return the terminal's device, or nothing."""
    try:
        return os.ttyname(0)
    except OSError:
        return ""
