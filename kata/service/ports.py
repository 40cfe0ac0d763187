"""What the service needs of the world around it; the runtime, the shell and the tests hand it in."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import attrs

from ..clock import Clock, Ids
from ..events import Actor, ActorKind, Event, NewEvent, Surface
from ..json import JsonObject
from ..redact import Keeper
from ..store.protocol import Log
from .settings import Settings

SYSTEM = "kata"

WRITTEN = ("note", "why", "where", "kata", "verb", "what", "source", "reason")
"""Fields of events that can hold what a person typed, or names that nobody here chose."""


class Tools(Protocol):
    """The tools of this process, as the host's registry has them."""

    def schema(self, tool: str) -> JsonObject | None:
        """Return the JSON Schema of a tool's parameters; None where this process has no such tool."""
        ...

    def names(self) -> tuple[str, ...]:
        """Return every tool's name."""
        ...


class NoTools:
    """A process without a registry: what the log says of tools is all there is."""

    def schema(self, tool: str) -> JsonObject | None:
        del tool
        return None

    def names(self) -> tuple[str, ...]:
        return ()


@attrs.frozen(kw_only=True)
class World:
    """Everything outside the service.

    Attributes:
        log: The event log.
        refresh: Drain the spool and bring the projections up to date (at most a second).
        take_all: Do the same with all that was spooled before now, or raise a ``StoreError``.
        show: Bring the projections up to date with events that were just appended.
        changed: Tell other processes that a decision was made (the generation file).
        settings: Read the settings as they are now, with warnings.
        tools: The tools of this process.
        profile: The profile's name.
        search: Whether a new tool is visible at once, through tool search.
    """

    log: Log
    refresh: Callable[[], None]
    take_all: Callable[[], None]
    show: Callable[[Sequence[Event]], None]
    changed: Callable[[], None]
    settings: Callable[[], tuple[Settings, tuple[str, ...]]]
    clock: Clock
    ids: Ids
    keeper: Keeper
    tools: Tools
    profile: str
    search: Callable[[], bool]

    def event(
        self,
        stream: str,
        payload: object,
        actor: Actor,
        *,
        correlation: str = "",
        causation: str | None = None,
    ) -> NewEvent:
        """Make an event that happens now; what a person wrote in it is masked."""
        event_id = self.ids.new()
        return NewEvent(
            stream=stream,
            event_id=event_id,
            payload=_masked(payload, self.keeper),
            occurred_at=self.clock.now(),
            actor=actor,
            correlation_id=correlation or event_id,
            causation_id=causation,
        )


def _masked(payload: Any, keeper: Keeper) -> Any:
    """Return a payload in which no written text holds a secret; the same one where none does."""
    texts = {name: getattr(payload, name, None) for name in WRITTEN}
    kept = {name: keeper.keep(text).value for name, text in texts.items() if isinstance(text, str) and text}
    changed = {name: text for name, text in kept.items() if text != texts[name]}
    return attrs.evolve(payload, **changed) if changed else payload


def system(surface: Surface) -> Actor:
    """Return Kata itself as an actor: it proposes, revises, marks stale and suspends, nothing else."""
    return Actor(kind=ActorKind.SYSTEM, id=SYSTEM, surface=surface)
