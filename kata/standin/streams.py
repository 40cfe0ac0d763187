"""Stream hooks: handed to threads of their own, one per consumer, so that no plugin slows the text."""

import queue
import threading
from typing import Any, Final

from .hooks import Callback, HookBus
from .names import OBSERVER_SCHEMA

CAPACITY: Final = 1024
"""How many firings wait for a slow consumer; then the oldest is dropped."""


class Streams:
    """Queue each firing for every consumer of the hook."""

    def __init__(self, hooks: HookBus) -> None:
        self._hooks = hooks
        self._consumers: dict[tuple[str, int], _Consumer] = {}

    def fire(self, hook: str, **payload: Any) -> None:
        """Hand a firing over; never waits."""
        for callback in self._hooks.callbacks(hook):
            consumer = self._consumers.setdefault(
                (hook, id(callback)), _Consumer(self._hooks, hook, callback)
            )
            consumer.put({**payload, "telemetry_schema_version": OBSERVER_SCHEMA})

    def settle(self) -> None:
        """Wait until every consumer is done with what it was handed."""
        for consumer in self._consumers.values():
            consumer.queue.join()


class _Consumer:
    def __init__(self, hooks: HookBus, hook: str, callback: Callback) -> None:
        self.queue: queue.Queue[dict[str, Any]] = queue.Queue(CAPACITY)
        self._hooks = hooks
        self._work = (hook, callback)
        self._thread = threading.Thread(target=self._run, name=f"plugin-stream-hook:{hook}", daemon=True)

    def put(self, payload: dict[str, Any]) -> None:
        if not self._thread.is_alive():
            self._thread.start()
        while True:
            try:
                self.queue.put_nowait(payload)
            except queue.Full:
                self._drop_oldest()
            else:
                return

    def _drop_oldest(self) -> None:
        try:
            self.queue.get_nowait()
        except queue.Empty:
            return
        self.queue.task_done()

    def _run(self) -> None:
        while True:
            payload = self.queue.get()
            self._hooks.call_one(*self._work, payload)
            self.queue.task_done()
