"""``/kata …`` in a chat: forgiving of phones, plain text, short (ux 3 to 5)."""

import shlex
import unicodedata
from collections.abc import Callable

from ..errors import KataError, UsageError
from ..events import Surface
from ..service import Service
from .actors import Chat, anybody, in_chat
from .desk import Desk
from .envelope import answer as envelope
from .envelope import failure
from .fences import agent_mark
from .helping import HelpShown
from .paint import Page, visible
from .parser import SHELL_ONLY, build, parse
from .text import say, speaking
from .verbs import answer

LONGEST = 3500
COMMAND = "/kata"
PHONE = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "—": "--", "–": "-", "\u00a0": " ", "\u3000": " "}
)


def run_slash(
    text: str,
    service: Service,
    chat: Chat,
    *,
    mark: Callable[[], str | None] = agent_mark,
    language: str = "",
) -> str:
    """Answer what was typed behind ``/kata``, in the language nearest to a tag; never raises."""
    with speaking(language):
        return _run(text, service, chat, mark)


def _run(text: str, service: Service, chat: Chat, mark: Callable[[], str | None]) -> str:
    verb = ""
    try:
        words = split(text)
        verb = words[0] if words else ""
        return _answer(words, service, chat, mark)
    except HelpShown as shown:
        return short(str(shown), verb)
    except KataError as error:
        return short("\n".join(filter(None, (visible(str(error)), error.hint))), verb)
    except Exception as error:
        return say("error.unexpected", error=f"{type(error).__name__}: {error}")


def _answer(words: list[str], service: Service, chat: Chat, mark: Callable[[], str | None]) -> str:
    if words and words[0] in SHELL_ONLY:
        raise UsageError(
            say("usage.shell_only", verb=words[0]), hint=say("usage.shell_only.hint", verb=words[0])
        )
    asked = parse(build(COMMAND), words)
    desk = _desk(service, chat, mark)
    given = answer(desk, asked)
    if getattr(asked, "json", False):
        from ..json import dumps

        return dumps(
            envelope(service.profile, given.data, warnings=given.warnings, following=given.following)
        )
    return short("\n".join(given.lines), words[0] if words else "")


def _desk(service: Service, chat: Chat, mark: Callable[[], str | None]) -> Desk:
    return Desk(
        service=service,
        command=COMMAND,
        chat=True,
        page=Page(width=10_000, plain=False),
        now=service.now,
        reader=f"{chat.platform}:{chat.session}:{chat.user_id}",
        actor=lambda: in_chat(chat, service.settings.approvers, mark),
        bystander=lambda: anybody(Surface.SLASH, f"{chat.platform} {chat.session}".strip()),
        confirm=None,
        show=lambda lines: None,
        progress=lambda what, done, whole: None,
    )


def split(text: str) -> list[str]:
    """Split typed words as a shell would; curly quotes, long dashes and full-width characters are accepted.

    Raises:
        UsageError: a quotation mark is not closed.
    """
    plain = unicodedata.normalize("NFKC", text.translate(PHONE)).strip()
    try:
        words = shlex.split(plain)
    except ValueError:
        if "because" not in plain:
            raise UsageError(say("usage.quotes")) from None
        words = plain.split()
    if words:
        words[0] = words[0].lower()
    return words


def short(text: str, verb: str) -> str:
    """Keep an answer within what messengers carry: lines are left out in the middle, the last ones stay."""
    if len(text) <= LONGEST:
        return text
    lines = text.split("\n")
    tail = lines[-4:]
    mark = say("cut", verb=verb or "list")
    room = LONGEST - sum(len(line) + 1 for line in (*tail, mark))
    head: list[str] = []
    for line in lines[:-4]:
        room -= len(line) + 1
        if room < 0:
            break
        head.append(line)
    return "\n".join((*head, mark, *tail))[:LONGEST]


__all__ = ["failure", "run_slash", "short", "split"]
