"""What a machine says when it does not move."""

from ..errors import HumanNeededError, RefusedError


class IllegalTransitionError(RefusedError):
    """Say that a trigger is refused here, by which rule, and what is allowed instead (case B058).

    Attributes:
        state: The state that stays.
        trigger: What was asked.
        allowed: The triggers that this actor may use in this state.
        rule: ``unknown_state``, ``state``, ``actor``, or the name of the fact that does not hold.
    """

    def __init__(self, state: str, trigger: str, allowed: tuple[str, ...], rule: str, why: str) -> None:
        super().__init__(
            f"{trigger} is refused in state {state}: {why}",
            hint=_hint(tuple(one for one in allowed if one != trigger), rule),
        )
        self.state, self.trigger, self.allowed, self.rule = state, trigger, allowed, rule


def _hint(allowed: tuple[str, ...], rule: str) -> str:
    if rule == "unknown_state":
        return "Update Kata, or leave this kata to the newer one."
    return f"Allowed here: {', '.join(allowed)}." if allowed else ""


class PersonNeededError(IllegalTransitionError, HumanNeededError):
    """Say that only a person may do this: agents and Kata itself never consent (design 9)."""

    code = "human_needed"


class MachineDefinitionError(ValueError):
    """Say that a machine contradicts itself: a mistake in the code, found at import (case B058)."""
