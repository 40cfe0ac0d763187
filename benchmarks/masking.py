"""What masking costs the hook thread: the slowest of many texts and values made to be slow, and an ordinary call."""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kata.redact import Keeper

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.redact.slow import texts, values

SIZE = 65_536
BOUND_MS = 20.0
GROWTH = 16
GROWTH_BAR = 20.0
ORDINARY = (
    {"path": "src/report.py", "limit": 200},
    {"content": "\n".join(f"{line:4}|    total_{line} = price * {line}  # of the day" for line in range(20))},
)


def cpu_ms(work: Callable[[], object], times: int = 3) -> float:
    """Return the least CPU time of this thread that some work took, in milliseconds."""
    best = float("inf")
    for _ in range(times):
        began = time.thread_time()
        work()
        best = min(best, time.thread_time() - began)
    return best * 1000


def slowest(keeper: Keeper, size: int, step: int) -> tuple[float, str, int]:
    """Return the longest time, for which value, and how many were tried: each once, the slowest ten again and again."""
    found = [*texts(size), *values(size)][::step]
    once = sorted(found, key=lambda pair: cpu_ms(lambda: keeper.keep(pair[1]), 1), reverse=True)
    worst = max((cpu_ms(lambda value=value: keeper.keep(value), 7), name) for name, value in once[:10])
    return (*worst, len(found))


def rows(*, smoke: bool) -> list[dict[str, Any]]:
    """Measure masking; CPU time, so that a busy machine disturbs it little."""
    keeper = Keeper(b"k" * 32)
    worst, name, count = slowest(keeper, SIZE // 8 if smoke else SIZE, 80 if smoke else 5)
    small, large = (dict(values(size))["passwords"] for size in (SIZE, GROWTH * SIZE))
    growth = cpu_ms(lambda: keeper.keep(large)) / cpu_ms(lambda: keeper.keep(small))
    plain = "src/main.py:12: ordinary output of a program\n"
    text_growth = cpu_ms(lambda: keeper.keep(plain * (SIZE * GROWTH // len(plain)))) / cpu_ms(
        lambda: keeper.keep(plain * (SIZE // len(plain)))
    )
    once = cpu_ms(lambda: [keeper.keep_call(*ORDINARY) for _ in range(100)]) / 100
    return [
        row(
            f"slowest of {count} made to be slow, 64 KiB: {worst:.1f} ms ({name[:40]})",
            f"{BOUND_MS:g} ms of CPU",
            worst / BOUND_MS,
            1.0,
        ),
        row("a list of passwords, 16 times as long", "64 KiB of it", growth, GROWTH_BAR),
        row("plain text, 16 times as long", "64 KiB of it", text_growth, GROWTH_BAR),
        row(
            f"an ordinary call of {len(json.dumps(ORDINARY))} bytes: {once * 1000:.0f} µs",
            "1 ms of CPU",
            once,
            1.0,
        ),
    ]


def row(name: str, reference: str, ratio: float, bar: float) -> dict[str, Any]:
    """Write one row."""
    return {"name": name, "reference": reference, "ratio": ratio, "bar": bar, "ok": ratio <= bar}
