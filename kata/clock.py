"""Time and identity, injected wherever they are needed."""

import hashlib
import os
import time
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Protocol

NAMESPACE = uuid.UUID("6b617461-0000-5000-8000-6576656e7473")
"""The namespace of derived ids (imports); never changes."""

_NAMESPACE = NAMESPACE.bytes
_VARIANT = {digit: "89ab"[int(digit, 16) & 3] for digit in "0123456789abcdef"}


class Clock(Protocol):
    """What tells the time."""

    def now(self) -> datetime:
        """Return the present moment, in UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds that never run backwards."""
        ...


class Ids(Protocol):
    """What makes event and run ids."""

    def new(self) -> str:
        """Return a fresh id (UUIDv7 text: sorted by time)."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()


class SystemIds:
    """UUIDv7 from the machine's clock and randomness (RFC 9562, section 5.7), in order within a millisecond too."""

    def __init__(
        self, random_bytes: Callable[[int], bytes] = os.urandom, time_ns: Callable[[], int] = time.time_ns
    ) -> None:
        self._random_bytes, self._time_ns = random_bytes, time_ns

    def new(self) -> str:
        milliseconds, rest = divmod(self._time_ns(), 1_000_000)
        fraction = rest * 4096 // 1_000_000  # the bits after the version: RFC 9562, section 6.2, method 3
        return _written7(milliseconds, fraction, self._random_bytes(8).hex())


class ManualClock:
    """A clock that only moves when told: for tests and the demo."""

    def __init__(self, start: datetime = datetime(2026, 1, 1, 9, 0, tzinfo=UTC)) -> None:
        self._start = start
        self._now = start

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return (self._now - self._start).total_seconds()

    def advance(self, **delta: float) -> None:
        """Move on by a ``timedelta``'s keywords, e.g. ``advance(minutes=5)``."""
        self._now += timedelta(**delta)


class CountingIds:
    """Ids that count up: for tests whose output is compared byte for byte."""

    def __init__(self, prefix: int = 0) -> None:
        self._prefix = prefix
        self._count = 0

    def new(self) -> str:
        self._count += 1
        return uuid7(self._count, self._prefix.to_bytes(10, "big"))


def uuid7(milliseconds: int, randomness: bytes) -> str:
    """Build a UUIDv7 from 48 bits of time and ten random bytes."""
    return _written7(milliseconds, int.from_bytes(randomness[:2], "big") & 0xFFF, randomness[2:].hex())


def _written7(milliseconds: int, fraction: int, rest: str) -> str:
    head = f"{(milliseconds & 0xFFFFFFFFFFFF) << 16 | 0x7000 | fraction:016x}"
    return f"{head[:8]}-{head[8:12]}-{head[12:]}-{_VARIANT[rest[0]]}{rest[1:4]}-{rest[4:]}"


def derived_id(*names: str) -> str:
    """Derive the same UUIDv5 from the same names, for events that are imported twice."""
    name = "\x1f".join(names).encode()
    text = hashlib.sha1(_NAMESPACE + name, usedforsecurity=False).hexdigest()
    return _written(f"{text[:12]}5{text[13:16]}{_VARIANT[text[16]]}{text[17:32]}")


def _written(text: str) -> str:
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
