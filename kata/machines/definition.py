"""A machine from one table of rules: driven by `transitions` at the command edge, compiled for replay (design 4).

`transitions` cannot drive frozen objects and costs 70 times a dictionary look-up, so it moves a small attempt that lives
for one command, while replay folds with the table that was compiled from the same machine.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs
from transitions import Machine, MachineError

from ..events import ActorKind
from .errors import IllegalTransitionError, MachineDefinitionError, PersonNeededError

SAME = "="
"""The target of a rule that leaves the state as it is."""

ANYONE = (ActorKind.HUMAN, ActorKind.AGENT, ActorKind.SYSTEM)
HUMAN = (ActorKind.HUMAN,)
SYSTEM = (ActorKind.SYSTEM,)


@attrs.frozen
class Rule:
    """One row: from these states the trigger leads to the target, for these actors, only if these facts hold."""

    sources: tuple[str, ...]
    trigger: str
    target: str
    who: tuple[ActorKind, ...]
    only_if: tuple[str, ...] = ()


@attrs.frozen
class Move:
    """One compiled cell: where it leads, who may, and the facts that must hold."""

    target: str
    who: tuple[ActorKind, ...]
    only_if: tuple[str, ...]


def fact(text: str) -> Any:
    """Declare a fact that a rule asks for; what is not established does not hold."""
    return attrs.field(default=False, metadata={"text": text})


class _Attempt:
    """What `transitions` moves for one command: the facts and the actor as plain attributes."""

    state: str

    def __init__(self, facts: Mapping[str, bool]) -> None:
        self.__dict__.update(facts)


class Definition:
    """A machine's rules, checked at import, with both ways of moving.

    Args:
        name: What the machine is called in its diagram.
        states: Every state, the one before the first event first.
        rules: The table.
        facts: An attrs class of booleans; its fields are the guards that a rule may name.

    Raises:
        MachineDefinitionError: a rule names an unknown fact or state, or two rules claim the same cell.
    """

    def __init__(self, name: str, states: Sequence[str], rules: Sequence[Rule], facts: type[Any]) -> None:
        self.name = name
        self.states = tuple(map(str, states))
        self.rules = tuple(rules)
        self._texts = {field.name: field.metadata["text"] for field in attrs.fields(facts)}
        self._callers = {_by(rule.who): rule.who for rule in rules}
        self._check()
        self.table = self._compile(self._machine())

    @property
    def initial(self) -> str:
        """The state before the first event."""
        return self.states[0]

    @property
    def triggers(self) -> tuple[str, ...]:
        """Every trigger, in the table's order."""
        return tuple(dict.fromkeys(str(rule.trigger) for rule in self.rules))

    def text_of(self, fact_name: str) -> str:
        """Return a fact in words."""
        return str(self._texts[fact_name])

    def check(self, state: str, trigger: str, actor: ActorKind, facts: Any) -> str:
        """Move once and return the state that follows.

        Raises:
            PersonNeededError: a person may, this actor may not.
            IllegalTransitionError: the state, the actor or a fact does not allow it.
        """
        if state not in self.states:
            raise self._refusal(state, trigger, actor, "unknown_state", "a newer Kata knows this state")
        attempt = _Attempt(self._known(actor, facts))
        self._machine(attempt, str(state))
        try:
            moved = attempt.trigger(str(trigger))  # type: ignore[attr-defined] # transitions adds it
        except MachineError:
            raise self._refusal(state, trigger, actor, "state", "the state does not allow it") from None
        if not moved:
            raise self._why_not(state, trigger, actor, attempt)
        return str(attempt.state)

    def next(self, state: str, trigger: str, actor: ActorKind) -> str | None:
        """Return where an event that was recorded leads; None where the machine would never have moved."""
        move = self.table.get((state, trigger))
        return move.target if move is not None and actor in move.who else None

    def allowed(self, state: str, actor: ActorKind) -> tuple[str, ...]:
        """Return the triggers that this actor may try in this state, in the table's order."""
        return tuple(one for one in self.triggers if self.next(state, one, actor) is not None)

    def _machine(self, attempt: _Attempt | None = None, state: str | None = None) -> Any:
        return Machine(
            model=[] if attempt is None else attempt,
            states=list(self.states),
            initial=state or self.states[0],
            transitions=list(self._transitions()),
            auto_transitions=False,
        )

    def _transitions(self) -> Iterator[dict[str, Any]]:
        for rule in self.rules:
            yield {
                "trigger": str(rule.trigger),
                "source": list(map(str, rule.sources)),
                "dest": str(rule.target),
                "conditions": [_by(rule.who), *rule.only_if],
            }

    def _known(self, actor: ActorKind, facts: Any) -> dict[str, bool]:
        callers = {name: actor in who for name, who in self._callers.items()}
        return {**callers, **attrs.asdict(facts)}

    def _why_not(
        self, state: str, trigger: str, actor: ActorKind, attempt: _Attempt
    ) -> IllegalTransitionError:
        move = self.table[state, trigger]
        if actor not in move.who:
            return self._wrong_actor(state, trigger, actor, move)
        missing = next(name for name in move.only_if if not getattr(attempt, name))
        return self._refusal(state, trigger, actor, missing, f"it needs that {self._texts[missing]}")

    def _wrong_actor(self, state: str, trigger: str, actor: ActorKind, move: Move) -> IllegalTransitionError:
        allowed = self.allowed(state, actor)
        if ActorKind.HUMAN in move.who:
            return PersonNeededError(state, trigger, allowed, "actor", "only a person may decide this")
        return IllegalTransitionError(
            state, trigger, allowed, "actor", f"{_names(move.who)} does this, nobody else"
        )

    def _refusal(
        self, state: str, trigger: str, actor: ActorKind, rule: str, why: str
    ) -> IllegalTransitionError:
        return IllegalTransitionError(state, str(trigger), self.allowed(state, actor), rule, why)

    def _check(self) -> None:
        cells: set[tuple[str, str]] = set()
        for rule in self.rules:
            self._check_names(rule)
            for source in rule.sources:
                if (source, rule.trigger) in cells:
                    raise MachineDefinitionError(f"{self.name}: two rules for {rule.trigger} in {source}")
                cells.add((source, rule.trigger))

    def _check_names(self, rule: Rule) -> None:
        unknown = [name for name in rule.only_if if name not in self._texts]
        unknown += [state for state in (*rule.sources, rule.target) if state not in (*self.states, SAME)]
        if unknown:
            raise MachineDefinitionError(f"{self.name}: {rule.trigger} names {', '.join(map(str, unknown))}")

    def _compile(self, machine: Any) -> Mapping[tuple[str, str], Move]:
        return {
            (transition.source, trigger): self._cell(transition)
            for trigger, event in machine.events.items()
            for transitions in event.transitions.values()
            for transition in transitions
        }

    def _cell(self, transition: Any) -> Move:
        caller, *facts = (condition.func for condition in transition.conditions)
        return Move(transition.dest, self._callers[caller], tuple(facts))


def _by(who: tuple[ActorKind, ...]) -> str:
    return f"by_{'_or_'.join(who)}"


def _names(who: tuple[ActorKind, ...]) -> str:
    return "Kata itself" if who == SYSTEM else " or ".join(who)
