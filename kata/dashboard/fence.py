"""Whether a request may carry a person's decision: the host's gate, a JSON body, the same origin, and no agent behind it.

Five attacks fail here: a page elsewhere that posts to this server (no JSON body and no same origin without the browser's
consent), a curl that an agent runs with the token from the loopback page, anything else that an agent started, a
program that cut every tie to one, and a service's key where a person's login is needed (design 9, case B021).
"""

import ipaddress
import sys
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import attrs
from fastapi import Request

from ..errors import HumanNeededError, UsageError
from ..events import Actor, ActorKind, Surface
from ..origin import Record
from ..service.board import Audience
from .peers import GONE, agent_behind, stranger_behind

ANYBODY = "dashboard (loopback)"
HINT = "Open the Kata tab in your own browser, type /kata in your chat, or run `hermes kata` in your own terminal."


class FenceError(HumanNeededError):
    """Say that a change cannot come from here, and from where it can."""

    code = "human_needed"
    hint = HINT


class StrangerError(FenceError):
    """Say that nobody can tell who started the program that asks."""

    hint = (
        "Decide with /kata in your chat, or with a browser or a terminal that you opened yourself: before the agent began, or "
        "from your desktop or by ssh."
    )

    def __init__(self, program: str) -> None:
        super().__init__(
            f"the program that asks ({program}) hangs from nothing and began while an agent was at work: "
            "nothing shows that a person started it"
        )


class NotJsonError(UsageError):
    """Say that a change needs a JSON body: no other page can send one without asking the browser first."""

    code = "not_json"
    hint = "Send Content-Type: application/json."


@attrs.frozen(kw_only=True)
class Person:
    """Who makes a change, and from where."""

    actor: Actor
    where: str


@attrs.frozen
class Peers:
    """How to look at the two ends of a connection of this machine.

    Attributes:
        behind: Returns what shows that an agent is at the client's end.
        stranger: Returns the program there of which nobody can say that a person started it.
    """

    behind: Callable[[int, int], str | None] = agent_behind
    stranger: Callable[[int, int, Record], str | None] = stranger_behind


def person_at(request: Request, record: Record, peers: Peers) -> Person:
    """Return the person behind a request that changes something.

    Raises:
        FenceError: the host's gate did not let them in, the page is not this dashboard's, an agent is behind it, or nobody
            can say who is.
    """
    name = _signed_in(request)
    _same_origin(request)
    ends = _ends(request)
    sign = ends and peers.behind(*ends)
    if sign == GONE:
        raise FenceError("the program that asked did not wait for its answer: nobody can tell who it was")
    if sign is not None:
        raise FenceError(f"the program that asks was started by an agent ({sign})")
    program = ends and peers.stranger(*ends, record)
    if program is not None:
        raise StrangerError(program)
    return Person(
        actor=Actor(kind=ActorKind.HUMAN, id=name, surface=Surface.DASHBOARD), where=_where(request)
    )


def audience(request: Request, record: Record, peers: Peers) -> Audience:
    """Return whom an answer speaks to: a person is whoever could decide here."""
    ends = _ends(request)
    if ends and (peers.behind(*ends) is not None or peers.stranger(*ends, record) is not None):
        return Audience.AGENT
    return Audience.STRANGER if _by_key(request) else Audience.PERSON


def _ends(request: Request) -> tuple[int, int] | None:
    """Return the ports of a connection of this machine; a program of another one cannot be looked at."""
    host, port = request.scope.get("server") or ("", 0)
    if request.client is None or not (is_loopback(request.client.host) or request.client.host == host):
        return None
    return request.client.port, int(port or 0)


def is_loopback(host: str) -> bool:
    """Tell whether an address is one of the loopback's: a program may take any of 127.0.0.0/8 as its own."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def bystander(request: Request) -> Person:
    """Return who is written down when a change is refused at the fence."""
    actor = Actor(kind=ActorKind.AGENT, id=ANYBODY, surface=Surface.DASHBOARD)
    return Person(actor=actor, where=_where(request))


def needs_json(request: Request) -> None:
    """Refuse a body that is not declared as JSON.

    Raises:
        NotJsonError: it is something else.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise NotJsonError(f"a change needs a JSON body, not {kind or 'none'}")


def _signed_in(request: Request) -> str:
    """Return who the host's gate let in; asked again here, since hosts differed on whether they guard plugins' routes."""
    session = getattr(request.state, "session", None)
    if session is not None:
        return _name_of(session)
    if _by_key(request):
        raise FenceError("a service's key cannot decide")
    server = sys.modules.get("hermes_cli.web_server")
    check = getattr(server, "_has_valid_session_token", None)
    headers = request.headers
    shown = headers.get("x-hermes-session-token") or headers.get("authorization") or headers.get("cookie")
    if not (check(request) if check is not None else shown):
        raise FenceError("nobody is signed in to the dashboard")
    return ANYBODY


def _by_key(request: Request) -> bool:
    return bool(getattr(request.state, "token_authenticated", False))


def _name_of(session: Any) -> str:
    names = (getattr(session, key, "") for key in ("email", "display_name", "user_id"))
    return next((str(name) for name in names if name), "dashboard")


def _same_origin(request: Request) -> None:
    headers = request.headers
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None and site != "same-origin":
        raise FenceError(f"another page asks ({site})")
    if site is None and (origin is None or urlsplit(origin).netloc != headers.get("host")):
        raise FenceError(f"another page asks ({origin or 'no origin'})")


def _where(request: Request) -> str:
    client = request.client.host if request.client is not None else "unknown"
    return f"{client} {request.headers.get('user-agent', '')[:120]}".strip()
