"""Middleware: plugins that rewrite a request, or wrap what carries it out."""

import copy
import logging
from collections.abc import Callable
from typing import Any

logger = logging.getLogger(__name__)

Wrapped = Callable[[dict[str, Any]], Any]


class Middleware:
    """The registered middleware, by kind."""

    def __init__(self) -> None:
        self._callbacks: dict[str, list[Callable[..., Any]]] = {}

    def add(self, kind: str, callback: Callable[..., Any]) -> Callable[[], None]:
        """Add behind the others and return what removes it."""
        callbacks = self._callbacks.setdefault(kind, [])
        callbacks.append(callback)
        return lambda: callbacks.remove(callback)

    def rewrite(
        self, kind: str, key: str, payload: dict[str, Any], **context: Any
    ) -> tuple[dict[str, Any], list[Any]]:
        """Pass a payload through; return it as rewritten, and a trace with one entry per rewriting."""
        original = copy.deepcopy(payload)
        trace: list[Any] = []
        for callback in tuple(self._callbacks.get(kind, ())):
            own = {key: copy.deepcopy(payload), f"original_{key}": copy.deepcopy(original)}
            answer = _safely(kind, callback, {**context, **own})
            if isinstance(answer, dict) and isinstance(answer.get(key), dict):
                payload = answer[key]
                trace.append({"kind": kind, "callback": getattr(callback, "__name__", "")})
        return payload, trace

    def wrap(self, kind: str, run: Wrapped, **context: Any) -> Wrapped:
        """Wrap a call so that the first registered middleware is outermost."""
        for callback in reversed(self._callbacks.get(kind, [])):
            run = _around(callback, run, context)
        return run


def _around(callback: Callable[..., Any], inner: Wrapped, context: dict[str, Any]) -> Wrapped:
    def outer(args: dict[str, Any]) -> Any:
        return callback(**{**context, "args": args, "next_call": inner})

    return outer


def _safely(kind: str, callback: Callable[..., Any], keywords: dict[str, Any]) -> Any:
    try:
        return callback(**keywords)
    except (Exception, SystemExit) as error:
        logger.warning("middleware %s raised %s: %s", kind, type(error).__name__, error)
        return None
