"""``/kata …`` in a chat: forgiving of phones, plain text, short (ux 3 to 5)."""

from collections.abc import Callable, Sequence

from ..errors import KataError, UsageError
from ..events import Surface
from ..json import dumps
from ..service import Service
from .actors import Chat, anybody, in_chat
from .desk import Answer, Desk
from .envelope import answer as envelope
from .fences import WATCH, Watch, agent_mark
from .helping import HelpShown
from .hints import commanded
from .paint import LONGEST, Page, visible
from .parser import SHELL_ONLY, build, parse
from .text import explain, say, speaking
from .typed import split
from .verbs import answer

COMMAND = "/kata"
TAIL = 4
"""Lines at the end of an answer that stay as long as they take less than half of it: what to type next stands there."""


def run_slash(
    text: str,
    service: Service,
    chat: Chat,
    *,
    mark: Callable[[], str | None] = agent_mark,
    watch: Watch = WATCH,
    language: str = "",
) -> str:
    """Answer what was typed behind ``/kata``, in the language nearest to a tag; never raises."""
    with speaking(language):
        return _run(text, service, chat, mark, watch)


def _run(text: str, service: Service, chat: Chat, mark: Callable[[], str | None], watch: Watch) -> str:
    verb = ""
    try:
        words = split(text)
        verb = words[0] if words else ""
        return _answer(words, _desk(service, chat, mark, watch))
    except HelpShown as shown:
        return short(str(shown), verb)
    except KataError as error:
        return short(
            "\n".join(filter(None, (explain(visible(str(error))), commanded(explain(error.hint), COMMAND)))),
            verb,
        )
    except Exception as error:
        return say("error.unexpected", error=f"{type(error).__name__}: {error}")


def _answer(words: list[str], desk: Desk) -> str:
    if words and words[0] in SHELL_ONLY:
        raise UsageError(
            say("usage.shell_only", verb=words[0]), hint=say("usage.shell_only.hint", verb=words[0])
        )
    asked = parse(build(COMMAND), words)
    given = answer(desk, asked)
    if getattr(asked, "json", False):
        return _json(given, desk.service.profile, words[0] if words else "")
    return short("\n".join(given.lines), words[0] if words else "")


def _json(given: Answer, profile: str, verb: str) -> str:
    """Return the JSON of an answer; what a messenger would cut is no JSON any more and is refused."""
    text = dumps(envelope(profile, given.data, warnings=given.warnings, following=given.following))
    if len(text) > LONGEST:
        hint = say("usage.shell_only.hint", verb=f"{verb} --json".strip())
        raise UsageError(say("usage.too_long", count=len(text)), hint=hint)
    return text


def _desk(service: Service, chat: Chat, mark: Callable[[], str | None], watch: Watch) -> Desk:
    return Desk(
        service=service,
        command=COMMAND,
        chat=True,
        page=Page(width=10_000, plain=False),
        now=service.now,
        reader=f"{chat.platform}:{chat.session}:{chat.user_id}",
        actor=lambda: in_chat(
            chat, service.settings.approvers, mark, lambda: watch.terminal(service.record())
        ),
        bystander=lambda: anybody(Surface.SLASH, f"{chat.platform} {chat.session}".strip()),
        confirm=None,
        show=lambda lines: None,
        progress=lambda what, done, whole: None,
    )


def short(text: str, verb: str) -> str:
    """Keep an answer within what messengers carry: whole lines are left out before the last ones, and none is cut.

    A line can hold a command, and half of a command could be read for all of it.
    """
    if len(text) <= LONGEST:
        return text
    lines, mark = text.split("\n"), say("cut", verb=verb or "list")
    tail = _fitting(lines[: -TAIL - 1 : -1], LONGEST // 2)[::-1]
    room = LONGEST - sum(len(line) + 1 for line in (mark, *tail))
    head = _fitting(lines[: len(lines) - len(tail)], room)
    return "\n".join((*head, mark, *tail))


def _fitting(lines: Sequence[str], room: int) -> list[str]:
    """Return the first lines that fit, with a newline each."""
    taken: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        taken.append(line)
    return taken
