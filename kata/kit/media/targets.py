"""Say where something is delivered, and how that may be shown without telling who is there."""

from dataclasses import dataclass

from .. import host

_SHOWN_DIGITS = 4


@dataclass(frozen=True)
class ResolvedDeliveryTarget:
    """Where something is delivered.

    Attributes:
        requested: What was asked for, such as ``origin``.
        host_target: The route that Hermes takes: ``platform:chat[:thread]``. Not for logs or models.
        display: The route as it may be shown.
    """

    requested: str
    host_target: str
    display: str


def resolve_delivery_target(target: str) -> ResolvedDeliveryTarget:
    """Resolve ``origin`` to the conversation that this task serves; anything else goes to Hermes as it is.

    Raises:
        ValueError: The target is blank.
        RuntimeError: There is no conversation to answer in.

    >>> resolve_delivery_target("telegram:-1001234567890:42").display
    'telegram:-…7890:42'
    """
    wanted = target.strip() if isinstance(target, str) else ""
    if not wanted:
        raise ValueError("delivery target is required")
    route = _origin() if wanted == "origin" else wanted
    return ResolvedDeliveryTarget(wanted, route, displayed(route))


def displayed(route: str) -> str:
    """Return a route with all but the end of its chat's id or handle hidden; ``#names`` of channels stay.

    >>> displayed("signal:+15551234567"), displayed("discord:#general"), displayed("telegram")
    ('signal:+…4567', 'discord:#general', 'telegram')
    """
    platform, *rest = route.split(":")
    if not rest:
        return route
    return ":".join([platform, _hidden(rest[0]), *rest[1:]])


def platform_of(route: str) -> str:
    """Return the platform of a route."""
    return route.split(":", maxsplit=1)[0].strip().lower()


def chat_of(route: str) -> str:
    """Return the chat's id of a route, or nothing."""
    return route.split(":")[1] if ":" in route else ""


def _hidden(chat: str) -> str:
    sign = chat[:1] if chat[:1] in "-+@!" else ""
    name = chat[len(sign) :]
    if name.startswith("#") or len(name) <= _SHOWN_DIGITS:
        return chat
    return f"{sign}…{name[-_SHOWN_DIGITS:]}"


def _origin() -> str:
    try:
        platform, chat, thread = map(host.session_value, _ORIGIN)
    except Exception as error:
        raise RuntimeError(f"origin delivery context is unavailable: {type(error).__name__}") from error
    if not platform or not chat:
        raise RuntimeError("origin delivery context has no platform/chat route")
    return ":".join(part for part in (platform.lower(), chat, thread) if part)


_ORIGIN = ("HERMES_SESSION_PLATFORM", "HERMES_SESSION_CHAT_ID", "HERMES_SESSION_THREAD_ID")
