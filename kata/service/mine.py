"""One mining pass: look, propose, write down what was seen (design 6.8)."""

import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import attrs

from ..errors import RefusedError
from ..events import Surface
from ..events import catalogue as told
from ..miner import Settings as MinerSettings
from ..miner.types import Found, History, Mined
from ..spec import step_shapes
from ..store.locks import held
from .ports import World, system
from .propose import Outcome, Proposer
from .reads import Reads

Progress = Callable[[int, int], None]
SEEN_KEPT = 50
"""Unproposed sequences that the event of a pass names; the rest are counts."""


def _mine(history: History, settings: MinerSettings, progress: Progress | None = None) -> Mined:
    """Load the miner and make a pass: most processes of Hermes never do, and need not start slower for it."""
    from ..miner import mine

    return mine(history, settings, progress=progress)


class AlreadyMiningError(RefusedError):
    """Say that another process is looking for routines just now."""

    code = "already_mining"
    hint = "Look again in a moment: list"

    def __init__(self) -> None:
        super().__init__("Kata is looking for routines already")


class Mining:
    """Makes passes; one at a time in all processes of a profile."""

    def __init__(self, world: World, reads: Reads, proposer: Proposer, lock: Path) -> None:
        self._world, self._reads, self._proposer, self._lock = world, reads, proposer, lock

    def run(self, surface: Surface, progress: Progress | None = None) -> tuple[Mined, Outcome]:
        """Make one pass.

        Raises:
            AlreadyMiningError: another process is at it.
        """
        with held(self._lock) as is_mine:
            if not is_mine:
                raise AlreadyMiningError
            return self._pass(surface, progress)

    def _pass(self, surface: Surface, progress: Progress | None) -> tuple[Mined, Outcome]:
        began = time.monotonic()
        self._world.refresh()
        settings, _ = self._world.settings()
        thresholds = MinerSettings(settings.min_support, settings.min_confidence, settings.max_steps)
        mined = _mine(self._reads.history, thresholds, progress)
        outcome = self._proposer.take(mined, system(surface))
        self._write_down(mined, outcome, surface, round((time.monotonic() - began) * 1000))
        if outcome.proposed or outcome.revised:
            self._world.changed()
        self._world.refresh()
        return mined, outcome

    def _write_down(self, mined: Mined, outcome: Outcome, surface: Surface, took_ms: int) -> None:
        seen = (*outcome.held, *mined.seen)
        payload = told.MiningCompleted(
            position=self._world.log.head().position,
            conversations=mined.conversations,
            calls=mined.calls,
            proposed=outcome.proposed,
            seen=tuple(map(unproposed, seen[:SEEN_KEPT])),
            counts=counts_of(mined, outcome),
            duration_ms=took_ms,
        )
        if not outcome.proposed and not outcome.revised and self._same_as_before(payload):
            return
        with self._world.log.transaction() as transaction:
            transaction.add([self._world.event("log", payload, system(surface))])

    def _same_as_before(self, payload: told.MiningCompleted) -> bool:
        last = self._reads.last_mining()
        return last is not None and attrs.evolve(
            last, position=0, duration_ms=0, calls=0, proposed=()
        ) == attrs.evolve(payload, position=0, duration_ms=0, calls=0, proposed=())


def unproposed(found: Found) -> told.Unproposed:
    """Return what the event of a pass says of a sequence that was not proposed."""
    steps = [{"tool": tool} for tool in found.tools] if found.spec is None else list(step_shapes(found.spec))
    return told.Unproposed(
        key=found.key,
        steps=steps,
        support=found.support,
        confidence=found.confidence,
        blocked_by=found.blocked_by,
        detail=found.detail,
    )


def counts_of(mined: Mined, outcome: Outcome) -> dict[str, int]:
    """Count by reason what was seen and not proposed."""
    counts = Counter(mined.counts)
    for found in outcome.held:
        counts[found.blocked_by[-1]] += 1
    return dict(sorted(counts.items()))
