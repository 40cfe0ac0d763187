"""Log the calls that pass through the kit: names, times and types, never payloads."""

import logging
import os
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, TypeVar

from .redact import as_json, redact_text

KIT = "hermes_plugin_kit"
"""The kit's own logger, and the first word of its receipts (the name that operators already filter by)."""

log = logging.getLogger(KIT)

T = TypeVar("T")

_ON = frozenset({"1", "true", "yes", "on"})


class Lazy:
    """Text that is only made when a handler wants the log line."""

    def __init__(self, make: Callable[[], str]) -> None:
        self._make = make

    def __str__(self) -> str:
        return self._make()


def logger_of(module: str | None) -> logging.Logger:
    """Return the logger of the author's module, so that each plugin sets its own verbosity."""
    return logging.getLogger(module or KIT)


def context_of(payload: Mapping[str, Any]) -> Lazy:
    """Show the ids that are safe to log: the session's and the task's, when Hermes gave them."""
    return Lazy(
        lambda: as_json(
            {key: payload[key] for key in ("session_id", "task_id") if payload.get(key) is not None}
        )
    )


def milliseconds_since(started: float) -> float:
    """Return the milliseconds since a ``time.perf_counter`` reading."""
    return (time.perf_counter() - started) * 1000


def safe_traceback(error: BaseException, known: tuple[str, ...] = ()) -> str:
    """Format a traceback without the secrets that its messages may hold."""
    return redact_text("".join(traceback.format_exception(error)).rstrip(), known)


def blamed(error: BaseException) -> BaseException:
    """Return the failure itself where Hermes marked it as raised below a middleware's frame."""
    original = getattr(error, "original", None)
    return original if isinstance(original, BaseException) else error


@dataclass
class CallLog:
    """Accompany one call of a hook, command or middleware with its log lines; a context manager.

    It says what was called, how long it took and the type of the result or of the exception. Exceptions pass
    through unchanged, unless ``swallow`` is set.
    """

    logger: logging.Logger
    label: str
    opening: object
    context: object = None
    failure: str = "callback raised"
    level: int = logging.INFO
    opening_level: int = logging.DEBUG
    swallow: bool = False
    _started: float = 0.0

    def __enter__(self) -> Self:
        self._started = time.perf_counter()
        if self.logger.isEnabledFor(self.opening_level):
            self.logger.log(self.opening_level, "%s: invoked; %s", self.label, self.opening)
        return self

    def ok(self, result: T) -> T:
        """Note that the call returned, and hand the result on."""
        self._note(self.level, "ok", f"result={type(result).__name__}")
        return result

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> bool:
        if not isinstance(error, Exception):
            return False
        self._note(logging.WARNING, self.failure, f"error_type={type(blamed(error)).__name__}")
        return self.swallow

    def _note(self, level: int, outcome: str, what: str) -> None:
        if not self.logger.isEnabledFor(level):
            return
        elapsed = milliseconds_since(self._started)
        context = "" if self.context is None else f"; context={self.context}"
        record = {"kit": {"name": self.label, "outcome": outcome, "elapsed_ms": elapsed}}
        self.logger.log(
            level, "%s: %s; elapsed_ms=%.2f; %s%s", self.label, outcome, elapsed, what, context, extra=record
        )


def configure_stderr_logging(
    logger: logging.Logger, *, env_var: str, default: bool = False
) -> logging.Handler | None:
    """Send a plugin's INFO lines to stderr when the operator's environment flag is on (1, true, yes or on).

    Calling it again returns the same handler. Off, nothing changes and the answer is ``None``.

    Raises:
        TypeError: ``logger`` is not a logger.
        ValueError: ``env_var`` is blank.
    """
    if not isinstance(logger, logging.Logger):
        raise TypeError("logger must be a logging.Logger")
    if not isinstance(env_var, str) or not env_var.strip():
        raise ValueError("env_var must name an environment variable")
    flag = os.environ.get(env_var)
    if not (default if flag is None else flag.strip().lower() in _ON):
        return None
    if logger.level == logging.NOTSET or logger.level > logging.INFO:
        logger.setLevel(logging.INFO)
    handler = next((known for known in logger.handlers if isinstance(known, _KitHandler)), None)
    if handler is None:
        handler = _KitHandler(sys.stderr)
        logger.addHandler(handler)
    return handler


class _KitHandler(logging.StreamHandler[Any]):
    """Mark the one handler that the kit adds, so that it is added once."""

    def __init__(self, stream: Any) -> None:
        super().__init__(stream)
        self.setLevel(logging.INFO)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
