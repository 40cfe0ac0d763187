"""The hook thread's whole work: make an event in memory, append it to the spool, wake the worker (design 3).

Nothing here waits, raises or touches a lock that another process holds (cases B008, B009).
"""

import logging
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from ..clock import Clock, Ids
from ..events import Actor, ActorKind, NewEvent, Surface
from ..redact import Keeper
from ..store.spool import Spool
from . import decode
from .observing import hook_observed

log = logging.getLogger(__name__)

AGENT = Actor(kind=ActorKind.AGENT, id="hermes", surface=Surface.HOOK)
SYSTEM = Actor(kind=ActorKind.SYSTEM, id="kata", surface=Surface.HOOK)

NOTICED = 4096
Decode = Callable[[Mapping[str, Any]], Any]


class Observer:
    """Turns hook calls into spooled events.

    ``recording`` says whether observations are wanted just now; it reads memory only. ``noticed`` holds sessions and
    tools for the worker to look up: ``("session", id)``, ``("ended", id)`` and ``("tool", name)``.
    """

    def __init__(
        self,
        spool: Spool,
        keeper: Keeper,
        clock: Clock,
        ids: Ids,
        *,
        recording: Callable[[], bool],
        wake: Callable[[], None],
    ) -> None:
        self._spool, self._keeper, self._clock, self._ids = spool, keeper, clock, ids
        self._recording, self._wake = recording, wake
        self.noticed: deque[tuple[str, str]] = deque(maxlen=NOTICED)

    def observe(self, decoded: Decode, keywords: Mapping[str, Any]) -> None:
        """Record one observation of the agent; whatever goes wrong is counted, never raised."""
        if not self._recording():
            return
        try:
            payload = decoded(keywords)
            turn = getattr(payload, "turn_id", "") or decode.text_of(keywords, "turn_id")
            stream = f"session/{payload.session_id}" if payload.session_id else "log"
            self.record(payload, AGENT, stream, turn)
        except Exception:
            self._spool.count_lost("not_decoded")
            log.debug("kata: an observation was lost", exc_info=True)

    def record(self, payload: object, actor: Actor, stream: str, correlation: str) -> None:
        """Append one event to the spool and wake the worker."""
        event_id = self._ids.new()
        self._spool.append(
            NewEvent(
                stream=stream,
                event_id=event_id,
                payload=payload,
                occurred_at=self._clock.now(),
                actor=actor,
                correlation_id=correlation or event_id,
            )
        )
        self._wake()

    def post_tool_call(self, **keywords: Any) -> None:
        self.noticed.append(("tool", decode.text_of(keywords, "tool_name")))
        self.observe(lambda found: decode.tool_returned(found, self._keeper), keywords)

    def post_api_request(self, **keywords: Any) -> None:
        self.observe(decode.model_answered, keywords)

    def pre_llm_call(self, **keywords: Any) -> None:
        self.noticed.append(("session", decode.text_of(keywords, "session_id")))
        self.observe(lambda found: decode.turn_started(found, self._keeper.fingerprint), keywords)
        parent = decode.text_of(keywords, "parent_session_id")
        if parent:
            relation = "delegate" if decode.text_of(keywords, "platform") == "subagent" else "compression"
            self.observe(
                lambda found: decode.linked(decode.text_of(found, "session_id"), parent, relation), keywords
            )

    def on_session_start(self, **keywords: Any) -> None:
        self.observe(decode.session_started, keywords)

    def on_session_end(self, **keywords: Any) -> None:
        self.observe(decode.turn_ended, keywords)
        self._spool.rotate()

    def on_session_reset(self, **keywords: Any) -> None:
        self.observe(decode.session_reset, keywords)

    def on_session_finalize(self, **keywords: Any) -> None:
        self.noticed.append(("ended", decode.text_of(keywords, "session_id")))
        self.observe(decode.session_finalized, keywords)
        self._spool.rotate()

    def subagent_start(self, **keywords: Any) -> None:
        self.observe(decode.subagent_started, keywords)
        child, parent = (
            decode.text_of(keywords, "child_session_id"),
            decode.text_of(keywords, "parent_session_id"),
        )
        if child and parent:
            self.observe(lambda _: decode.linked(child, parent, "delegate"), keywords)

    def subagent_stop(self, **keywords: Any) -> None:
        self.observe(decode.subagent_stopped, keywords)

    def any_hook(self, name: str, keywords: Mapping[str, Any], *, texts: bool) -> None:
        """Record a hook that has no event type of its own."""
        self.observe(lambda found: hook_observed(name, found, self._keeper, texts=texts), keywords)
