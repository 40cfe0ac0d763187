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
        return uuid7(milliseconds, fraction.to_bytes(2, "big") + self._random_bytes(8))


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
    value = (milliseconds & (1 << 48) - 1) << 80 | int.from_bytes(randomness, "big")
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return _written(f"{value:032x}")


def derived_id(*names: str) -> str:
    """Derive the same UUIDv5 from the same names, for events that are imported twice."""
    name = "\x1f".join(names).encode()
    raw = bytearray(hashlib.sha1(NAMESPACE.bytes + name, usedforsecurity=False).digest()[:16])
    raw[6], raw[8] = raw[6] & 0x0F | 0x50, raw[8] & 0x3F | 0x80
    return _written(raw.hex())


def _written(text: str) -> str:
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
