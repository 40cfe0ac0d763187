"""The five side-effect classes, their order, and what a classification says."""

from collections.abc import Iterable
from enum import StrEnum

import attrs

RUNS_CODE = "runs inline or downloaded code"
SENSITIVE_PATH = "sensitive path"
ELEVATED = "runs as another user"
INTERACTIVE = "waits for a person at a terminal"
RUNS_SCRIPT = "runs a script or a project's own code"


class Effect(StrEnum):
    """What a call can do, from harmless to not known; compares by that order."""

    READ = "read"
    NETWORK_READ = "network_read"
    LOCAL_WRITE = "local_write"
    EXTERNAL = "external"
    UNKNOWN = "unknown"

    @property
    def rank(self) -> int:
        return _RANKS[self]

    def __lt__(self, other: str) -> bool:
        return _RANKS[self] < _RANKS[other]

    def __le__(self, other: str) -> bool:
        return _RANKS[self] <= _RANKS[other]

    def __gt__(self, other: str) -> bool:
        return _RANKS[self] > _RANKS[other]

    def __ge__(self, other: str) -> bool:
        return _RANKS[self] >= _RANKS[other]


_RANKS: dict[str, int] = {effect: rank for rank, effect in enumerate(Effect)}

READ, NETWORK_READ, LOCAL_WRITE, EXTERNAL, UNKNOWN = Effect

SAYS = {
    READ: "only reads",
    NETWORK_READ: "reads from the network",
    LOCAL_WRITE: "changes local files",
    EXTERNAL: "changes something outside",
    UNKNOWN: "is not known to Kata",
}
"""The plain phrase for each class."""


@attrs.frozen
class Classification:
    """The class of one call, and why.

    Attributes:
        effect: The class.
        reason: A short English phrase that names the deciding part.
        flags: Warnings for the reviewer, each once, such as ``RUNS_CODE``.
    """

    effect: Effect
    reason: str = ""
    flags: tuple[str, ...] = ()

    def raised(self, floor: Effect, reason: str) -> "Classification":
        """Return a classification that is at least ``floor``."""
        return self if self.effect >= floor else attrs.evolve(self, effect=floor, reason=reason)

    def flagged(self, *flags: str) -> "Classification":
        """Return the same classification with more flags, each once."""
        return attrs.evolve(self, flags=tuple(dict.fromkeys((*self.flags, *flags))))


def worst(effects: Iterable[Effect]) -> Effect:
    """Return the highest class; nothing at all only reads."""
    return max(effects, default=READ, key=lambda effect: effect.rank)


def exceeds(rendered: Effect, approved: Effect) -> bool:
    """Tell whether a rendered call does more than was approved (design 8, case B027)."""
    return rendered > approved


def together(parts: Iterable[Classification]) -> Classification:
    """Combine the parts of one call: the highest class with its reason, and every flag."""
    highest, flags = Classification(READ, SAYS[READ]), dict[str, None]()
    for part in parts:
        flags.update(dict.fromkeys(part.flags))
        if part.effect > highest.effect:
            highest = part
    return Classification(highest.effect, highest.reason, tuple(flags))
