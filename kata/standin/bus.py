"""Events that plugins send each other (``ctx.emit``, ``ctx.subscribe``): queued, in order, on one worker."""

import copy
import logging
import queue
import threading
from collections.abc import Callable
from typing import Any, Final

import attrs

from .hooks import run_awaitable

logger = logging.getLogger(__name__)

DEPTH_CAP: Final = 8
PENDING_CAP: Final = 64


@attrs.frozen(eq=False)
class _Subscription:
    owner: str
    callback: Callable[..., Any]


@attrs.frozen
class _Message:
    event: str
    payload: dict[str, Any]
    to: tuple[_Subscription, ...]
    depth: int


class EventBus:
    """Deliver ``<plugin>:<event>`` to whoever subscribed; a full queue or too deep a chain drops the event."""

    def __init__(self) -> None:
        self._subscriptions: dict[str, list[_Subscription]] = {}
        self._queue: queue.Queue[_Message] = queue.Queue()
        self._depth = threading.local()
        self._lock = threading.Lock()
        self._worker: threading.Thread | None = None

    def subscribe(self, owner: str, event: str, callback: Callable[..., Any]) -> Callable[[], None]:
        """Add a subscriber and return what removes it.

        Raises:
            TypeError: the callback cannot be called.
        """
        if not callable(callback):
            raise TypeError("an event subscriber must be callable")
        subscription = _Subscription(owner, callback)
        self._subscriptions.setdefault(event, []).append(subscription)
        return lambda: self._drop(event, subscription)

    def _drop(self, event: str, subscription: _Subscription) -> None:
        kept = [each for each in self._subscriptions.get(event, []) if each is not subscription]
        self._subscriptions[event] = kept

    def emit(self, event: str, payload: dict[str, Any]) -> int:
        """Queue an event without waiting; return how many subscribers will get it."""
        depth = getattr(self._depth, "value", 0)
        to = tuple(self._subscriptions.get(event, ()))
        if not to or depth >= DEPTH_CAP or self._queue.unfinished_tasks >= PENDING_CAP:
            return 0
        self._queue.put(_Message(event, dict(payload), to, depth + 1))
        self._ensure_worker()
        return len(to)

    def settle(self) -> None:
        """Wait until every queued event was delivered."""
        self._queue.join()

    def _ensure_worker(self) -> None:
        with self._lock:
            if self._worker is None or not self._worker.is_alive():
                self._worker = threading.Thread(target=self._work, name="hermes-plugin-events", daemon=True)
                self._worker.start()

    def _work(self) -> None:
        while True:
            message = self._queue.get()
            self._depth.value = message.depth
            for subscription in message.to:
                self._deliver(message, subscription)
            self._queue.task_done()

    def _deliver(self, message: _Message, subscription: _Subscription) -> None:
        if subscription not in self._subscriptions.get(message.event, ()):
            return
        try:
            answer = subscription.callback(**copy.deepcopy(message.payload))
            if hasattr(answer, "__await__"):
                run_awaitable(answer)
        except (Exception, SystemExit) as error:
            logger.warning("event %s: a subscriber raised %s: %s", message.event, type(error).__name__, error)
