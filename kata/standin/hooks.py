"""The hook bus: who is called, in what order, on which thread, and what happens when one hangs or raises."""

import asyncio
import contextvars
import inspect
import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any, Final

from ..clock import Clock
from .names import BOUNDED_HOOKS, FAIL_CLOSED_HOOKS, OBSERVER_SCHEMA
from .registry import accepted

logger = logging.getLogger(__name__)

Callback = Callable[..., Any]

SUPPRESSED_SECONDS: Final = 60.0
"""How long a callback that ran out of time is left alone."""
MAX_ABANDONED: Final = 3
TIMED_OUT: Final = "pre_tool_call plugin callback timed out or is still running"
_SKIPPED: Final = object()


class HookBus:
    """Call every callback of a hook, each isolated from the others (facts 3.1)."""

    def __init__(self, clock: Clock, timeout: Callable[[], float]) -> None:
        self._callbacks: dict[str, list[Callback]] = {}
        self._clock = clock
        self._timeout = timeout
        self._lock = threading.Lock()
        self._running: set[tuple[str, int, str]] = set()
        self._abandoned: dict[tuple[str, int], set[str]] = {}
        self._suppressed: dict[tuple[str, int], float] = {}
        self._reported: set[tuple[str, ...]] = set()

    def add(self, hook: str, callback: Callback) -> Callable[[], None]:
        """Add a callback behind the others and return what removes it."""
        self._callbacks.setdefault(hook, []).append(callback)
        return lambda: self._remove(hook, callback)

    def _remove(self, hook: str, callback: Callback) -> None:
        callbacks = self._callbacks.get(hook, [])
        last = max((at for at, each in enumerate(callbacks) if each is callback), default=None)
        if last is not None:
            del callbacks[last]

    def has(self, hook: str) -> bool:
        return bool(self._callbacks.get(hook))

    def callbacks(self, hook: str) -> tuple[Callback, ...]:
        return tuple(self._callbacks.get(hook, ()))

    def fire(self, hook: str, **payload: Any) -> list[Any]:
        """Call all callbacks in order of registration; return what they returned, ``None`` left out."""
        if hook != "gateway_platform_event":
            payload.setdefault("telemetry_schema_version", OBSERVER_SCHEMA)
        answers = (self.call_one(hook, callback, payload) for callback in self.callbacks(hook))
        return [answer for answer in answers if answer is not None]

    def call_one(self, hook: str, callback: Callback, payload: Mapping[str, Any]) -> Any:
        """Call one callback, contained and bounded as the hook demands."""
        closed = hook in FAIL_CLOSED_HOOKS
        try:
            answer = self._run(hook, callback, dict(payload))
        except (Exception, SystemExit) as error:
            self._report(hook, callback, error)
            return _veto(hook, callback, error) if closed else None
        if answer is _SKIPPED:
            return {"action": "block", "message": TIMED_OUT} if closed else None
        return answer

    def _run(self, hook: str, callback: Callback, payload: dict[str, Any]) -> Any:
        limit = self._timeout()
        if hook in BOUNDED_HOOKS and limit > 0:
            return self._run_bounded(hook, callback, payload, limit)
        return call_plainly(callback, payload)

    def _run_bounded(self, hook: str, callback: Callback, payload: dict[str, Any], limit: float) -> Any:
        gate = (hook, id(callback), _identity(payload))
        if not self._enter(gate):
            logger.warning(
                "hook %s: %s is skipped after a time-out or while it still runs", hook, _name(callback)
            )
            return _SKIPPED
        worker = _Worker(callback, payload, lambda: self._leave(gate))
        worker.start()
        if not worker.done.wait(limit):
            self._abandon(gate)
            logger.warning("hook %s: %s ran out of %g s", hook, _name(callback), limit)
            return _SKIPPED
        return worker.answer()

    def _enter(self, gate: tuple[str, int, str]) -> bool:
        who = gate[:2]
        with self._lock:
            hung = len(self._abandoned.get(who, ())) >= MAX_ABANDONED
            if gate in self._running or hung or self._suppressed.get(who, 0.0) > self._clock.monotonic():
                return False
            self._suppressed.pop(who, None)
            self._running.add(gate)
            return True

    def _leave(self, gate: tuple[str, int, str]) -> None:
        with self._lock:
            self._running.discard(gate)
            self._abandoned.get(gate[:2], set()).discard(gate[2])

    def _abandon(self, gate: tuple[str, int, str]) -> None:
        with self._lock:
            self._suppressed[gate[:2]] = self._clock.monotonic() + SUPPRESSED_SECONDS
            if gate in self._running:
                self._abandoned.setdefault(gate[:2], set()).add(gate[2])

    def _report(self, hook: str, callback: Callback, error: BaseException) -> None:
        key = (hook, _name(callback), type(error).__name__, str(error)[:200])
        if key in self._reported:
            return
        self._reported.add(key)
        logger.warning("hook %s: %s raised %s: %s", hook, _name(callback), type(error).__name__, error)

    def forget(self) -> None:
        """Forget time-outs and reported errors, as a reload of the plugins does."""
        with self._lock:
            self._running.clear()
            self._abandoned.clear()
            self._suppressed.clear()
        self._reported.clear()


class _Worker(threading.Thread):
    """A throw-away daemon thread that carries the caller's context variables."""

    def __init__(self, callback: Callback, payload: dict[str, Any], leave: Callable[[], None]) -> None:
        super().__init__(name=f"hermes-hook-{_name(callback)}"[:40], daemon=True)
        self.done = threading.Event()
        self._context = contextvars.copy_context()
        self._work = (callback, payload)
        self._leave = leave
        self._answer: Any = None
        self._error: BaseException | None = None

    def run(self) -> None:
        try:
            self._answer = self._context.run(call_plainly, *self._work)
        except BaseException as error:
            self._error = error
        finally:
            self._leave()
            self.done.set()

    def answer(self) -> Any:
        if self._error is not None:
            raise self._error
        return self._answer


def call_plainly(callback: Callback, payload: dict[str, Any]) -> Any:
    """Call with the keywords that the callback takes; run a coroutine to its end."""
    answer = callback(**accepted(callback, payload))
    return run_awaitable(answer) if inspect.isawaitable(answer) else answer


def run_awaitable(awaitable: Any) -> Any:
    """Run an awaitable to its end, in a helper thread when this one has a running loop (30 s)."""

    async def wait() -> Any:
        return await awaitable

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(wait())
    worker = _Worker(lambda: asyncio.run(wait()), {}, lambda: None)
    worker.start()
    if not worker.done.wait(30):
        raise TimeoutError("an async plugin handler did not end within 30 s")
    return worker.answer()


def _identity(payload: Mapping[str, Any]) -> str:
    values = (payload.get("tool_call_id"), payload.get("turn_id"))
    return next((value for value in values if isinstance(value, str) and value), "")


def _name(callback: Callback) -> str:
    return str(getattr(callback, "__name__", repr(callback)))


def _veto(hook: str, callback: Callback, error: BaseException) -> dict[str, str]:
    what = f"{type(error).__name__}: {str(error)[:200]}"
    return {"action": "block", "message": f"{hook} plugin callback {_name(callback)} raised {what}"}
