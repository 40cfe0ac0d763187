"""The worker's round: drain, project, look up, bring the registry into line, mine (design 3, 5)."""

import threading
import time

import attrs

from ..events import Surface
from ..events import catalogue as told
from ..projections import Registered
from ..service.settings import Settings
from ..store import StoreDamagedError
from ..surfaces import fences
from ..surfaces.text import say
from .answers import ask_message, schema_of
from .compiled import Compiled
from .gate import Ask, Gate
from .mining import Order
from .notices import untold
from .observer import SYSTEM
from .parts import Parts
from .registry import Offer, Registry


class Rounds:
    """What the worker does when it is woken, and what the end of a session asks of it."""

    def __init__(self, parts: Parts, gate: Gate, compiled: Compiled) -> None:
        self._parts, self._gate, self._compiled = parts, gate, compiled
        self.registry = Registry(parts.ctx, self._registration_failed)
        self._generation: tuple[int, int] = (-1, -1)
        self._round = threading.Lock()

    def work(self) -> None:
        """Do one round; where the log proves damaged, the next one is on a new log (case B047)."""
        with self._round:
            try:
                self._parts.leave_replaced()
                self._work()
            except StoreDamagedError as error:
                self._parts.leave_damaged(error)

    def _work(self) -> None:
        parts, service = self._parts, self._parts.service
        service.refresh()
        parts.look_at_settings()
        service.tell_hooks()
        if parts.lookups.run(service.known_schemas(), service.watched_tools()):
            service.refresh()
        service.upkeep(Surface.HOOK)
        self.align()
        parts.notices.found(untold(one) for one in service.untold())
        if parts.schedule.is_due(service.call_count()):
            self.start_mining()

    def flush(self, seconds: float) -> None:
        """Do a round here, unless one is under way that ends in time."""
        deadline = time.monotonic() + seconds
        if self._round.acquire(timeout=seconds):
            self._round.release()
            if time.monotonic() < deadline:
                self.work()

    def is_behind(self) -> bool:
        """Tell by one stat whether another process decided something since the registry was brought into line."""
        return self._parts.store.generation() != self._generation

    def align(self) -> None:
        """Bring Hermes' registry into line with the log, and the gate with the registry."""
        self._generation = self._parts.store.generation()
        active = self._parts.service.registered()
        self.registry.align([self._offer(one) for one in active])
        self._gate.asking = {f"kata_{one.name}": self._ask(one) for one in active}

    def start_mining(self) -> None:
        """Ask the mining process for a pass."""
        parts = self._parts
        if parts.child.ask(Order(profile=parts.host.profile, settings=plain_settings(parts.settings))):
            parts.schedule.started(parts.service.call_count())

    def tell(self) -> str | None:
        """Return the notice of proposals that nobody was told of, and write down that it was shown.

        A Hermes that an agent started uses none up.
        """
        rows = self._parts.notices.take()
        if not rows or fences.agent_mark() is not None:
            return None
        shown = told.NoticeShown(about=tuple(one.event_id for one in rows), surface="hook")
        self._parts.observer.record(shown, SYSTEM, "log", "")
        lines = [
            say("notice.proposal", number=one.number, name=one.name, steps=one.steps, command="/kata")
            for one in rows
        ]
        return "\n".join(lines)

    def _offer(self, one: Registered) -> Offer:
        return Offer(registered=one, schema=schema_of(one), handler=self._compiled.handler(one))

    def _ask(self, one: Registered) -> Ask:
        service = self._parts.service
        return Ask(
            always=service.asks_each_run(one),
            unknown=service.unknown_calls(one),
            message=lambda args: ask_message(one, args),
            key=lambda args: service.call_key(one, args),
        )

    def _registration_failed(self, one: Registered, why: str) -> None:
        payload = told.ToolRegistrationFailed(number=one.number, name=one.name, why=why)
        self._parts.observer.record(payload, SYSTEM, "log", "")


def plain_settings(settings: Settings) -> dict[str, object]:
    """Return the settings as JSON carries them."""
    values = attrs.asdict(settings)
    return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}
