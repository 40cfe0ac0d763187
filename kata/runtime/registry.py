"""Which tools are registered with Hermes: derived from the log, brought into line, never a side effect (design 5, B057)."""

import logging
import threading
from collections.abc import Callable, Sequence
from typing import Any

import attrs

from ..json import JsonObject
from ..kit import register_plugin, tool
from ..projections import Registered

log = logging.getLogger(__name__)

TOOLSET = "kata"
Handler = Callable[..., str]


@attrs.frozen(kw_only=True)
class Offer:
    """A kata as the agent is offered it."""

    registered: Registered
    schema: JsonObject
    handler: Handler = attrs.field(eq=False)

    @property
    def tool(self) -> str:
        return f"kata_{self.registered.name}"


class Registry:
    """The handles of Kata's tools in this process.

    ``failed`` is told once of each kata that Hermes would not take.
    """

    def __init__(self, ctx: Any, failed: Callable[[Registered, str], None]) -> None:
        self._ctx, self._failed = ctx, failed
        self._lock = threading.Lock()
        self._handles: dict[str, tuple[Offer, Any]] = {}
        self._refused: set[tuple[str, int]] = set()

    @property
    def offered(self) -> tuple[Offer, ...]:
        """What is registered now, by kata number."""
        with self._lock:
            found = [offer for offer, _ in self._handles.values()]
        return tuple(sorted(found, key=lambda offer: offer.registered.number))

    def align(self, wanted: Sequence[Offer]) -> bool:
        """Register and dispose until exactly the wanted tools are there; tell whether anything changed."""
        with self._lock:
            by_name = {offer.tool: offer for offer in wanted}
            gone = [name for name, (offer, _) in self._handles.items() if by_name.get(name) != offer]
            for name in gone:
                self._dispose(self._handles.pop(name)[1])
            new = [offer for name, offer in by_name.items() if name not in self._handles]
            for offer in new:
                self._register(offer)
            return bool(gone or new)

    def clear(self) -> None:
        """Dispose everything, the newest first."""
        with self._lock:
            for _, handle in reversed(self._handles.values()):
                self._dispose(handle)
            self._handles.clear()

    def _register(self, offer: Offer) -> None:
        one = offer.registered
        try:
            summary = register_plugin(self._ctx, [self._declared(offer)], plugin_name="kata", logger=log)
            why = (
                "" if not summary.refused else "Hermes did not take the tool: its name belongs to another one"
            )
        except Exception as error:
            summary, why = None, f"{type(error).__name__}: {error}"
        if not why:
            self._handles[offer.tool] = (offer, summary)
        elif (one.stream, one.version) not in self._refused:
            self._refused.add((one.stream, one.version))
            self._failed(one, why)

    def _declared(self, offer: Offer) -> Any:
        return tool(name=offer.tool, toolset=TOOLSET, schema=dict(offer.schema), validate_required=False)(
            offer.handler
        )

    def _dispose(self, handle: Any) -> None:
        try:
            handle.dispose()
        except Exception:
            log.debug("kata: a handle could not be disposed", exc_info=True)
