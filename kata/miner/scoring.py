"""How sure a routine is (design 6.7)."""

from .types import Settings

MIN_FIT = 0.9
"""The share of held-out conversations that must be reproduced."""


def confidence(fit_rate: float, support: int) -> float:
    """Return ``fit_rate x (1 - 0.6^support)``: 0.784 at three conversations that all fit, 0.870 at four."""
    return fit_rate * (1 - 0.6**support)


def shortfalls(fit_rate: float, held_out: float, support: int, settings: Settings) -> dict[str, str]:
    """Name the thresholds that are not reached, each with a sentence.

    Args:
        fit_rate: The share of all conversations with these calls that the template reproduces.
        held_out: The share of its own examples.
        support: Its conversations.
        settings: The thresholds.
    """
    if support < settings.min_support:
        return {"support": f"seen in {support} of the {settings.min_support} conversations it takes"}
    reasons: dict[str, str] = {}
    sure = confidence(fit_rate, support)
    if held_out < MIN_FIT:
        reasons["fit"] = (
            f"the template reproduces {held_out:.0%} of the held-out conversations, {MIN_FIT:.0%} are needed"
        )
    if sure < settings.min_confidence:
        reasons["confidence"] = f"confidence {sure:.3f} is below {settings.min_confidence}"
    return reasons
